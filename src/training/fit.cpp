#include "training/fit.h"

#include <cmath>
#include <filesystem>
#include <functional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "encoder/forward.h"
#include "rows/fingerprint.h"
#include "training/cuts/start_cut.h"
#include "training/directory/model_directory.h"
#include "training/directory/training_facts.h"
#include "training/head/classifier_start.h"
#include "training/head/head_training.h"
#include "training/rows/teacher_vectors.h"
#include "training/static/static_training.h"
#include "training/static/token_vectors.h"
#include "training/whole/fresh_model.h"
#include "training/whole/whole_training.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A stopped run left its best state in the directory.
bool may_replace(const FitPlan& plan) {
  return plan.force || (plan.resume && file_exists(checkpoint_of(plan)));
}

bool is_complete(const FitPlan& plan) {
  return plan.resume && !may_replace(plan) && file_exists(plan.directory() + "/config.json");
}

/// "6 layers, hidden size 384, 12 heads, vocabulary of 30522"
std::string encoder_line(const Description& model) {
  std::string line =
      counted(model.layers.size(), "layer") + ", hidden size " + std::to_string(model.hidden_size);
  if (!model.layers.empty()) {
    line += ", " + counted(model.layers.front().heads.sizes.size(), "head");
  }
  return line + ", vocabulary of " + std::to_string(model.vocab_size);
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

/// One training.
class Fitting {
 public:
  Fitting(const FitRows& files, const FitPlan& plan, const Engine& engine, FitWatch& watch)
      : files_(files), plan_(plan), engine_(engine), watch_(watch), origin_(plan.origin) {}

  /// From a config without weights.
  Fit train_bare(const ModelPlace& place) {
    if (plan_.part == TrainedPart::head) {
      throw Error(place.config, "has no weights, so there are no vectors for --train head",
                  "use --train all");
    }
    origin_.model = marks_of_files({place.config});
    FreshModel fresh(place, plan_.vocabulary_size);
    const bool learns = fresh.needs_words();
    const auto key = [&](const TextInput& input) { return fresh.key_of(input); };
    const auto learn = [&](const std::vector<const TextInput*>& train) {
      if (!learns) return;
      fresh.learn_words(train);
      watch_.note("learned a vocabulary of " +
                  counted(fresh.model().description.vocab_size, "token"));
    };
    if (!read_data({fresh.model(), learns, key, learn})) return made_;
    fresh.set_labels(data_.rows.labels);
    Parameters parameters = random_start(fresh.model().description, plan_.data.seed);
    train_all(parameters, /*is_fresh=*/true);
    if (made_.end == FitEnd::stopped_at_once) return made_;
    fresh.model().weights = parameters.weights();
    write_fresh(fresh);
    return made_;
  }

  /// Without layers, from a config or from none.
  Fit train_no_layers(ModelPlace place) {
    const bool is_own = place.config.empty();
    if (is_own) place = {"static", "static.json", "static.json", "", ""};
    origin_.model = is_own ? Origin::Facts{{place.config, mark_of(kStaticConfig)}}
                           : marks_of_files({place.config});
    StaticStart start{.fresh = FreshModel(place, {}, is_own ? kStaticConfig : ""),
                      .has_own_sizes = !is_own,
                      .may_read_words = is_own};
    FreshModel& fresh = start.fresh;
    check_static(fresh.model().description, place.config);
    const bool learns = fresh.needs_words();
    const auto key = [&](const TextInput& input) { return fresh.key_of(input); };
    const auto learn = [&](const auto& train) {
      if (learns) fresh.learn_words(train);
    };
    if (!read_data({fresh.model(), learns, key, learn})) return made_;
    return train_static(start);
  }

  /// Without layers, from the vectors that an encoder gives its tokens.
  Fit train_student(Model loaded) {
    note_start(loaded);
    StaticStart start{FreshModel(with_own_reading(loaded), kStaticConfig)};
    const auto learn = [](const auto&) {};
    if (!read_data({start.fresh.model(), false, {}, learn})) return made_;
    ClassifierStart encoder(std::move(loaded));
    encoder.model() = engine_.ready(std::move(encoder.model()), Workload::many);
    auto vectors =
        token_vectors(encoder.model(), data_.rows, start.fresh.model().description.hidden_size,
                      plan_, engine_, watch_);
    if (!vectors) {
      made_.end = FitEnd::stopped_at_once;
      return made_;
    }
    start.vectors = *std::move(vectors);
    return train_static(start);
  }

  /// From a model with weights: its last layer, or that and then all of it.
  Fit train_model(Model loaded) {
    note_start(loaded);
    StartCut cutting(plan_, plan_.directory(), watch_);
    const auto cut = [&](const auto& train) { cutting.cut(train, loaded); };
    if (!read_data({loaded, plan_.vocabulary_size.has_value(), {}, cut})) return made_;
    ClassifierStart start(std::move(loaded), data_.rows.labels);
    if (start.reads_otherwise()) read_tokens_again(start.model(), data_.rows);
    for (const std::string& note : start.notes()) watch_.note(note);
    made_.notes.insert(made_.notes.end(), start.notes().begin(), start.notes().end());
    const bool all = plan_.trains_all();
    if (!plan_.data.has_labels) {
      start.remove_head();
    } else if (!HeadTraining{plan_, engine_, watch_, !all}.run(start, data_.rows, made_)) {
      made_.end = FitEnd::stopped_at_once;
      return made_;
    }
    if (!all) return write_head(start);
    made_.strength.reset();
    Parameters parameters(start.model().description, start.model().weights);
    train_all(parameters, /*is_fresh=*/false);
    start.model().weights = parameters.weights();
    write(start.model(), [&](ModelDirectory& directory) {
      write_native(start.model(), directory, plan_.stored_as);
    });
    return made_;
  }

 private:
  void note_start(const Model& start) {
    std::error_code ignored;
    if (fs::equivalent(start.place.path, plan_.output, ignored)) {
      throw Error(plan_.output, "is the model to start from", "choose another directory");
    }
    require_vocabulary(start, {});
    origin_.model = marks_of_files(start.files);
  }

  /// Returns false if there is nothing to train: after a signal, or if the same run has completed
  /// the directory.
  bool read_data(const TextReading& reading) {
    SpelledRows train = read_spelled_rows(files_.train, plan_.data, plan_.teacher_logits);
    if (!plan_.teacher_vectors.empty()) {
      require_vectors(plan_.teacher_vectors, files_.train);
      origin_.input["teacher vectors"] = model_hash(marks_of_files({plan_.teacher_vectors}));
    }
    origin_.input["training file"] = mark_of_rows(files_.train);
    std::optional<SpelledRows> dev;
    if (files_.dev != nullptr) {
      dev = read_spelled_rows(*files_.dev, plan_.data, "");
      origin_.input["development file"] = mark_of_rows(*files_.dev);
    }
    if (caught_signal() == 0 && is_complete(plan_)) {
      check_finished(plan_.directory(), origin_);
      remove_leftovers(plan_.directory());
      watch_.note(plan_.output + " is already complete");
      made_.end = FitEnd::already_complete;
      return false;
    }
    if (caught_signal() == 0) {
      data_ = make_training_data(std::move(train), std::move(dev), plan_.data, reading);
    }
    if (caught_signal() != 0) {
      made_.end = FitEnd::stopped_at_once;
      return false;
    }
    note_counts();
    say_problems(data_, watch_);
    describe(reading.model);
    return true;
  }

  void note_counts() {
    const LabelledRows& rows = data_.rows;
    const bool is_classifier =
        rows.labels.problem_type != ProblemType::regression && !rows.labels.names.empty();
    watch_.note(counted(rows.train.size(), "training row") + ", " +
                counted(rows.dev.size(), "development row") +
                (is_classifier ? ", " + counted(rows.labels.names.size(), "label") : ""));
  }

  void describe(const Model& start) {
    const LabelledRows& rows = data_.rows;
    made_.directory = plan_.output;
    made_.name = fs::path(plan_.directory()).filename().string();
    made_.start = start.place.name;
    made_.had_weights = !start.place.weights.empty();
    made_.architecture = encoder_line(start.description);
    made_.layout = "native";
    made_.file = files_.train.name();
    made_.file_mark = mark_of_rows(files_.train);
    made_.file_hash = input_hash(files_.train.name());
    made_.start_hash = model_hash(origin_.model);
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

  Fit train_static(StaticStart& start) {
    start.rows = std::move(data_.rows);
    StaticTraining training(plan_, watch_);  // owns the weights
    made_.end = training.run(start, made_);
    data_.rows = std::move(start.rows);
    if (made_.end == FitEnd::stopped_at_once) return made_;
    made_.architecture = encoder_line(start.fresh.model().description);
    write_fresh(start.fresh);
    return made_;
  }

  void train_all(Parameters& parameters, bool is_fresh) {
    const WholeTraining training{plan_, origin_, is_fresh, watch_};
    made_.end = training.run(parameters, data_.rows, made_);
  }

  void write_fresh(const FreshModel& fresh) {
    write(fresh.model(), [&](ModelDirectory& directory) {
      fresh.write(directory);
      write_native_weights(fresh.model(), directory, plan_.stored_as);
    });
  }

  Fit write_head(const ClassifierStart& start) {
    made_.trained = "the last layer, on the vectors of the model (L-BFGS in float64)";
    if (start.keeps_layout()) made_.layout = "that of the start, " + start.model().family;
    write(start.model(), [&](ModelDirectory& directory) {
      start.keeps_layout() ? write_with_new_head(start.model(), directory)
                           : write_native(start.model(), directory);
    });
    return made_;
  }

  /// `write_files` writes the config, the weights and the tokenizer.
  void write(const Model& made, const std::function<void(ModelDirectory&)>& write_files) {
    ModelDirectory directory(plan_.directory(), may_replace(plan_));
    write_files(directory);
    check_written(directory.folder(), made, data_.rows.train);
    const Calibration fitted = made_.figures ? made_.figures->calibration : Calibration{};
    if (fitted.temperature || !fitted.thresholds.empty()) {
      directory.write("calibration.json", calibration_document(made_.labels.names, fitted));
    }
    if (plan_.data.has_labels) directory.write(kTrainingFile, to_json(training_facts()));
    directory.write("README.md", watch_.card(made_));
    const bool is_finished = made_.end == FitEnd::finished;
    if (is_finished) keep_fingerprint(directory.folder(), plan_.directory(), origin_);
    directory.place();
    if (is_finished) remove_leftovers(plan_.directory());
  }

  /// Takes the rows.
  TrainingFacts training_facts() {
    LabelledRows& rows = data_.rows;
    TrainingFacts facts;
    facts.file = made_.file;
    facts.file_mark = made_.file_mark;
    std::vector<LabelledRow> used = std::move(rows.train);
    if (made_.is_refitted) {
      used.insert(used.end(), rows.dev.begin(), rows.dev.end());
    } else if (made_.dev_file.empty()) {
      for (const LabelledRow& row : rows.dev) facts.held_out.push_back(row.number);
    }
    facts.rows_hash = hash_of_fitted_rows(rows.labels, std::move(used));
    facts.trains_all = !made_.strength;
    facts.penalty = made_.strength.value_or(plan_.penalty.value_or(kDefaultStrength));
    facts.class_weights = plan_.class_weights;
    facts.problem_type = rows.labels.problem_type;
    return facts;
  }

  const FitRows& files_;
  const FitPlan& plan_;
  const Engine& engine_;
  FitWatch& watch_;
  Origin origin_;  // of the model, as far as its files were read
  TrainingData data_;
  Fit made_;
};

}  // namespace

bool FitPlan::trains_all() const {
  return part == TrainedPart::all || (part == TrainedPart::automatic && !data.has_labels);
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
  refuse_foreign_files(plan.directory(), plan.force);
}

Fit fit(FitStart start, const FitRows& rows, const FitPlan& plan, const Engine& engine,
        FitWatch& watch) {
  check_output(plan);
  Fitting fitting(rows, plan, engine, watch);
  const bool has_layers = plan.part != TrainedPart::no_layers;
  if (!has_layers && !start.model) return fitting.train_no_layers(std::move(start.bare));
  if (!has_layers) return fitting.train_student(*std::move(start.model));
  return start.model ? fitting.train_model(*std::move(start.model))
                     : fitting.train_bare(start.bare);
}

}  // namespace headlight
