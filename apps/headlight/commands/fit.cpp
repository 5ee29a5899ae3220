// headlight fit FILE -o DIR: trains a classifier on labelled rows.

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "commands/command.h"
#include "commands/fit_summary.h"
#include "commands/head_training.h"
#include "commands/start_cutting.h"
#include "commands/whole_training.h"
#include "help/next_step.h"
#include "options/engine_options.h"
#include "options/fit_options.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/training_options.h"
#include "report/training/fit_report.h"
#include "rows/fingerprint.h"
#include "training/directory/leftovers.h"
#include "training/directory/model_directory.h"
#include "training/head/classifier_start.h"
#include "training/rows/training_data.h"
#include "training/whole/fresh_model.h"

namespace headlight {
namespace {

struct FitCommand {
  RowOptions rows;
  ModelOptions model{"encoder"};
  TrainingOptions training;
  WholeTrainingOptions whole;
  ProgressOptions progress;
  EngineOptions engine_options;
  Console console;
  const CLI::App* command = nullptr;
  mutable Origin from;  // what the model is made from, as far as it was read

  int run() const {
    const Engine engine = engine_options.start(console);
    check();
    watch_signals();
    const std::optional<ModelPlace> bare = bare_config();
    whole.check(bare || trains_all(), bare.has_value());
    from = training.made_from(*command, engine.arithmetic());
    return bare ? train_bare(*bare) : train_model(engine);
  }

  /// Without labels, the model learns the vectors of a teacher and is an encoder alone.
  bool has_labels() const {
    return whole.teacher_vectors.empty() || rows.fields().label || training.data.is_regression;
  }

  bool trains_all() const {
    return training.part == TrainedPart::all ||
           (training.part == TrainedPart::automatic && !has_labels());
  }

  /// From a config without weights.
  int train_bare(const ModelPlace& place) const {
    if (training.part == TrainedPart::head) {
      throw Error(place.config, "has no weights, so there are no vectors for --train head",
                  "use --train all");
    }
    from.model = marks_of_files({place.config});
    FreshModel fresh(place, whole.vocabulary_size);
    const bool learns = fresh.needs_words();
    const auto key = [&](const TextInput& input) { return fresh.key_of(input); };
    const TrainingData data =
        read_data({fresh.model(), learns, key, [&](const auto& train) {
                     if (!learns) return;
                     fresh.learn_words(train);
                     console.note("learned a vocabulary of " +
                                  counted(fresh.model().description.vocab_size, "token"));
                   }});
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    if (stands_finished()) return compare_finished();
    summary().say_data(data);
    fresh.set_labels(data.rows.labels);
    Parameters parameters = fresh.random_weights(training.data.seed);
    FitReport report = summary().begin_report(data, fresh.model());
    report.layout = "native";
    const TrainingEnd end =
        whole_trainer().run({fresh.model(), true}, parameters, data.rows, from, report);
    if (end == TrainingEnd::stopped_at_once) return kSignalBase + caught_signal();
    fresh.model().weights = views_of(parameters.weights());
    const auto write_files = [&](ModelDirectory& directory) {
      directory.write("config.json", fresh.config());
      if (const std::string words = fresh.vocabulary_file(); !words.empty()) {
        directory.write("vocab.txt", words);
      } else {
        copy_tokenizer(fresh.model(), directory);
      }
      write_native_weights(fresh.model(), directory, whole.stored_as);
    };
    write(fresh.model(), data.rows, report, end, write_files);
    return finish(end, data, report);
  }

  /// From a model with weights: its last layer, or that and then all of it.
  int train_model(const Engine& engine) const {
    Model loaded = load_start();
    from.model = marks_of_files(loaded.files);
    StartCutting cutting(whole, directory_name(training.output), console);
    const TrainingData data =
        read_data({loaded, whole.vocabulary_size.has_value(), {}, [&](const auto& train) {
                     cutting.cut(train, loaded);
                   }});
    if (caught_signal() != 0) return kSignalBase + caught_signal();
    if (stands_finished()) return compare_finished();
    summary().say_data(data);
    ClassifierStart start(std::move(loaded), data.rows.labels);
    for (const std::string& note : start.notes()) console.note(note);
    FitReport report = summary().begin_report(data, start.model());
    report.notes.insert(report.notes.end(), start.notes().begin(), start.notes().end());
    const bool all = trains_all();
    TrainingOptions of_head = training;
    if (all) of_head.log.clear();
    const std::string changes = cutting.changes();
    const HeadTraining trainer{of_head, console, engine, progress.style(console), !all, changes};
    if (!has_labels()) {
      start.remove_head();
    } else if (!trainer.run(start, data.rows, report)) {
      return kSignalBase + caught_signal();
    }
    const TrainingEnd end = all ? train_all(start, data, report) : write_head(start, data, report);
    return finish(end, data, report);
  }

  /// After the last layer was fitted.
  TrainingEnd write_head(const ClassifierStart& start, const TrainingData& data,
                         FitReport& report) const {
    report.trained = "the last layer, on the vectors of the model (L-BFGS in float64)";
    const bool keeps = start.keeps_layout();
    report.layout = keeps ? "that of the start, " + start.model().family : "native";
    write(start.model(), data.rows, report, TrainingEnd::finished, [&](ModelDirectory& directory) {
      keeps ? write_with_new_head(start.model(), directory)
            : write_native(start.model(), directory);
    });
    return TrainingEnd::finished;
  }

