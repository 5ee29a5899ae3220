// headlight explain --input FILE: an explanation for each row of a file.

#include <new>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"
#include "commands/explain.h"
#include "commands/row_run.h"
#include "inside/word_explainer.h"
#include "options/help_group.h"
#include "options/output_options.h"
#include "options/provenance.h"
#include "report/explanation/explanation_report.h"
#include "report/explanation/explanation_summary.h"

namespace headlight {
namespace {

ScoreTexts<ExplainedText> explain_with(const WordExplainer& explainer) {
  return [&](std::span<const TextInput> texts, ScoringScratch& /*scratch*/) {
    return score_each<ExplainedText>(texts, [&](const TextInput& text) {
      std::optional<ExplainedText> explained(std::in_place);
      try {
        explained->explanation = explainer.explain(text, {is_interrupted, {}});
        if (!explained->explanation) return std::optional<ExplainedText>();
        const TextResult& scored = explained->explanation->prediction;
        static_cast<TextResult&>(*explained) = scored;
      } catch (const std::bad_alloc&) {
        explained->error = "needs more memory than there is";
      }
      return explained;
    });
  };
}

/// Writes the summary after a run with this status, and returns the status then. Reads the finished
/// rows again, because some may be of an earlier run.
int sum_up(const ExplainCommand& command, int status) {
  if (command.summary.empty() || status > kSignalBase) return status;
  const OutputOptions& output = command.output;
  RowReading reading;
  reading.format = RowFormat::jsonl;
  reading.compression = compression_of(output.path());
  reading.keep = true;
  RowReader rows(output.path(), reading);
  ExplanationSummary summary;
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

}  // namespace

void add_rows_to(CLI::App& command, ExplainCommand& explain) {
  rule(explain.rows.add_input_to(command))
      .excludes("TEXT or --pair", "whose place it takes")
      .excludes("--format html or json", "because it writes a line of JSONL per row");
  {
    const NeedOfAll all(command, "--input or --rows");
    explain.rows.add_reading_to(command);
  }
  {
    const NeedOfAll all(command, "--rows");
    explain.rows.add_label_to(command);
  }
  {
    const NeedOfAll all(command, "--input");
    explain.row_run.resume.add_to(command);
    explain.row_run.errors.add_to(command);
    const HelpGroup group(command, kOutputGroup);
    rule(mark(add_value(command, "--summary FILE", explain.summary,
                        "Also write the words with the largest mean effects on each label over all "
                        "rows of -o: JSON if FILE ends in .json, else text; - is standard output")
                  ->check(not_empty()),
              Effect::nothing))
        .needs("-o FILE", "whose rows it reads");
  }
  explain.row_run.progress.add_to(command);
}

OutputFormat summary_format(const ExplainCommand& command) {
  return format_for(command.summary, {OutputFormat::text, OutputFormat::json}, "--summary");
}

int explain_rows(const ExplainCommand& command, const Engine& engine, Model loaded) {
  const Console& console = command.console;
  const ClassifierOptions reading = command.text.classifier_options();
  const LabelSet labels = command.zero_shot.labels(loaded, reading, console);
  command.method.check(labels);
  const auto input = command.rows.without_labels().open(console);
  check_summary(command.summary,
                summary_format(command) == OutputFormat::json ? kJsonSummary : "rows   ",
                command.output);
  WholeRowFinder finder((RowShape()));
  RowRun run(command.row_run, command.rows, command.output, console, engine);
  if (!run.open(*input, loaded, finder)) return sum_up(command, kSuccess);
  run.read_ahead(*input);
  const Model ready = engine.ready(std::move(loaded), Workload::many);
  const WordExplainer explainer(command.zero_shot.classifier(ready, reading),
                                command.method.explaining(&ready.description));
  ExplanationLines writer(labels, command.output.ascii());
  return sum_up(command, run.score(explain_with(explainer), writer, /*rows_at_once=*/4));
}

}  // namespace headlight
