// headlight explain TEXT: how the logits change without each word, or by gradients.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json_array.h"
#include "base/utf8.h"
#include "choice.h"
#include "classifier/gradient_explanation.h"
#include "command.h"
#include "engine_options.h"
#include "next_step.h"
#include "options.h"
#include "progress.h"
#include "report/explanation/explanation_page.h"
#include "report/explanation/explanation_report.h"
#include "report/explanation/explanation_text.h"
#include "report/formats/plain_text.h"
#include "report/predictions/prediction_report.h"
#include "several_texts.h"
#include "text_options.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

/// Writes explanations below each other, or as one JSON array.
class ExplanationWriter {
 public:
  ExplanationWriter(Output& output, bool array)
      : output_(output), array_(output), is_array_(array) {}

  /// `document` ends with a newline.
  void write(std::string document) {
    if (is_array_) {
      document.pop_back();
      return array_.add(document);
    }
    if (!first_) output_.write("\n");
    first_ = false;
    output_.write(document);
  }
  void finish() {
    if (is_array_) array_.finish();
  }

 private:
  Output& output_;
  JsonArray array_;
  bool is_array_;
  bool first_ = true;
};

/// What makes the explanations of one run.
struct Explainer {
  std::unique_ptr<TextClassifier> occluded;          // ExplanationMethod::occlusion
  std::unique_ptr<Classifier> plain;                 // other methods
  std::unique_ptr<GradientExplainer> gradient = {};  // of `plain`
};

struct Explain {
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  EngineOptions engine_options;
  ProgressOptions progress_options;
  OutputOptions output;
  ExplanationMethod method = ExplanationMethod::occlusion;
  std::size_t order = 1;
  std::optional<std::size_t> top_k;

  int run() const {
    check();
    const ClassifierOptions options = text.classifier_options();
    const Engine engine = engine_options.start(console);
    Model loaded = model.load(console);
    require_text_labels(loaded, "explain");
    const LabelSet labels = zero_shot.labels(loaded, options, console);
    const std::vector<Row> texts = text.all(console);
    if (output.format() == OutputFormat::html) {
      TextOptions::single(texts, "--format html shows one text; text and json show several");
    }
    const std::size_t all = texts_to_score_for(texts);
    const Model ready = engine.ready(std::move(loaded), workload_of(all));
    const Explainer explainer = explainer_of(ready, options);
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    const bool several = texts.size() > 1;
    ExplanationWriter writer(result.output(), several && output.format() == OutputFormat::json);
    Progress progress(progress_options.style(console), "text");
    std::size_t before = 0;
    const auto show = [&](const TextInput& input) {
      const auto explanation = explained(explainer, input, {before, all}, progress);
      if (!explanation) return;
      before += texts_for(explanation->words.size());
      writer.write(document(ready, labels, input, *explanation));
    };
    const auto show_error = [&](const TextInput& input, const std::string& error) {
      writer.write(error_document(input, error));
    };
    const int status = SeveralTexts{show, show_error}.run(texts, console);
    if (caught_signal() != 0) return status;
    writer.finish();
    result.finish();
    say_page(console, output);
    return status;
  }

  void check() const {
    text.refuse_windows("explain");
    if (text.has_ids()) {
      throw UsageError("explain leaves out words and cannot be combined with --ids");
    }
    if (method != ExplanationMethod::occlusion && order == 2) {
      throw UsageError("--order 2 leaves out pairs of words and needs --method occlusion");
    }
    if (method != ExplanationMethod::occlusion && zero_shot.is_used()) {
      throw UsageError("--zero-shot needs --method occlusion");
    }
    if (top_k && output.format() == OutputFormat::json) {
      throw UsageError("--top-k cannot be combined with --format json, which lists all words");
    }
  }

  Explainer explainer_of(const Model& ready, const ClassifierOptions& options) const {
    if (method == ExplanationMethod::occlusion) {
      return {zero_shot.classifier(ready, options), nullptr};
    }
    auto plain = std::make_unique<Classifier>(ready, options);
    auto gradient = std::make_unique<GradientExplainer>(*plain);
    return {nullptr, std::move(plain), std::move(gradient)};
  }

