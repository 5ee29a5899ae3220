// headlight attention TEXT: what each head attends to, or what else happens inside a model.

#include "commands/attention.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "commands/command.h"
#include "help/next_step.h"
#include "options/output_options.h"
#include "report/attention/attention_format.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

void refuse_without_attention(const Model& model) {
  const Description& what = model.description;
  if (!what.ngrams && (!what.label_ngrams || !what.layers.empty())) return;
  throw Error(model.place.config, "is a sum over words and n-grams, without any attention",
              "headlight explain shows what each word does");
}

int run(const AttentionCommand& command) {
  const std::string& hidden = command.options.hidden();
  if (!hidden.empty()) refuse_terminal(hidden, "npy");
  return command.mode().show(command);
}

}  // namespace

StartedModel AttentionCommand::start(Workload workload) const {
  StartedModel started{engine.start(console), model.load(console)};
  started.model = started.engine.ready(std::move(started.model), workload);
  return started;
}

StartedModel AttentionCommand::start_with_attention(Workload workload) const {
  StartedModel started = start(workload);
  refuse_without_attention(started.model);
  return started;
}

TextInput AttentionCommand::single_text() const {
  return TextOptions::single(text.all(console), mode().name() + " shows one text");
}

void AttentionCommand::write(const std::string& document) const {
  write_result(output, document);
  say_page(console, output);
}

AttentionReaders::AttentionReaders(const AttentionCommand& command, const StartedModel& first)
    : first_(first.model, command.text.classifier_options()), all_{&first_} {
  ClassifierOptions reading = command.text.classifier_options();
  if (const std::string& name = command.options.compared(); !name.empty()) {
    option_ = "--compare";
    other_ = first.engine.ready(ModelOptions::load_other(name, command.console), Workload::few);
    require_layers(*other_, option_);
    second_.emplace(*other_, reading);
  } else if (!command.options.ablated().empty()) {
    option_ = "--ablate";
    reading.heads_off = command.options.ablated_heads(first.model.description);
    second_.emplace(first.model, reading);
  }
  if (second_) all_.push_back(&*second_);
}

void AttentionReaders::check(const std::vector<Row>& texts) const {
  if (second_) TextOptions::single(texts, option_ + " shows one text");
}

int show_live(const AttentionCommand& command) {
  return command.write_live_page({{}, "", command.options.words()}, command.options.compared());
}

ViewedText::ViewedText(const AttentionCommand& command, const Classifier& classifier,
                       const TextInput& input, const ValueNorms* norms)
    : text(read_text(classifier, input)),
      view(classifier.model().description, text,
           command.options.choose(classifier.model().description, text.encoding, input)),
      look(command.options.look()) {
  const Console& console = command.console;
  look.ascii = command.output.ascii();
  look.head_names = command.options.head_names(classifier.model().description);
  if (classifier.has_heads_off()) text.model_name += " without " + command.options.ablated();
  fill_trace(classifier, command.options.wanted(), text, norms);
  if (command.rows.has_input()) return;  // the rest is for people, and notes of rows are counted
  if (text.prediction.truncated > 0) {
    console.note(std::to_string(text.prediction.truncated) +
                 " tokens were cut; use --long error to refuse long texts");
  }
  say_unknown(text.prediction, console);
  look.columns = Console::columns();
  look.color = console.color(command.output);
  if (command.output.format() == OutputFormat::text) {
    look.terminal = console.terminal_colours(command.output);
  }
  PredictionView verdict;
  verdict.logits = console.is_verbose();
  const LabelSet& labels = classifier.labels();
  look.verdict = labels.names.empty()
                     ? shown_input(input)
                     : prediction_line(labels, input, text.prediction, verdict, look.color);
  if (classifier.has_heads_off()) look.verdict += "   without " + command.options.ablated();
}

void add_attention(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand("attention", "Show what each head attends to");
  const auto attention = std::make_shared<AttentionCommand>();
  attention->text.add_texts_to(*command);
  attention->model.add_to(*command);
  attention->options.add_to(*command);
  attention->text.add_reading_to(*command,
                                 TextOptions::kIds | TextOptions::kActivation | TextOptions::kLong);
  std::vector<OutputFormat> formats;
  formats.reserve(attention_formats().size());
  for (const AttentionFormat& format : attention_formats())
    formats.push_back(format_named(format.name));
  attention->output.add_to(*command, formats);
  add_modes_to(*command);
  attention->options.add_others_to(*command);
  attention->add_live_to(*command);
  add_rows_to(*command, *attention);
  add_mode_rules_to(*command, attention->options.all());
  attention->command = command;
  attention->engine.add_to(*command);
  attention->console.add_color_to(*command);
  attention->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight attention --layers 2 --heads 0,3 --words \"not bad at all\"\n"
      "  headlight attention -m path/to/model \"a cat\" --pair \"an animal\" -o a.npz\n"
      "  headlight attention --activations --format svg \"not bad at all\" > vectors.svg\n"
      "  headlight attention -o both.html \"a great film\" \"a terrible film\"\n"
      "  headlight attention --live -o live.html\n"
      "  headlight attention --input reviews.jsonl --stats -o heads.jsonl\n"
      "  headlight attention --patch \"a terrible film\" -o where.html \"a great film\"");
  command->callback([attention, &runner] { runner = [attention] { return run(*attention); }; });
}

}  // namespace headlight
