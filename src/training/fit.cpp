#include "training/fit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "encoder/forward.h"
#include "rows/fingerprint.h"
#include "training/auto/automatic_training.h"
#include "training/course/planned_course.h"
#include "training/cuts/start_cut.h"
#include "training/directory/model_directory.h"
#include "training/directory/training_facts.h"
#include "training/rows/teacher_vectors.h"
#include "training/trainings.h"
#include "training/whole/fresh_model.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A stopped run left its best state in the directory.
bool may_replace(const FitPlan& plan) {
  return plan.force || (plan.resume && has_checkpoint(plan));
}

bool is_complete(const FitPlan& plan) {
  return plan.resume && !may_replace(plan) && file_exists(plan.directory() + "/config.json");
}

/// The logits of each text, or the vectors of an encoder alone.
std::vector<float> outputs_of(const Model& model, std::span<const LabelledRow> rows) {
  const TextReader reader(model, {});
  Batch batch;
  for (const LabelledRow& row : rows) {
    const TokenIds tokens = reader.read(row.input).windows.front();
    batch.add(tokens.ids, tokens.type_ids);
  }
  Scratch scratch;
  const ConstMatrix x = model.weights.classifier
                            ? forward(model.description, model.weights, {batch, scratch})
                            : classifier_inputs(model.description, model.weights, {batch, scratch});
  std::vector<float> outputs;
  for (std::size_t i = 0; i < x.rows; ++i) {
    outputs.insert(outputs.end(), x.row(i).begin(), x.row(i).end());
  }
  return outputs;
}

/// Loads the finished model and compares its outputs for some rows with those of `made`. Throws
/// Error if they differ.
void check_written(const std::string& folder, const Model& made,
                   const std::vector<LabelledRow>& rows) {
  constexpr std::size_t kRows = 16;
  constexpr float kTolerance = 1e-3F;
  const auto some = std::span(rows).first(std::min(kRows, rows.size()));
  const auto expected = outputs_of(made, some);
  const auto found = outputs_of(load_model(locate_model(folder, "")), some);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float got = i < found.size() ? found[i] : NAN;
    if (std::abs(got - expected[i]) <= kTolerance * (1.0F + std::abs(expected[i]))) continue;
    throw Error(folder,
                "the written model gives other numbers than the trained one, so it was not kept; "
                "please report this");
  }
}

/// One run: reads the rows, trains and writes.
class Fitting {
 public:
  Fitting(const FitRows& files, const FitPlan& plan, const Engine& engine, FitWatch& watch)
      : files_(files), plan_(plan), run_{plan, engine, watch, plan.origin} {}

  /// From a config without weights.
  Fit train_bare(const ModelPlace& place) {
    if (plan_.part != TrainedPart::automatic && plan_.part != TrainedPart::all) {
      throw Error(place.config,
                  std::string("has no weights, so there are no vectors for --train ") +
                      word_for(plan_.part, kTrainedPartWords),
                  "use --train all");
    }
    run_.origin.model = marks_of_files({place.config});
    FreshModel fresh(place, plan_.vocabulary_size);
    plan_.set_reading(fresh.model().description);
    const bool learns = fresh.needs_words();
    const auto key = [&](const TextInput& input) { return fresh.key_of(input); };
    const auto learn = [&](const std::vector<const TextInput*>& train) {
      if (!learns) return;
      fresh.learn_words(train);
      run_.watch.note("learned a vocabulary of " +
                      counted(fresh.model().description.vocab_size, "token"));
    };
    if (!read_data({fresh.model(), learns, key, learn})) return made_;
    return write(headlight::train_bare(run_, std::move(fresh), std::move(data_.rows), made_));
  }

