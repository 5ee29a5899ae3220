// headlight batch FILE: a file of rows in, the same rows scored, in order, in constant memory.

#include <memory>

#include "base/interrupt.h"
#include "command.h"
#include "options.h"
#include "row_output_options.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

struct BatchCommand {
  RowOptions rows;
  RowOutputOptions row_output;
  bool row_errors_ok = false;
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  ViewOptions view;
  EngineOptions engine;
  OutputOptions output;

  int run() const {
    const std::size_t threads = engine.start(console);
    rows.check(/*writes_table=*/output.format() != "jsonl");
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const auto classifier = zero_shot.classifier(loaded, text.classifier_options(), console);
    PredictionView shown = view.view(classifier->labels());
    shown.windows = text.has_windows();
    RowWriter writer(classifier->labels(), row_output.layout(rows, output, shown));
    const auto input = rows.open(console, row_output.keeps());
    Result result(output, Unfinished::keep);
    watch_signals();
    ErrorCount errors;
    const auto write = [&](const ScoredRow& scored) {
      if (errors.rows() == 0) result.output().write(writer.header());
      errors.add(scored);
      result.output().write(writer.line(scored));
    };
    try {
      score_rows(*classifier, threads, EngineOptions::prepare(loaded, with_columns(input, writer)),
                 {write, [&] { result.output().flush(); }});
    } catch (const ClosedPipe&) {
      if (caught_signal() == 0) throw;  // else its reader takes nothing, and the signal counts
    }
    if (caught_signal() != 0) {
      complain("stopped after " + counted(errors.rows(), "row"));
      return kSignalBase + caught_signal();
    }
    const bool empty_table = errors.rows() == 0 && !input->reader().columns().empty();
    if (empty_table) result.output().write(writer.header());
    result.finish();
    console.note(counted(errors.rows(), "row") + " scored");
    errors.say(console, "row");
    return row_errors_ok ? kSuccess : errors.status();
  }
};

}  // namespace

void add_batch(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "batch", "Score a file: a row in, a row out, in order, in constant memory");
  const auto batch = std::make_shared<BatchCommand>();
  batch->rows.add_to(*command);
  batch->row_output.add_to(*command);
  command->add_flag("--row-errors-ok", batch->row_errors_ok,
                    "Rows with errors do not change the exit status");
  batch->model.add_to(*command);
  batch->text.add_reading_to(*command);
  batch->zero_shot.add_to(*command);
  batch->view.add_to(*command);
  batch->output.add_to(*command, {"jsonl", "csv", "tsv"});
  batch->engine.add_to(*command);
  batch->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight batch reviews.csv --text review --keep --format csv -o verdicts.csv\n"
      "  cat tickets.jsonl | headlight batch - --input-format jsonl --text body --id key --logits");
  command->callback([batch, &runner] { runner = [batch] { return batch->run(); }; });
}

}  // namespace headlight
