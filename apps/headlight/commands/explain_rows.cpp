// headlight explain --input FILE: an explanation for each row of a file.

#include <utility>

#include "base/interrupt.h"
#include "commands/command.h"
#include "commands/explain.h"
#include "commands/row_run.h"
#include "inside/word_explainer.h"
#include "metrics/known_label_rows.h"
#include "options/help_group.h"
#include "report/explanation/explanation_report.h"

namespace headlight {
namespace {

ScoreTexts<ExplainedText> explain_with(const WordExplainer& explainer) {
  return [&](std::span<const TextInput> texts, ScoringScratch& /*scratch*/) {
    return score_each<ExplainedText>(texts, [&](const TextInput& text) {
      std::optional<ExplainedText> explained(std::in_place);
      explained->explanation = explainer.explain(text, {is_interrupted, {}});
      if (!explained->explanation) return std::optional<ExplainedText>();
      const TextResult& scored = explained->explanation->prediction;
      static_cast<TextResult&>(*explained) = scored;
      return explained;
    });
  };
}

}  // namespace

void add_rows_to(CLI::App& command, ExplainCommand& explain) {
  rule(explain.rows.add_input_to(command))
      .excludes("TEXT or --pair", "whose place it takes")
      .excludes("--format html, svg or json", "because it writes a line of JSONL per row");
  {
    const NeedOfAll all(command, "--input or --rows");
    explain.rows.add_reading_to(command);
    explain.rows.add_label_to(command);
  }
  {
    const NeedOfAll all(command, "--input");
    explain.label_map.add_to(command);
    explain.row_run.resume.add_to(command);
    explain.row_run.errors.add_to(command);
    const HelpGroup group(command, kOutputGroup);
    rule(mark(add_value(command, "--summary FILE", explain.summary,
                        "Also write the words with the largest mean effects on each label over all "
                        "rows of -o; JSON if FILE ends in .json, else text; - is standard output")
                  ->check(not_empty()),
              Effect::nothing))
        .needs("-o FILE", "whose rows it reads");
  }
  explain.row_run.progress.add_to(command);
}

int explain_rows(const ExplainCommand& command, const Engine& engine, Model loaded) {
  const Console& console = command.console;
  const ClassifierOptions reading = command.reading(loaded);
  const LabelSet labels = command.zero_shot.labels(loaded, reading, console);
  command.method.check(labels);
  const GoldReader gold = command.label_map.reader(labels, loaded.place, console);
  command.method.check_towards(gold, command.rows);
  const bool has_labels = !command.rows.fields().label.empty();
  const auto input = (has_labels ? command.rows : command.rows.without_labels()).open(console);
  KnownLabelRows known(*input, gold, command.rows.file());
  check_summary(command.summary,
                summary_format(command) == OutputFormat::json ? kJsonSummary : "rows   ",
                command.output);
  WholeRowFinder finder((RowShape()));
  RowRun run(command.row_run, command.rows, command.output, console, engine);
  if (!run.open(*input, loaded, finder)) return sum_up(command, labels, run.status());
  run.read_ahead(has_labels ? static_cast<RowSource&>(known) : *input);
  const Model ready = engine.ready(std::move(loaded), Workload::many);
  const WordExplainer explainer(command.zero_shot.classifier(ready, reading),
                                command.method.explaining(&ready.description));
  ExplanationLines writer(labels, command.output.ascii(), [&](const Row& row) {
    return command.method.towards(gold, has_labels ? row.label : std::nullopt);
  });
  return sum_up(command, labels, run.score(explain_with(explainer), writer, /*rows_at_once=*/4));
}

}  // namespace headlight
