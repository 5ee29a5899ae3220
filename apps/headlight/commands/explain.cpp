// headlight explain TEXT: what each word does to the logits.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json_array.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/explain_rows.h"
#include "commands/several_texts.h"
#include "commands/word_explainer.h"
#include "help/next_step.h"
#include "options/engine_options.h"
#include "options/help_group.h"
#include "options/method_options.h"
#include "options/options.h"
#include "options/text_options.h"
#include "options/zero_shot_options.h"
#include "report/explanation/explanation_page.h"
#include "report/explanation/explanation_report.h"
#include "report/explanation/explanation_text.h"
#include "report/formats/plain_text.h"
#include "report/predictions/prediction_report.h"
#include "terminal/progress.h"

namespace headlight {
namespace {

/// Writes explanations below each other, or as one JSON array.
class ExplanationWriter {
 public:
  ExplanationWriter(Output& output, OutputFormat format, bool several)
      : output_(output),
        array_(output),
        is_array_(several && format == OutputFormat::json),
        between_(format == OutputFormat::jsonl ? "" : "\n") {}

  /// `document` ends with a newline.
  void write(std::string document) {
    if (is_array_) {
      document.pop_back();
      return array_.add(document);
    }
    if (!first_) output_.write(between_);
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
  const char* between_;  // two documents that are not in an array
  bool first_ = true;
};

struct Explain {
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  EngineOptions engine_options;
  ExplainedRowsOptions rows;
  OutputOptions output;
  MethodOptions method;
  std::optional<std::size_t> top_k;

  int run() const {
    rows.check();
    const ClassifierOptions options = text.classifier_options();
    const Engine engine = engine_options.start(console);
    Model loaded = model.load(console);
    require_text_labels(loaded, "explain");
    if (rows.given())
      return rows.run({method, text, zero_shot, output, console}, engine, std::move(loaded));
    const LabelSet labels = zero_shot.labels(loaded, options, console);
    const std::vector<Row> texts = text.all(console);
    if (output.format() == OutputFormat::html) {
      TextOptions::single(texts, "--format html shows one text; text and json show several");
    }
    const std::size_t all = texts_to_score_for(texts, *zero_shot.classifier(loaded, options));
    const Model ready = engine.ready(std::move(loaded), workload_of(all));
    const WordExplainer explainer(ready, zero_shot, options, method.explaining());
    watch_signals();  // so that an unfinished file is removed
    Result result(output);
    ExplanationWriter writer(result.output(), output.format(), texts.size() > 1);
    Progress progress(rows.progress().style(console), "text");
    std::size_t before = 0;
    const auto show = [&](const TextInput& input) {
      const auto explanation = explained(explainer, input, {before, all}, progress);
      if (!explanation) return;
      before += method.texts_for(explanation->read.size());
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

  bool is_json() const {
    return output.format() == OutputFormat::json || output.format() == OutputFormat::jsonl;
  }

  /// The number of texts to score for the explanations of `texts`, which is reported if it is
  /// large.
  std::size_t texts_to_score_for(const std::vector<Row>& texts,
                                 const TextClassifier& reader) const {
    std::size_t all = 0;
    std::size_t words = 0;
    for (const Row& row : texts) {
      try {
        const std::size_t of_this = read_words(reader, row.input).read.size();
        words += of_this;
        all += method.texts_for(of_this);
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
  std::optional<Explanation> explained(const WordExplainer& explainer, const TextInput& input,
                                       const Part& part, Progress& progress) const {
    const auto scored = [&](std::size_t texts) {
      const std::size_t count = part.before + texts;
      progress.update({count, static_cast<double>(count) / static_cast<double>(part.all), 0});
    };
    auto explanation = explainer.explain(input, {[] { return caught_signal() != 0; }, scored});
    if (!explanation) return explanation;
    say_truncated(explanation->prediction.truncated);
    say_gap(*explanation);
    return explanation;
  }

  void say_truncated(std::size_t cut) const {
    if (cut == 0) return;
    const std::string words = " tokens of the text were cut; words there have no effect";
    console.note(std::to_string(cut) + words +
                 (method.method() == ExplanationMethod::occlusion
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

  void say_very_many(std::size_t texts, std::size_t words) const {
    constexpr std::size_t kVeryMany = 2000;
    if (texts > kVeryMany) {
      console.note("scoring " + counted(texts, "text") + ": " + method.texts_named() + ", " +
                   counted(words, "word") + " in all");
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
    if (is_json()) {
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
  explain->text.add_reading_to(*command, TextOptions::kActivation | TextOptions::kLong);
  explain->zero_shot.add_to(*command);
  const HelpGroup group(*command, kResultGroup);
  explain->method.add_to(*command);
  rule(add_value(*command, "-k,--top-k N", explain->top_k,
                 "List the N strongest words and pairs of words (default: 20)")
           ->check(whole_number(1, UINT32_MAX)))
      .excludes("--format json or jsonl", "which lists all words")
      .excludes("--input");
  explain->output.add_to(
      *command, {OutputFormat::text, OutputFormat::json, OutputFormat::html, OutputFormat::jsonl});
  explain->rows.add_to(*command);
  explain->engine_options.add_to(*command);
  explain->console.add_color_to(*command);
  explain->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight explain \"a gorgeous, witty, seductive movie\"\n"
      "  headlight explain --order 2 --format html -o why.html \"not bad at all\"\n"
      "  headlight explain --method integrated-gradients \"a witty, seductive movie\"\n"
      "  headlight explain --method shapley --faithfulness \"a great, great film\"\n"
      "  headlight explain --input reviews.jsonl -o why.jsonl --summary -");
  command->callback([explain, &runner] { runner = [explain] { return explain->run(); }; });
}

}  // namespace headlight
