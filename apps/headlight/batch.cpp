// headlight batch FILE: a file of rows in, the same rows scored, in order, in constant memory.

#include <algorithm>
#include <functional>
#include <memory>

#include <sys/stat.h>

#include "base/interrupt.h"
#include "command.h"
#include "options.h"
#include "row_output_options.h"
#include "row_run.h"
#include "text_options.h"
#include "zero_shot_options.h"

namespace headlight {
namespace {

RowShape shape_of(const RowLayout& layout) {
  const bool header = layout.header && is_table(layout.format);
  return {layout.format, header, layout.null, layout.view.prefix + "error"};
}

/// How much of a regular file was read, from 0 to 1; nothing for a pipe.
std::function<double()> share_read(const std::shared_ptr<OpenRows>& rows) {
  struct stat status {};
  if (::fstat(rows->descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const auto size = static_cast<double>(std::max<off_t>(status.st_size, 1));
  return [rows, size] { return static_cast<double>(rows->reader().position()) / size; };
}

struct BatchCommand {
  RowOptions rows;
  RowOutputOptions row_output;
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  ViewOptions view;
  EngineOptions engine;
  OutputOptions output;
  RunOptions options;

  int run() const {
    const std::size_t threads = engine.start(console);
    rows.check(/*writes_table=*/output.format() != "jsonl");
    Model loaded = model.load(console);
    engine.set_precision(loaded, console);
    const auto classifier = zero_shot.classifier(loaded, text.classifier_options(), console);
    PredictionView shown = view.view(classifier->labels());
    shown.windows = text.has_windows();
    const RowLayout layout = row_output.layout(rows, output, shown);
    RowWriter writer(classifier->labels(), layout);
    const auto input = rows.open(console, row_output.keeps());
    const ModelMarks marks(loaded);
    RowResult result = options.resume.open(output, shape_of(layout), marks, rows.file());
    if (result.is_finished()) {
      console.note(output.path() + " is whole already");
      return kSuccess;
    }
    watch_signals();
    const auto nothing = [&]() -> std::string {
      if (input->reader().found_nothing()) return "";
      writer.take_columns(input->reader().columns());
      return writer.header();
    };
    return run_rows(options, console, result,
                    {*classifier, threads, loaded, marks, with_columns(input, writer),
                     share_read(input), [&] { return writer.header(); },
                     [&](const ScoredRow& row) { return writer.line(row); }, nothing});
  }
};

}  // namespace

void add_batch(CLI::App& app, Runner& runner) {
  CLI::App* command = app.add_subcommand(
      "batch", "Score a file: a row in, a row out, in order, in constant memory");
  const auto batch = std::make_shared<BatchCommand>();
  batch->rows.add_to(*command);
  batch->row_output.add_to(*command);
  batch->model.add_to(*command);
  batch->text.add_reading_to(*command);
  batch->zero_shot.add_to(*command);
  batch->view.add_to(*command);
  batch->output.add_to(*command, {"jsonl", "csv", "tsv"});
  batch->options.add_to(*command);
  batch->engine.add_to(*command);
  batch->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight batch reviews.csv --text review --keep --format csv -o verdicts.csv\n"
      "  cat tickets.jsonl | headlight batch - --input-format jsonl --text body --id key --logits");
  command->callback([batch, &runner] { runner = [batch] { return batch->run(); }; });
}

}  // namespace headlight