  /// Without layers, from a config or from none.
  Fit train_no_layers(const ModelPlace& place) {
    const bool is_own = place.config.empty();
    run_.origin.model = is_own ? Origin::Facts{{"static.json", mark_of(kStaticConfig)}}
                               : marks_of_files({place.config});
    StaticStart start = is_own ? static_start()
                               : StaticStart{.fresh = FreshModel(place, {}), .has_own_sizes = true};
    FreshModel& fresh = start.fresh;
    fresh.model().description.reads_windows = false;
    check_static(fresh.model().description, place.config);
    const bool learns = fresh.needs_words();
    const auto key = [&](const TextInput& input) { return fresh.key_of(input); };
    const auto learn = [&](const auto& train) {
      if (learns) fresh.learn_words(train);
    };
    if (!read_data({fresh.model(), learns, key, learn})) return made_;
    start.rows = std::move(data_.rows);
    return write(train_static(run_, std::move(start), made_));
  }

  /// Without layers, from the vectors that an encoder gives its tokens.
  Fit train_student(const Model& loaded) {
    note_start(loaded);
    StaticStart start = start_of_student(loaded);
    const auto learn = [](const auto&) {};
    if (!read_data({start.fresh.model(), false, {}, learn})) return made_;
    start.rows = std::move(data_.rows);
    return write(headlight::train_student(run_, loaded, std::move(start), made_));
  }

  /// From a model with weights: its last layer, or that and then all of it, or what is best.
  Fit train_model(Model loaded) {
    note_start(loaded);
    StartCut cutting(plan_, plan_.directory(), run_.watch);
    const auto cut = [&](const auto& train) { cutting.cut(train, loaded); };
    if (!read_data({loaded, plan_.vocabulary_size.has_value(), {}, cut})) return made_;
    if (plan_.tries_several()) {
      return write(train_automatically(run_, loaded, std::move(data_.rows), made_));
    }
    auto train = plan_.trains_all() ? train_all : train_last_layer;
    if (plan_.part == TrainedPart::contrastive) train = train_by_contrast;
    return write(train(run_, std::move(loaded), std::move(data_.rows), made_));
  }

 private:
  void note_start(const Model& start) {
    std::error_code ignored;
    if (fs::equivalent(start.place.path, plan_.output, ignored)) {
      throw Error(plan_.output, "is the model to start from", "choose another directory");
    }
    require_vocabulary(start, {});
    run_.origin.model = marks_of_files(start.files);
  }

  /// Returns false if there is nothing to train: after a signal, or if the same run has completed
  /// the directory.
  bool read_data(const TextReading& reading) {
    SpelledRows train = read_spelled_rows(files_.train, plan_.data, plan_.teacher_logits);
    if (!plan_.teacher_vectors.empty()) {
      require_vectors(plan_.teacher_vectors, files_.train);
      run_.origin.input["teacher vectors"] = model_hash(marks_of_files({plan_.teacher_vectors}));
    }
    if (plan_.data.earlier) run_.origin.input["numbers of"] = plan_.data.earlier->hash;
    run_.origin.input["training file"] = mark_of_rows(files_.train);
    std::optional<SpelledRows> dev;
    if (files_.dev != nullptr) {
      dev = read_spelled_rows(*files_.dev, plan_.data, "");
      run_.origin.input["development file"] = mark_of_rows(*files_.dev);
    }
    if (caught_signal() == 0 && is_complete(plan_)) {
      check_finished(plan_.directory(), run_.origin);
      remove_files_beside();
      run_.watch.note(plan_.output + " is already complete");
      made_.end = FitEnd::already_complete;
      return false;
    }
    if (caught_signal() == 0) {
      DataOptions options = plan_.data;
      // --train head promises the bytes of the plain split.
      options.holds_parts_together = plan_.data.has_labels && plan_.part != TrainedPart::head;
      data_ = make_training_data(std::move(train), std::move(dev), options, reading);
    }
    if (caught_signal() != 0) {
      made_.end = FitEnd::stopped_at_once;
      return false;
    }
    note_counts(reading.model);
    say_problems(data_, run_.watch);
    describe(reading.model);
    return true;
  }

