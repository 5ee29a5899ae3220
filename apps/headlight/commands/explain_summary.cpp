// headlight explain --input FILE --summary FILE: what the words of all rows do.

#include "base/interrupt.h"
#include "commands/command.h"
#include "commands/explain.h"
#include "options/output_options.h"
#include "options/provenance.h"
#include "report/explanation/explanation_summary.h"
#include "rows/row_reader.h"

namespace headlight {

OutputFormat summary_format(const ExplainCommand& command) {
  return format_for(command.summary, {OutputFormat::text, OutputFormat::json}, "--summary");
}

int sum_up(const ExplainCommand& command, const LabelSet& labels, int status) {
  if (command.summary.empty() || status > kSignalBase) return status;
  const OutputOptions& output = command.output;
  RowReading reading;
  reading.format = RowFormat::jsonl;
  reading.compression = compression_of(output.path());
  reading.keep = true;
  RowReader rows(output.path(), reading);
  ExplanationSummary summary(labels.names, command.top_k);
  while (const std::optional<Row> row = rows.next()) summary.add(*row);
  const std::string document =
      summary_format(command) == OutputFormat::json
          ? with_provenance(
                json_document(output.ascii(), [&](JsonWriter& json) { summary.write(json); }),
                output.ascii())
          : summary.text();
  if (caught_signal() != 0) {  // not all rows may be in it
    complain("stopped before the summary was written; use --resume to write it");
    return kSignalBase + caught_signal();
  }
  if (command.summary == "-") {
    print(document);
  } else {
    write_summary(command.summary, document);
  }
  return status;
}

}  // namespace headlight
