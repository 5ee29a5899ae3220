// headlight batch FILE: a file of rows in, the same rows scored, in order, in constant memory.

#include <memory>

#include "base/interrupt.h"
#include "command.h"
#include "options.h"
#include "report/json_writer.h"
#include "row_options.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

struct BatchCommand {
  RowOptions rows;
  bool logits = false;
  bool probabilities = false;
  bool echo_text = false;
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
    rows.check();
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const auto classifier = zero_shot.classifier(loaded, text.classifier_options(), console);
    PredictionView shown = view.view(classifier->labels());
    shown.logits = logits;
    shown.probabilities = probabilities;
    const RowSupply supply = rows.rows(console);
    Result result(output, Unfinished::keep);
    watch_signals();
    ErrorCount errors;
    const auto write = [&](const ScoredRow& scored) {
      errors.add(scored);
      result.output().write(line(classifier->labels(), scored, shown));
    };
    try {
      score_rows(*classifier, threads, EngineOptions::prepare(loaded, supply),
                 {write, [&] { result.output().flush(); }});
    } catch (const ClosedPipe&) {
      if (caught_signal() == 0) throw;  // else its reader takes nothing, and the signal counts
    }
    if (caught_signal() != 0) {
      complain("stopped after " + counted(errors.rows(), "row"));
      return kSignalBase + caught_signal();
    }
    result.finish();
    console.note(counted(errors.rows(), "row") + " scored");
    errors.say(console, "row");
    return row_errors_ok ? kSuccess : errors.status();
  }

  std::string line(const LabelSet& labels, const ScoredRow& scored,
                   const PredictionView& shown) const {
    std::string document;
    JsonWriter json(document, output.ascii());
    const RowId& id = scored.row.id;
    json.begin_object().key("id");
    if (id.is_string) {
      json.string(id.text);
    } else {
      json.raw(id.text);
    }
    if (echo_text) {
      json.field("text", scored.row.input.text);
      if (scored.row.input.pair) json.field("pair", *scored.row.input.pair);
    }
    write_prediction(json, labels, scored.prediction, shown);
    json.end_object();
    return document + '\n';
  }
};

void add_row_options(CLI::App& command, BatchCommand& batch) {
  batch.rows.add_to(command);
  command.add_flag("--logits", batch.logits, "Write the logits");
  command.add_flag("--probabilities", batch.probabilities, "Write the probability of each label");
  command.add_flag("--echo-text", batch.echo_text, "Write the text");
  command.add_flag("--row-errors-ok", batch.row_errors_ok,
                   "Rows with errors do not change the exit status");
}

}  // namespace

void add_batch(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "batch", "Score a file: a row in, a row out, in order, in constant memory");
  const auto batch = std::make_shared<BatchCommand>();
  add_row_options(*command, *batch);
  batch->model.add_to(*command);
  batch->text.add_reading_to(*command);
  batch->zero_shot.add_to(*command);
  batch->view.add_to(*command);
  batch->output.add_to(*command, {"jsonl"});
  batch->engine.add_to(*command);
  batch->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight batch reviews.txt -o verdicts.jsonl\n"
      "  cat tickets.jsonl | headlight batch - --input-format jsonl --text body --id key --logits");
  command->callback([batch, &runner] { runner = [batch] { return batch->run(); }; });
}

}  // namespace headlight