  void note_counts(const Model& start) {
    const LabelledRows& rows = data_.rows;
    const bool is_classifier =
        rows.labels.problem_type != ProblemType::regression && !rows.labels.names.empty();
    const bool in_folds =
        plan_.tries_several() && !start.place.weights.empty() && scores_in_folds(plan_, rows);
    run_.watch.note((in_folds ? counted(rows.train.size() + rows.dev.size(), "row") +
                                    ", scored in " + std::to_string(kComparedFolds) + " folds"
                              : counted(rows.train.size(), "training row") + ", " +
                                    counted(rows.dev.size(), "development row")) +
                    (is_classifier ? ", " + counted(rows.labels.names.size(), "label") : ""));
  }

  void describe(const Model& start) {
    const LabelledRows& rows = data_.rows;
    made_.directory = plan_.output;
    made_.name = fs::path(plan_.directory()).filename().string();
    made_.start = start.place.name;
    made_.had_weights = !start.place.weights.empty();
    made_.architecture = architecture_line(start.description);
    made_.layout = "native";
    made_.file = files_.train.name();
    made_.file_mark = mark_of_rows(files_.train);
    for (const std::string& name : data_.files) made_.files.emplace_back(name, 0);
    const auto count = [&](const LabelledRow& row) { ++made_.files[row.file].second; };
    if (!made_.files.empty()) std::ranges::for_each(rows.train, count);
    if (!made_.files.empty() && files_.dev == nullptr) std::ranges::for_each(rows.dev, count);
    made_.earlier = plan_.data.earlier;
    made_.file_hash = input_hash(files_.train.name());
    made_.start_hash = model_hash(run_.origin.model);
    made_.program = plan_.origin.program.substr(0, plan_.origin.program.find('+'));
    made_.dev_file = files_.dev != nullptr ? files_.dev->name() : "";
    made_.dev_share = plan_.data.dev_share;
    made_.seed = plan_.data.seed;
    made_.command = plan_.command_line;
    made_.card_fields = plan_.card_fields;
    made_.train_rows = rows.train.size();
    made_.dev_rows = rows.dev.size();
    made_.errors = data_.errors;
    made_.labels = rows.labels;
    if (made_.labels.problem_type != ProblemType::regression) {
      made_.train_counts = label_counts(rows.train, rows.labels.names.size());
      made_.dev_counts = label_counts(rows.dev, rows.labels.names.size());
    }
    made_.notes = data_.notes;
  }

  Fit write(TrainedModel trained) {
    Fit& made = trained.made;
    if (made.end == FitEnd::stopped_at_once) return made;
    ModelDirectory directory(plan_.directory(), may_replace(plan_));
    directory.set_pairs(plan_.reads_pairs);
    Calibration fitted = made.figures ? made.figures->calibration : Calibration{};
    if (trained.divide_logits && fitted.temperature) {
      made.divisor = *std::exchange(fitted.temperature, std::nullopt);
      trained.divide_logits(static_cast<float>(made.divisor));
      made.notes.emplace_back(
          "the last layer is divided by the temperature, so that other programs, too, give the "
          "probabilities of headlight");
    }
    trained.write_files(directory);
    check_written(directory.folder(), *trained.model, trained.rows.train);
    if (fitted.temperature || !fitted.thresholds.empty()) {
      directory.write("calibration.json", calibration_document(made.labels.names, fitted));
    }
    if (plan_.data.has_labels) directory.write(kTrainingFile, to_json(training_facts(trained)));
    directory.write("README.md", run_.watch.card(made));
    const bool is_finished = made.end == FitEnd::finished;
    if (is_finished) keep_fingerprint(directory.folder(), plan_.directory(), run_.origin);
    directory.place();
    if (is_finished) remove_files_beside();
    return made;
  }

  /// Also those of another kind of training that was killed.
  void remove_files_beside() const {
    remove_leftovers(plan_.directory());
    for (const auto& word : kTrainedPartWords) {
      const std::string name = plan_.files_of(word.value);
      if (!is_named(name)) remove_leftovers(name);  // else they are of that model
    }
  }

