#include "commands/explain_rows.h"

#include <new>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "commands/command.h"
#include "commands/row_run.h"
#include "inside/word_explainer.h"
#include "options/help_group.h"
#include "options/output_options.h"
#include "report/explanation/explanation_lines.h"
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
        static_cast<TextResult&>(*explained) = explained->explanation->prediction;
      } catch (const std::bad_alloc&) {
        explained->error = "needs more memory than there is";
      }
      return explained;
    });
  };
}

}  // namespace

void ExplainedRowsOptions::add_to(CLI::App& command) {
  rule(rows_.add_input_to(command))
      .excludes("TEXT or --pair", "whose place it takes")
      .excludes("--format html or json", "because it writes a line of JSONL per row");
  {
    const NeedOfAll all(command, "--input");
    rows_.add_reading_to(command);
    run_.resume.add_to(command);
    run_.errors.add_to(command);
    const HelpGroup group(command, kOutputGroup);
    rule(mark(add_value(command, "--summary FILE", words_,
                        "Also write the words that push each label most over the file of -o: JSON "
                        "if FILE ends in .json, else text; - is standard output")
                  ->check(not_empty()),
              Effect::nothing))
        .needs("-o FILE", "whose rows it reads");
  }
  run_.progress.add_to(command);
}

void ExplainedRowsOptions::check() const {
  if (!given()) return;
  is_json();  // refuses other endings
  rows_.check();
}

bool ExplainedRowsOptions::is_json() const {
  return format_for(words_, {OutputFormat::text, OutputFormat::json}, "--summary") ==
         OutputFormat::json;
}

int ExplainedRowsOptions::run(const Job& job, const Engine& engine, Model loaded) const {
  const ClassifierOptions reading = job.text.classifier_options();
  const LabelSet labels = job.zero_shot.labels(loaded, reading, job.console);
  const auto input = rows_.open(job.console);
  check_summary(words_, is_json() ? kJsonSummary : "rows   ", job.output);
  WholeRowFinder finder((RowShape()));
  RowRun run(run_, rows_, job.output, job.console, engine);
  if (!run.open(*input, loaded, finder)) return sum_up(job.output, kSuccess);
  run.read_ahead(*input);
  const Model ready = engine.ready(std::move(loaded), Workload::many);
  const WordExplainer explainer(job.zero_shot.classifier(ready, reading), job.method.explaining());
  ExplanationLines writer(labels, job.output.ascii());
  return sum_up(job.output, run.score(explain_with(explainer), writer, /*rows_at_once=*/4));
}

int ExplainedRowsOptions::sum_up(const OutputOptions& output, int status) const {
  if (words_.empty() || status > kSignalBase) return status;
  RowReading reading;
  reading.format = RowFormat::jsonl;
  reading.compression = compression_of(output.path());
  reading.keep = true;
  RowReader rows(output.path(), reading);
  ExplanationSummary summary;
  while (const std::optional<Row> row = rows.next()) summary.add(*row);
  const auto write = [&](JsonWriter& json) { summary.write(json); };
  const std::string document = is_json() ? json_document(output.ascii(), write) : summary.text();
  if (caught_signal() != 0) {  // not all rows may be in it
    complain("stopped before the summary was written; use --resume to write it");
    return kSignalBase + caught_signal();
  }
  if (words_ == "-") {
    Output standard(STDOUT_FILENO, "standard output");
    standard.write(document);
    standard.flush();
  } else {
    write_summary(words_, document);
  }
  return status;
}

}  // namespace headlight
