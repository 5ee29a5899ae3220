// headlight fit FILE -o DIR: trains a classifier on labelled rows.

#include <filesystem>
#include <memory>
#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "command.h"
#include "engine_options.h"
#include "head_training.h"
#include "next_step.h"
#include "options.h"
#include "report/models/model_report.h"
#include "report/training/fit_report.h"
#include "row_options.h"
#include "training/classifier_start.h"
#include "training/model_directory.h"
#include "training/training_data.h"
#include "training_options.h"

namespace headlight {
namespace {

std::string shown_input(const std::string& file) { return file == "-" ? "standard input" : file; }

/// "6 layers, hidden size 384, 12 heads, mean pooling"
std::string encoder_line(const Description& model) {
  std::string line =
      counted(model.layers.size(), "layer") + ", hidden size " + std::to_string(model.hidden_size);
  if (!model.layers.empty()) {
    line += ", " + counted(model.layers.front().heads.sizes.size(), "head");
  }
  return line + ", vocabulary of " + std::to_string(model.vocab_size);
}

struct FitCommand {
  RowOptions rows;
  ModelOptions model{"encoder"};
  TrainingOptions training;
  ProgressOptions progress;
  EngineOptions engine_options;
  Console console;
  const CLI::App* command = nullptr;

  int run() const {
    const Engine engine = engine_options.start(console);
    check();
    Model loaded = load_start();
    watch_signals();
    TrainingData data = read_data(loaded);
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    say_data(data);
    ClassifierStart start(std::move(loaded));
    for (const std::string& note : start.notes()) console.note(note);
    FitReport report = begin_report(data, start);
    LinearHead head;
    const HeadTraining trainer{training, console, engine, progress.style(console)};
    if (!trainer.run(start, data.rows, head, report)) return kSignalBase + caught_signal();
    write(start, data.rows, report);
    trainer.clean();
    print(report);
    say_next(console, "headlight classify -m " + shell_path(training.output) + R"( "…")");
    return data.errors == 0 || training.errors_ok ? kSuccess : kTextErrors;
  }

  void check() const {
    rows.check();
    training.check();
    if (rows.format() == RowFormat::text) {
      throw UsageError(shown_input(rows.file()) +
                       " is read as text lines, which have no labels; use --input-format jsonl, "
                       "csv or tsv");
    }
    refuse_directory(directory_name(training.output), training.force);
  }

  Model load_start() const {
    if (model.is_missing_preset()) {
      throw UsageError(
          "no model is named, and no model named encoder is installed; -m names the "
          "model to start from");
    }
    Model loaded = model.load(console);
    std::error_code ignored;
    if (std::filesystem::equivalent(loaded.place.path, training.output, ignored)) {
      throw Error(training.output, "is the model to start from", "choose another directory");
    }
    require_vocabulary(loaded, {});
    return loaded;
  }

  /// Rows whose texts the model can read.
  SpelledRows read_rows(const RowOptions& options, const Model& loaded) const {
    const auto input = options.open(console);
    SpelledRows read = read_spelled_rows(*input, shown_input(options.file()));
    const TextReader reader(loaded, {});
    keep_readable(reader, read);
    return read;
  }

  TrainingData read_data(const Model& loaded) const {
    SpelledRows train = read_rows(rows, loaded);
    std::optional<SpelledRows> dev;
    if (!training.dev.empty()) dev = read_rows(rows.of_file(training.dev), loaded);
    if (caught_signal() != 0) return {};
    return make_training_data(std::move(train), std::move(dev), training.data);
  }

  void say_data(const TrainingData& data) const {
    const LabelledTexts& found = data.rows;
    const bool regression = found.labels.problem_type == ProblemType::regression;
    console.note(counted(found.train.size(), "training row") + ", " +
                 counted(found.dev.size(), "development row") +
                 (regression ? "" : ", " + counted(found.labels.names.size(), "label")));
    for (const std::string& line : data.errors_seen) complain(line);
    for (const std::string& note : data.notes) console.note(note);
    if (data.truncated > 0) {
      console.note(counted(data.truncated, "text") +
                   " had too many tokens for the model and were cut");
    }
  }

  FitReport begin_report(const TrainingData& data, const ClassifierStart& start) const {
    FitReport report;
    report.directory = training.output;
    report.name = std::filesystem::path(directory_name(training.output)).filename().string();
    report.start = start.model().place.name;
    report.trained = "the last layer, on the vectors of the model (L-BFGS in float64)";
    report.layout = start.keeps_layout() ? "that of the start, " + start.model().family : "native";
    report.architecture = encoder_line(start.model().description);
    report.file = shown_input(rows.file());
    report.dev_file = training.dev;
    report.dev_share = training.data.dev_share;
    report.seed = training.data.seed;
    report.command = training_command(*command, rows.file());
    report.train_rows = data.rows.train.size();
    report.dev_rows = data.rows.dev.size();
    report.errors = data.errors;
    report.is_refitted = training.dev.empty() && report.dev_rows > 0;
    report.labels = data.rows.labels;
    if (report.labels.problem_type != ProblemType::regression) {
      report.train_counts = label_counts(data.rows.train, report.labels.names.size());
      report.dev_counts = label_counts(data.rows.dev, report.labels.names.size());
    }
    report.notes = data.notes;
    report.notes.insert(report.notes.end(), start.notes().begin(), start.notes().end());
    return report;
  }

  void write(const ClassifierStart& start, const LabelledTexts& data,
             const FitReport& report) const {
    ModelDirectory directory(training.output, training.force);
    if (start.keeps_layout()) {
      write_with_new_head(start.model(), directory);
    } else {
      write_native(start.model(), directory);
    }
    check_written(directory.folder(), start.model(), data);
    if (report.figures && report.figures->temperature) {
      Calibration calibration;
      calibration.temperature = report.figures->temperature->temperature;
      std::string document;
      JsonWriter json(document);
      json.begin_object();
      write_calibration(json, report.labels.names, calibration);
      json.end_object();
      directory.write("calibration.json", document + '\n');
    }
    directory.write("README.md", fit_card(report));
    directory.place();
  }

  void print(const FitReport& report) const {
    std::string document;
    if (training.is_json) {
      JsonWriter json(document);
      write_fit(json, report);
      document += '\n';
    } else {
      document = fit_text(report);
    }
    Output output(STDOUT_FILENO, "standard output");
    output.write(document);
    output.flush();
    console.note("wrote " + training.output);
  }
};

}  // namespace

void add_fit(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("fit", "Train a classifier on labelled rows and write its directory");
  const auto fit = std::make_shared<FitCommand>();
  fit->command = command;
  fit->rows.add_to(*command);
  fit->rows.add_label_to(*command);
  fit->model.add_to(*command);
  fit->training.add_to(*command);
  fit->progress.add_to(*command);
  fit->engine_options.add_threads_to(*command);
  fit->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight fit tickets.csv --label topic -m ./all-MiniLM-L6-v2 -o my-model\n"
      "  headlight fit reviews.tsv --dev dev.tsv -m sentiment --class-weights balanced -o reviews");
  command->callback([fit, &runner] { runner = [fit] { return fit->run(); }; });
}

}  // namespace headlight