  TrainingFacts training_facts(const TrainedModel& trained) const {
    const auto& [made, rows, model, write_files, divide_logits] = trained;
    TrainingFacts facts;
    facts.file = made.file;
    facts.file_mark = made.file_mark;
    std::vector<LabelledRow> used = rows.train;
    if (made.is_refitted) {
      used.insert(used.end(), rows.dev.begin(), rows.dev.end());
    } else if (made.dev_file.empty()) {
      for (const LabelledRow& row : rows.dev) facts.held_out.push_back(row.number);
    }
    if (made.dev_file.empty()) {
      for (const LabelledRow& row : rows.dev) facts.development.push_back(row.number);
    }
    if (made.figures) facts.score = made.figures->evaluation.measures.front().value;
    facts.rows_hash = hash_of_fitted_rows(rows.labels, std::move(used));
    facts.trains_all = !made.strength || made.encoder_is_trained || model->description.label_ngrams;
    facts.penalty = made.strength.value_or(plan_.penalty.value_or(kDefaultStrength));
    facts.divisor = made.divisor;
    facts.class_weights = plan_.class_weights;
    facts.problem_type = rows.labels.problem_type;
    facts.merged = data_.merged;
    return facts;
  }

  const FitRows& files_;
  const FitPlan& plan_;
  TrainingRun run_;
  TrainingData data_;
  Fit made_;
};

}  // namespace

bool FitPlan::trains_all() const {
  return part == TrainedPart::all || (part == TrainedPart::automatic && !data.has_labels);
}

std::string FitPlan::files_of(TrainedPart tried) const {
  return directory() + '.' + word_for(tried, kTrainedPartWords);
}

std::vector<std::string> FitPlan::file_names() const {
  std::vector<std::string> names = {directory()};
  if (!tries_several()) return names;
  for (const auto& word : kTrainedPartWords) names.push_back(files_of(word.value));
  return names;
}

bool FitPlan::tries_several() const { return part == TrainedPart::automatic && data.has_labels; }

void FitPlan::set_reading(Description& start) const {
  start.reads_windows = reads_windows.value_or(start.reads_windows);
}

std::string FitPlan::directory() const {
  constexpr int kMostLinks = 40;  // as the system follows
  std::string path = output;
  for (int links = 0;; ++links) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    std::error_code failure;
    const fs::path to = fs::read_symlink(path, failure);
    if (failure || links == kMostLinks) return path;
    path = (fs::path(path).parent_path() / to).string();
  }
}

void say_problems(TrainingData& data, FitWatch& watch) {
  for (const std::string& line : data.errors_seen) watch.warn(line);
  if (data.truncated > 0) {
    data.notes.push_back(counted(data.truncated, "text") +
                         " had too many tokens for the model; the rest was cut");
  }
  for (const std::string& note : data.notes) watch.note(note);
  watch.problems(data.problems);
}

void check_output(const FitPlan& plan) {
  refuse_directory(plan.directory(), may_replace(plan) || is_complete(plan));
  for (const std::string& name : plan.file_names()) {
    refuse_foreign_files(name, plan.force);
    refuse_partial_directory(name);
    refuse_partial_directory(name + ".start");
  }
}

Fit fit(FitStart start, const FitRows& rows, const FitPlan& plan, const Engine& engine,
        FitWatch& watch) {
  check_output(plan);
  if (start.model) plan.set_reading(start.model->description);
  Fitting fitting(rows, plan, engine, watch);
  const bool has_layers = plan.part != TrainedPart::no_layers;
  if (!has_layers && !start.model) return fitting.train_no_layers(start.bare);
  if (!has_layers) return fitting.train_student(*start.model);
  return start.model ? fitting.train_model(*std::move(start.model))
                     : fitting.train_bare(start.bare);
}

}  // namespace headlight
