#include "options/row_output_options.h"

#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "options/help_group.h"

namespace headlight {

void RowOutputOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  command.add_flag("--logits", logits_, "Write the logits");
  rule(command.add_flag("--probabilities", probabilities_, "Write the probability of each label"))
      .needs(kLabelsTexts);
  command.add_flag("--echo-text", echo_text_, "Write the text");
  command.add_flag("--keep", keep_, "Write the input's fields before the output fields");
  add_value(command, "--file-field NAME", file_field_,
            "Add a field of this name: each row's file, as given")
      ->check(not_empty());
  add_value(command, "--column-prefix TEXT", prefix_,
            "Put TEXT before the names of the output fields");
  rule(command.add_flag("--no-output-header", no_header_, "Write no header"))
      .needs("--format csv or tsv");
  names_.add_to(command);
}

LabelSet RowOutputOptions::labels(LabelSet own, OutputFormat format) const {
  LabelSet labels = names_.written(std::move(own));
  if (format != OutputFormat::fasttext) return labels;
  if (labels.each_token || labels.problem_type == ProblemType::regression) {
    throw UsageError("--format fasttext writes labels of texts, which the model does not give");
  }
  for (const std::string& name : labels.names) {
    if (name.find_first_of(" \t\n\v\f\r") == std::string::npos) continue;
    throw UsageError("--format fasttext: label \"" + shortened(name) +
                     "\" has a blank; --label-map \"" + shortened(name) + "=…\" renames it");
  }
  return labels;
}

RowLayout RowOutputOptions::layout(const RowOptions& rows, const OutputOptions& output,
                                   PredictionView view) const {
  RowLayout layout;
  layout.format = table_format(output.format());
  layout.ascii = output.ascii();
  layout.header = !no_header_;
  layout.null = rows.null();
  layout.id = rows.fields().id.value_or("id");
  layout.text = echo_text_;
  layout.pair = rows.fields().pair.has_value();
  layout.keep = keep_;
  layout.file = file_field_;
  layout.view = std::move(view);
  layout.view.logits = logits_;
  layout.view.probabilities = probabilities_;
  layout.view.prefix = prefix_;
  layout.view.needs_threshold = true;
  return layout;
}

void RowOutputOptions::refuse_clash(const RowWriter& writer) const {
  if (!writer.file_clashes()) return;
  throw UsageError("--file-field: the output has another column \"" + shortened(*file_field_) +
                   "\"; choose another name");
}

void KeptColumnRows::take_columns(const Row& first) {
  const std::vector<std::string>& columns = rows_.columns();
  if (writer_.lacks_columns(columns)) {
    throw Error("row " + name_of(first), "cannot be read (" + first.error + ")",
                "--keep takes the column names from this row");
  }
  if (const auto name = writer_.take_columns(columns)) {
    const std::string way_out = writer_.way_out(*name);
    const bool lacks_prefix = way_out.starts_with("--column-prefix");
    throw UsageError("--keep: column \"" + shortened(*name) +
                         "\" of the input has the name of an output column" +
                         (lacks_prefix ? "" : "; " + way_out),
                     lacks_prefix ? "--column-prefix predicted_" : "");
  }
}

std::optional<Row> KeptColumnRows::next() {
  std::optional<Row> row = rows_.next();
  if (!row) return row;
  if (!std::exchange(begun_, true)) take_columns(*row);
  if (!row->error.empty()) return row;
  row->error = writer_.complaint(*row);
  if (!row->error.empty()) row->kept.clear();
  return row;
}

}  // namespace headlight