  /// The number of texts to score for a text with this number of words.
  std::size_t texts_for(std::size_t words) const {
    return method == ExplanationMethod::occlusion ? texts_to_score(words, wanted()) : 1;
  }

  /// The number of texts to score for the explanations of `texts`, which is reported if it is
  /// large.
  std::size_t texts_to_score_for(const std::vector<Row>& texts) const {
    std::size_t all = 0;
    std::size_t words = 0;
    for (const Row& row : texts) {
      try {
        const std::size_t of_this = split_words(row.input).size();
        words += of_this;
        all += texts_for(of_this);
      } catch (const TextError&) {
        // reported in its turn
      }
    }
    say_very_many(all, words);
    return all;
  }

  struct Part {
    std::size_t before;  // texts that are scored already
    std::size_t all;
  };
  /// Empty after a signal.
  std::optional<Explanation> explained(const Explainer& explainer, const TextInput& input,
                                       const Part& part, Progress& progress) const {
    const auto scored = [&](std::size_t texts) {
      const std::size_t count = part.before + texts;
      progress.update({count, static_cast<double>(count) / static_cast<double>(part.all), 0});
    };
    const auto stopped = [] { return caught_signal() != 0; };
    auto explanation = explainer.gradient
                           ? explainer.gradient->explain(input, method, stopped)
                           : explain(*explainer.occluded, input, wanted(), {stopped, scored});
    if (!explanation) return explanation;
    say_truncated(explanation->prediction.truncated);
    say_gap(*explanation);
    return explanation;
  }

  void say_truncated(std::size_t cut) const {
    if (cut == 0) return;
    const std::string words = " tokens of the text were cut; words there have no effect";
    console.note(std::to_string(cut) + words +
                 (method == ExplanationMethod::occlusion
                      ? ", and leaving out an earlier word lets some of them in"
                      : ""));
  }

  void say_gap(const Explanation& explanation) const {
    if (!explanation.completeness || explanation.completeness->is_small()) return;
    const Completeness& found = *explanation.completeness;
    console.note("after " + counted(found.steps, "step") +
                 " the effects of the words still differ by " + formatted("%.2g", found.gap) +
                 " from the change in logits, " + formatted("%.2g", found.change));
  }

  ExplanationOrder wanted() const {
    return order == 2 ? ExplanationOrder::pairs : ExplanationOrder::words;
  }

  void say_very_many(std::size_t texts, std::size_t words) const {
    constexpr std::size_t kVeryMany = 2000;
    if (texts > kVeryMany) {
      console.note("scoring " + counted(texts, "text") +
                   ": each whole text, and without each of its words, " + counted(words, "word") +
                   " in all" + (order == 2 ? ", and without each pair of words" : ""));
    }
  }

  std::string error_document(const TextInput& input, const std::string& error) const {
    if (output.format() == OutputFormat::text) return "error: " + printable(error) + '\n';
    std::string document;
    JsonWriter json(document, output.ascii());
    write_text_error(json, input, error);
    return document + '\n';
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
  choice(command->add_option(
             "--method",
             "occlusion: leave out each word; gradient: gradient times input, summed over the "
             "tokens of a word; integrated-gradients: gradients on the way from [PAD] to the text"),
         explain->method,
         {{"occlusion", ExplanationMethod::occlusion},
          {"gradient", ExplanationMethod::gradient},
          {"integrated-gradients", ExplanationMethod::integrated_gradients}});
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
  explain->progress_options.add_to(*command);
  explain->output.add_to(*command, {OutputFormat::text, OutputFormat::json, OutputFormat::html});
  explain->engine_options.add_to(*command);
  explain->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight explain \"a gorgeous, witty, seductive movie\"\n"
      "  headlight explain --order 2 --format html -o why.html \"not bad at all\"\n"
      "  headlight explain --method integrated-gradients \"a gorgeous, witty, seductive movie\"");
  command->callback([explain, &runner] { runner = [explain] { return explain->run(); }; });
}

}  // namespace headlight
