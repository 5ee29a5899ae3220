// headlight explain TEXT: what each word does to the logits.

#include "commands/explain.h"

#include <memory>
#include <string>
#include <utility>

#include "classifier/classifier.h"
#include "commands/command.h"
#include "options/help_group.h"
#include "report/explanation/explanation_report.h"
#include "report/formats/documents.h"

namespace headlight {
namespace {

int run(const ExplainCommand& command) {
  if (command.is_live) {
    return command.write_live_page({{}, name_of(command.method.explaining().method), false});
  }
  const bool has_rows = command.rows.has_input();
  const bool lists_some = has_rows ? !command.summary.empty() : !command.is_json();
  check_fact(*command.command, kListsSome, lists_some || !command.training_file.empty());
  if (has_rows) {
    summary_format(command);  // refuses other endings
    command.rows.check();
  }
  if (!command.training_file.empty()) {
    command.training_rows().check();
    command.training_rows().require_labels();
  }
  command.text.classifier_options();  // refuses wrong ones before the model is read
  const Engine engine = command.engine.start(command.console);
  Model model = command.model.load(command.console);
  require_text_labels(model, "explain");
  if (!command.training_file.empty()) require_layers(model, "--rows");
  return has_rows ? explain_rows(command, engine, std::move(model))
                  : explain_texts(command, engine, std::move(model));
}

}  // namespace

bool ExplainCommand::is_json() const {
  return output.format() == OutputFormat::json || output.format() == OutputFormat::jsonl;
}

ClassifierOptions ExplainCommand::reading(const Model& loaded) const {
  ClassifierOptions options = text.classifier_options();
  options.tokens_are_words = method.tokens_are_words();
  const WordExplaining how = method.explaining(&loaded.description);
  const bool has_gradients = is_by_gradients(how.method) || how.faithfulness;
  if (has_gradients && !options.long_texts) options.long_texts = LongTexts::truncate;
  return options;
}

std::string ExplainCommand::document(const Model& shown_model, const LabelSet& labels,
                                     const TextInput& input, const Explanation& explanation,
                                     const TrainingRows* found) const {
  if (is_json()) {
    return json_document(output.ascii(), [&](JsonWriter& json) {
      json.begin_object();
      write_explanation_fields(json, labels, input, explanation,
                               labels_written(labels, explanation, /*few=*/false));
      if (found != nullptr) write_training_rows(json, labels, *found);
      json.end_object();
    });
  }
  ExplanationView view;
  view.most = top_k.value_or(view.most);
  view.training_rows = found;
  if (output.format() == OutputFormat::html) {
    return explanation_page("The words behind the prediction: " + shown_model.place.name, labels,
                            explanation, view);
  }
  if (output.format() == OutputFormat::svg) {
    return explanation_picture(title, labels, explanation, view);
  }
  view.color = console.color(output);
  view.terminal = console.terminal_colours(output);
  return explanation_text(labels, explanation, view);
}

void add_explain(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "explain", "Show which words affect the prediction: how the logits change without each word");
  const auto explain = std::make_shared<ExplainCommand>();
  explain->text.add_texts_to(*command);
  explain->model.add_to(*command);
  explain->text.add_reading_to(*command, TextOptions::kActivation | TextOptions::kLong);
  explain->zero_shot.add_to(*command);
  const HelpGroup group(*command, kResultGroup);
  explain->method.add_to(*command);
  rule(add_value(*command, "-k,--top-k N", explain->top_k,
                 "List the N strongest words and pairs of words (default: 20), training rows "
                 "(default: 10), and words of each label in the summary")
           ->group(kOftenGroup)
           ->check(whole_number(1, UINT32_MAX)))
      .needs(kListsSome, "because JSON has all words");
  explain->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::html,
                                    OutputFormat::svg, OutputFormat::jsonl});
  add_title(*command, explain->title);
  explain->add_live_to(*command);
  explain->command = command;
  add_training_rows_to(*command, *explain);
  add_rows_to(*command, *explain);
  explain->engine.add_to(*command);
  explain->console.add_color_to(*command);
  explain->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight explain \"a gorgeous, witty, seductive movie\"\n"
      "  headlight explain --order 2 --format html -o why.html \"not bad at all\"\n"
      "  headlight explain --live -o live.html \"a witty, seductive movie\"\n"
      "  headlight explain --method integrated-gradients \"a witty, seductive movie\"\n"
      "  headlight explain --towards negative \"the film is not bad at all\"\n"
      "  headlight explain --flip \"the film is not bad at all\"\n"
      "  headlight explain --method lrp \"not bad at all\"\n"
      "  headlight explain --method shapley --faithfulness \"a great, great film\"\n"
      "  headlight explain --rows tickets.csv --label topic -m my-model \"parcel lost?\"\n"
      "  headlight explain --input reviews.jsonl -o why.jsonl --summary -");
  command->callback([explain, &runner] { runner = [explain] { return run(*explain); }; });
}

}  // namespace headlight
