#include "options/row_output_options.h"

#include <utility>

#include "options/help_group.h"

namespace headlight {

void RowOutputOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kResultGroup);
  command.add_flag("--logits", logits_, "Write the logits");
  rule(command.add_flag("--probabilities", probabilities_, "Write the probability of each label"))
      .needs(kLabelsTexts);
  command.add_flag("--echo-text", echo_text_, "Write the text");
  command.add_flag("--keep", keep_, "Write the input's fields before the output fields");
  add_value(command, "--column-prefix TEXT", prefix_,
            "Put TEXT before the names of the output fields");
  rule(command.add_flag("--no-output-header", no_header_, "Write no header"))
      .needs("--format csv or tsv");
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
  layout.view = std::move(view);
  layout.view.logits = logits_;
  layout.view.probabilities = probabilities_;
  layout.view.prefix = prefix_;
  layout.view.needs_threshold = true;
  return layout;
}

}  // namespace headlight
