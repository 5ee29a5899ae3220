// headlight explain TEXT: how the logits change without each word.

#include <memory>
#include <optional>
#include <utility>

#include "base/interrupt.h"
#include "command.h"
#include "engine_options.h"
#include "options.h"
#include "report/explanation/explanation_page.h"
#include "report/explanation/explanation_report.h"
#include "report/explanation/explanation_text.h"
#include "text_options.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

struct Explain {
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  EngineOptions engine_options;
  OutputOptions output;
  std::size_t order = 1;
  std::optional<std::size_t> top_k;

  int run() const {
    text.refuse_windows("explain");
    const ClassifierOptions options = text.classifier_options();
    if (options.ids) throw UsageError("explain leaves out words and cannot be combined with --ids");
    if (top_k && output.format() == OutputFormat::json) {
      throw UsageError("--top-k cannot be combined with --format json, which lists all words");
    }
    const Engine engine = engine_options.start(console);
    Model loaded = model.load(console);
    const LabelSet labels = zero_shot.labels(loaded, options, console);
    const TextInput input = text.single(console);
    const std::size_t words = split_words(input).size();
    say_very_many(words);
    const Model ready =
        engine.ready(std::move(loaded), workload_of(texts_to_score(words, wanted())));
    const auto classifier = zero_shot.classifier(ready, options);
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    const auto explanation =
        explain(*classifier, input, wanted(), [] { return caught_signal() != 0; });
    if (!explanation) return kSignalBase + caught_signal();
    if (const std::size_t cut = explanation->prediction.truncated; cut > 0) {
      console.note(std::to_string(cut) +
                   " tokens of the text were cut; words there have no effect, and leaving out an "
                   "earlier word lets some of them in");
    }
    result.output().write(document(ready, labels, input, *explanation));
    result.finish();
    return kSuccess;
  }

  ExplanationOrder wanted() const {
    return order == 2 ? ExplanationOrder::pairs : ExplanationOrder::words;
  }

  void say_very_many(std::size_t words) const {
    constexpr std::size_t kVeryMany = 2000;
    const std::size_t texts = texts_to_score(words, wanted());
    if (texts > kVeryMany) {
      console.note("scoring " + counted(texts, "text") +
                   ": the whole text, and without each of its " + counted(words, "word") +
                   (order == 2 ? " and each pair of words" : ""));
    }
  }

  std::string document(const Model& ready, const LabelSet& labels, const TextInput& input,
                       const Explanation& explanation) const {
    if (output.format() == OutputFormat::json) {
      std::string document;
      JsonWriter json(document, output.ascii());
      write_explanation(json, labels, input, explanation);
      return document + '\n';
    }
    ExplanationView view;
    view.most = top_k.value_or(view.most);
    if (output.format() == OutputFormat::html) {
      return explanation_page("Words and verdict: " + ready.place.name, labels, explanation, view);
    }
    view.color = console.color(output);
    view.terminal = console.terminal_colours(output);
    return explanation_text(labels, explanation, view);
  }
};

}  // namespace

void add_explain(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "explain", "Show which words affect the prediction: how the logits change without each word");
  const auto explain = std::make_shared<Explain>();
  explain->text.add_texts_to(*command);
  explain->model.add_to(*command);
  explain->text.add_reading_to(*command);
  explain->zero_shot.add_to(*command);
  command
      ->add_option("--order", explain->order,
                   "1: leave out each word; 2: also each pair of words, n(n-1)/2 more texts to "
                   "score (default: 1)")
      ->check(whole_number(1, 2))
      ->option_text("N");
  command
      ->add_option("-k,--top-k", explain->top_k,
                   "List the N strongest words and pairs of words (default: 20)")
      ->check(whole_number(1, UINT32_MAX))
      ->option_text("N");
  explain->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::html});
  explain->engine_options.add_to(*command);
  explain->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight explain \"a gorgeous, witty, seductive movie\"\n"
      "  headlight explain --order 2 --format html -o why.html \"not bad at all\"");
  command->callback([explain, &runner] { runner = [explain] { return explain->run(); }; });
}

}  // namespace headlight
