#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "commands/explain.h"
#include "commands/several_texts.h"
#include "help/next_step.h"
#include "inside/word_explainer.h"
#include "report/formats/documents.h"
#include "report/formats/plain_text.h"
#include "terminal/progress.h"
#include "terminal/training_progress.h"

namespace headlight {
namespace {

/// The number of texts to score for the explanations of `rows`, which is noted if it is large.
std::size_t texts_for(const ExplainCommand& command, const std::vector<Row>& rows,
                      const TextClassifier& reader, const WordExplaining& how) {
  constexpr std::size_t kVeryMany = 2000;
  std::size_t texts = 0;
  std::size_t words = 0;
  for (const Row& row : rows) {
    try {
      const std::size_t read = read_words(reader, row.input).read.size();
      words += read;
      texts += texts_to_score(how, read);
    } catch (const TextError&) {
      // reported in its turn
    }
  }
  if (texts > kVeryMany) {
    command.console.note("scoring " + counted(texts, "text") + ": " + texts_named(how) + ", " +
                         counted(words, "word") + " in all");
  }
  return texts;
}

/// Notes what the reader of an explanation should know.
void say_limits(const Console& console, const Explanation& explanation) {
  if (explanation.prediction.truncated > 0) {
    console.note(std::to_string(explanation.prediction.truncated) +
                 " tokens of the text were cut; words there have no effect" +
                 (explanation.method == ExplanationMethod::occlusion || explanation.flip
                      ? ", and leaving out an earlier word lets some of them in"
                      : ""));
  }
  say_unknown(explanation.prediction, console);
  if (!explanation.completeness || explanation.completeness->is_small()) return;
  const Completeness& found = *explanation.completeness;
  console.note("after " + counted(found.steps, "step") +
               " the effects of the words still differ by " + formatted("%.2g", found.gap) +
               " from the change in logits, " + formatted("%.2g", found.change));
}

DocumentLayout layout_of(OutputFormat format, bool several) {
  if (format == OutputFormat::text) return DocumentLayout::blocks;
  return several && format == OutputFormat::json ? DocumentLayout::json_array
                                                 : DocumentLayout::lines;
}

}  // namespace

int explain_texts(const ExplainCommand& command, const Engine& engine, Model loaded) {
  const Console& console = command.console;
  const OutputOptions& output = command.output;
  const ClassifierOptions reading = command.reading(loaded);
  const LabelSet labels = command.zero_shot.labels(loaded, reading, console);
  command.method.check(labels);
  const GoldReader gold(labels);
  command.method.check_towards(gold, command.rows);
  const auto towards = command.method.towards(gold, std::nullopt);
  const std::vector<Row> texts = command.text.all(console);
  if (output.format() == OutputFormat::html || output.format() == OutputFormat::svg) {
    TextOptions::single(texts, "--format " + std::string(name_of(output.format())) +
                                   " shows one text; text and json show several");
  }
  const WordExplaining how = command.method.explaining(&loaded.description);
  const std::size_t all =
      texts_for(command, texts, *command.zero_shot.classifier(loaded, reading), how);
  const Model model = engine.ready(std::move(loaded), workload_of(all));
  const WordExplainer explainer(command.zero_shot.classifier(model, reading), how);
  watch_signals();  // so that an unfinished file is removed
  FitProgress watch(console, command.row_run.progress.style(console));
  const auto influence = influence_of(command, model, engine, watch);
  if (caught_signal() != 0) return kSignalBase + caught_signal();
  Result result(output);
  Documents documents(result.output(), layout_of(output.format(), texts.size() > 1),
                      output.ascii());
  Progress progress(command.row_run.progress.style(console), "text");
  std::size_t before = 0;  // texts for earlier explanations; --faithfulness takes more
  Progress::Done done{0, how.faithfulness ? std::nullopt : std::optional(0.0)};
  const auto scored = [&](std::size_t count) {
    const double share = static_cast<double>(before + count) / static_cast<double>(all);
    done = {before + count, how.faithfulness ? std::nullopt : std::optional(share)};
    progress.update(done);
  };
  const auto stopped = [&] {
    progress.update(done);  // the first texts, or gradients, of a large model take long
    return caught_signal() != 0;
  };
  const auto show = [&](const TextInput& input) {
    auto explanation = explainer.explain(input, {stopped, scored});
    if (!explanation) return;
    if (towards) explain_towards(*towards, *explanation);
    if (towards && !explanation->towards) console.note("--towards names the predicted label");
    say_limits(console, *explanation);
    before += texts_to_score(how, explanation->read.size());
    const auto found = training_rows_of(command, influence.get(), labels, *explanation);
    documents.add(command.document(model, labels, input, *explanation, found ? &*found : nullptr));
  };
  const auto show_error = [&](const TextInput& input, const std::string& error) {
    documents.add_error(input, error);
  };
  const int status = SeveralTexts{show, show_error}.run(texts, console);
  if (caught_signal() != 0) return status;
  documents.finish();
  result.finish();
  say_page(console, output);
  return status;
}

}  // namespace headlight