  TrainingEnd train_all(ClassifierStart& start, const TrainingData& data, FitReport& report) const {
    report.layout = "native";
    report.strength.reset();
    Parameters parameters(start.model().description, start.model().weights);
    const TrainingEnd end =
        whole_trainer().run({start.model(), false}, parameters, data.rows, from, report);
    start.model().weights = views_of(parameters.weights());
    write(start.model(), data.rows, report, end, [&](ModelDirectory& directory) {
      write_native(start.model(), directory, whole.stored_as);
    });
    return end;
  }

  FitSummary summary() const { return {training, rows, *command, console}; }

  WholeTraining whole_trainer() const {
    return {training, whole, console, progress.style(console)};
  }

  /// A config without weights.
  std::optional<ModelPlace> bare_config() const {
    if (model.is_missing_preset()) return std::nullopt;
    const ModelPlace place = model.place();
    return place.weights.empty() ? std::optional(place) : std::nullopt;
  }

  int finish(TrainingEnd end, const TrainingData& data, const FitReport& report) const {
    if (end == TrainingEnd::finished) remove_leftovers(directory_name(training.output));
    summary().print(report);
    if (end == TrainingEnd::stopped) return kSignalBase + caught_signal();
    const std::string made = shell_path(training.output);
    say_next(console, has_labels() ? "headlight classify -m " + made + R"( "…")"
                                   : "headlight fit ROWS -m " + made + " -o my-model");
    return data.errors == 0 || training.errors_ok ? kSuccess : kTextErrors;
  }

  void check() const {
    rows.check();
    training.check();
    if (!has_labels()) whole.check_without_labels(training);
    if (has_labels() && rows.format() == RowFormat::text) {
      throw UsageError(shown_input(rows.file()) +
                       " is read as text lines, which have no labels; use --input-format jsonl, "
                       "csv or tsv");
    }
    refuse_directory(directory_name(training.output), may_replace() || stands_finished());
    refuse_foreign_files(directory_name(training.output), training.force);
  }

  /// A stopped run left its best state in the directory.
  bool may_replace() const {
    return training.force || (training.resume && whole_trainer().can_resume());
  }

  bool stands_finished() const {
    return training.resume && !may_replace() &&
           file_exists(directory_name(training.output) + "/config.json");
  }

  int compare_finished() const {
    check_finished(directory_name(training.output), from);
    remove_leftovers(directory_name(training.output));
    console.note(training.output + " is already complete");
    return kSuccess;
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

  /// `taught`: with what a teacher says of them.
  SpelledRows read_rows(const RowOptions& options, bool taught) const {
    const RowOptions chosen = has_labels() ? options : options.without_labels();
    const std::string teacher = taught ? whole.teacher_logits : "";
    const auto input = chosen.open(console, !teacher.empty());
    const std::string name = shown_input(options.file());
    SpelledRows read = read_spelled_rows(*input, name, {has_labels(), teacher});
    if (taught && !whole.teacher_vectors.empty()) {
      whole.check_vectors(*input, name);
      from.input["teacher vectors"] = model_hash(marks_of_files({whole.teacher_vectors}));
    }
    from.input[taught ? "training file" : "development file"] = mark_of_rows(*input);
    return read;
  }

  TrainingData read_data(const TextReading& reading) const {
    SpelledRows train = read_rows(rows, /*taught=*/true);
    std::optional<SpelledRows> dev;
    if (!training.dev.empty()) dev = read_rows(rows.of_file(training.dev), /*taught=*/false);
    if (caught_signal() != 0 || stands_finished()) return {};
    DataOptions options = training.data;
    options.has_labels = has_labels();
    return make_training_data(std::move(train), std::move(dev), options, reading);
  }

  /// `write_files` writes the config, the weights and the tokenizer.
  void write(const Model& made, const LabelledTexts& data, const FitReport& report, TrainingEnd end,
             const std::function<void(ModelDirectory&)>& write_files) const {
    ModelDirectory directory(directory_name(training.output), may_replace());
    write_files(directory);
    check_written(directory.folder(), made, data);
    if (report.figures && report.figures->temperature) {
      Calibration calibration;
      calibration.temperature = report.figures->temperature->temperature;
      directory.write("calibration.json", calibration_document(report.labels.names, calibration));
    }
    directory.write("README.md", fit_card(report));
    const std::string made_at = directory_name(training.output);
    if (end == TrainingEnd::finished) keep_fingerprint(directory.folder(), made_at, from);
    directory.place();
  }
};

}  // namespace

void add_fit(CLI::App& app, Runner& runner) {
  CLI::App* command =
      app.add_subcommand("fit", "Train a classifier on labelled rows and write its directory");
  const auto fit = std::make_shared<FitCommand>();
  fit->command = command;
  fit->rows.add_label_to(*command);
  fit->rows.add_to(*command);
  command->remove_option(command->get_option("--id"));  // no output names the rows
  fit->model.add_to(*command);
  fit->training.add_to(*command);
  fit->whole.add_to(*command);
  fit->progress.add_to(*command);
  fit->engine_options.add_threads_to(*command);
  fit->console.add_to(*command);
  command->footer(
      "Examples:\n"
      "  headlight fit tickets.csv --label topic -o my-model\n"
      "  headlight fit reviews.tsv --dev dev.tsv -m sentiment -o reviews");
  command->callback([fit, &runner] { runner = [fit] { return fit->run(); }; });
}

}  // namespace headlight
