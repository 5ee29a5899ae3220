#include "training/fit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/interrupt.h"
#include "base/placing.h"
#include "base/utf8.h"
#include "classifier/classifier.h"
#include "classifier/text_reader.h"
#include "encoder/forward.h"
#include "rows/fingerprint.h"
#include "training/directory/model_directory.h"
#include "training/directory/training_facts.h"
#include "training/rows/corrections.h"
#include "training/rows/teacher_vectors.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A stopped run left its best state in the directory.
bool may_replace(const OutputPlace& place) {
  return place.force || (place.resume && has_checkpoint(place));
}

bool is_complete(const OutputPlace& place) {
  return place.resume && !may_replace(place) && file_exists(place.directory() + "/config.json");
}

/// The name that files beside the directory begin with, for each way that others may try.
std::vector<std::string> names_of_ways(const OutputPlace& place) {
  std::vector<std::string> names;
  for (const auto& way : ways_of({})) names.push_back(place.of_way(way->word).output);
  return names;
}

/// "6 layers, hidden size 384, 12 heads, vocabulary of 30522"
std::string architecture_line(const Model& made) {
  const Description& model = made.description;
  if (made.features) {
    const auto [name, value] = made.features->sizes().front();
    return value + ' ' + name;
  }
  std::string line =
      counted(model.layers.size(), "layer") + ", hidden size " + std::to_string(model.hidden_size);
  if (!model.layers.empty()) {
    line += ", " + counted(model.layers.front().heads.sizes.size(), "head");
  }
  return line + ", vocabulary of " + std::to_string(model.vocab_size);
}

std::vector<float> logits_of(const Model& model, std::span<const LabelledRow> rows) {
  const auto classifier = make_classifier(model, {});
  ScoringScratch scratch;
  std::vector<float> logits;
  for (const LabelledRow& row : rows) {
    const Prediction found = classifier->classify(std::span(&row.input, 1), scratch).front();
    logits.insert(logits.end(), found.logits.begin(), found.logits.end());
  }
  return logits;
}

/// The logits of each text, or the vectors of an encoder alone.
std::vector<float> outputs_of(const Model& model, std::span<const LabelledRow> rows) {
  if (model.features) return logits_of(model, rows);
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
  Fitting(const FitRows& files, const FitRequest& request, const Engine& engine, FitWatch& watch)
      : files_(files), request_(request), run_{request.place,
                                               request.data,
                                               engine,
                                               watch,
                                               request.origin,
                                               files.train.name(),
                                               request.class_weights} {}

  Fit fit(FitStart start) {
    if (start.model) refuse_start(*start.model);
    const bool has_weights = start.model.has_value();
    const TrainingWay& way = way_for(*request_.way, has_weights, request_.data.has_labels);
    const auto training = way.begin(std::move(start), run_);
    run_.origin.model = training->marks();
    Fit made;
    const TextReading reading = training->reading();
    made.end = read_data(way, reading);
    if (made.end != FitEnd::finished) return made;
    note_counts(way);
    say_problems(data_, run_.watch);
    made.start = reading.model.place.name;
    made.had_weights = !reading.model.place.weights.empty();
    describe_rows(made);
    describe_origin(made);
    static_cast<Learned&>(made) = training->learn(run_, std::move(data_.rows));
    if (made.end == FitEnd::stopped_at_once) return made;
    describe_result(made);
    write(made);
    made.training.reset();
    return made;
  }

 private:
  void refuse_start(const Model& start) const {
    std::error_code ignored;
    if (fs::equivalent(start.place.path, request_.place.output, ignored)) {
      throw Error(request_.place.output, "is the model to start from", "choose another directory");
    }
    require_vocabulary(start, {});
  }

  /// stopped_at_once after a signal; already_complete if the same run has completed the directory.
  FitEnd read_data(const TrainingWay& way, const TextReading& reading) {
    const TeacherSettings& teacher = way.teacher;
    DataOptions options = request_.data;
    SpelledRows train = read_spelled_rows(files_.train, options, teacher.logits);
    Origin::Facts& input = run_.origin.input;
    if (!teacher.vectors.empty()) {
      require_vectors(teacher.vectors, files_.train);
      input["teacher vectors"] = model_hash(marks_of_files({teacher.vectors}));
    }
    if (options.earlier) input["numbers of"] = options.earlier->hash;
    input["training file"] = mark_of_rows(files_.train);
    if (files_.checked != nullptr) {
      corrections_ = read_corrections(*files_.checked, input["training file"], train.file);
      input["checked file"] = mark_of_rows(*files_.checked);
      run_.watch.note(counted(correct_labels(corrections_, train), "label") + " changed as " +
                      files_.checked->name() + " says");
    }
    std::optional<SpelledRows> dev;
    if (files_.dev != nullptr) {
      dev = read_spelled_rows(*files_.dev, options, "");
      input["development file"] = mark_of_rows(*files_.dev);
    }
    if (!is_interrupted() && is_complete(request_.place)) {
      check_finished(request_.place.directory(), run_.origin);
      remove_files_beside(request_.place);
      run_.watch.note(request_.place.output + " is already complete");
      return FitEnd::already_complete;
    }
    if (!is_interrupted()) {
      data_ = make_training_data(std::move(train), std::move(dev), options, reading);
    }
    return !is_interrupted() ? FitEnd::finished : FitEnd::stopped_at_once;
  }

  void note_counts(const TrainingWay& way) {
    const LabelledRows& rows = data_.rows;
    const bool is_classifier =
        rows.labels.problem_type != ProblemType::regression && !rows.labels.names.empty();
    const std::size_t folds = way.folds ? way.folds(rows, request_.data) : 0;
    run_.watch.note((folds > 0 ? counted(rows.train.size() + rows.dev.size(), "row") +
                                     ", scored in " + std::to_string(folds) + " folds"
                               : counted(rows.train.size(), "training row") + ", " +
                                     counted(rows.dev.size(), "development row")) +
                    (is_classifier ? ", " + counted(rows.labels.names.size(), "label") : ""));
  }

  void describe_rows(FitRowFacts& made) const {
    const LabelledRows& rows = data_.rows;
    made.file = files_.train.name();
    made.file_mark = mark_of_rows(files_.train);
    made.file_hash = input_hash(files_.train.name());
    for (const std::string& name : data_.files) made.files.emplace_back(name, 0);
    const auto count = [&](const LabelledRow& row) { ++made.files[row.file].second; };
    if (!made.files.empty()) std::ranges::for_each(rows.train, count);
    if (!made.files.empty() && files_.dev == nullptr) std::ranges::for_each(rows.dev, count);
    made.earlier = request_.data.earlier;
    made.dev_file = files_.dev != nullptr ? files_.dev->name() : "";
    made.dev_share = request_.data.dev_share;
    made.seed = request_.data.seed;
    made.errors = data_.errors;
  }

  void describe_origin(FitProvenance& made) const {
    made.directory = request_.place.output;
    made.name = fs::path(request_.place.directory()).filename().string();
    made.start_hash = model_hash(run_.origin.model);
    made.program = request_.origin.program.substr(0, request_.origin.program.find('+'));
    made.command = request_.command_line;
    made.card_fields = request_.card_fields;
  }

  /// What is known once the rows were learned.
  void describe_result(Fit& made) const {
    made.notes.insert(made.notes.begin(), data_.notes.begin(), data_.notes.end());
    made.architecture = architecture_line(made.training->model());
    made.labels = made.rows.labels;
    const bool is_folded = made.folds > 0;
    made.train_rows = made.rows.train.size();
    if (!made.training->model().features) {
      made.read = sum_of(pointers_to({&made.rows.train, &made.rows.dev}));
    }
    const std::vector<LabelledRow>& scored = is_folded ? made.scored : made.rows.dev;
    made.dev_rows = scored.size();
    if (made.labels.problem_type == ProblemType::regression) return;
    const std::size_t labels = made.labels.names.size();
    made.train_counts = label_counts(made.rows.train, labels);
    made.dev_counts = label_counts(scored, labels);
  }

  void write(Fit& made) const {
    const OutputPlace& place = request_.place;
    ModelDirectory directory(place.directory(), may_replace(place));
    directory.set_pairs(request_.reads_pairs);
    Calibration fitted = made.figures ? made.figures->calibration : Calibration{};
    if (fitted.temperature &&
        made.training->divide_logits(static_cast<float>(*fitted.temperature))) {
      made.divisor = *std::exchange(fitted.temperature, std::nullopt);
      made.notes.emplace_back(
          "the last layer is divided by the temperature, so that other programs, too, give the "
          "probabilities of headlight");
    }
    made.training->write(directory);
    check_written(directory.folder(), made.training->model(), made.rows.train);
    if (fitted.temperature || !fitted.thresholds.empty()) {
      directory.write("calibration.json", calibration_document(made.labels.names, fitted));
    }
    if (request_.data.has_labels) directory.write(kTrainingFile, to_json(training_facts(made)));
    directory.write("README.md", request_.card ? request_.card(made) : "");
    const bool is_finished = made.end == FitEnd::finished;
    if (is_finished) keep_fingerprint(directory.folder(), place.directory(), run_.origin);
    directory.place();
    if (is_finished) remove_files_beside(place);
  }

  TrainingFacts training_facts(const Fit& made) const {
    const LabelledRows& rows = made.rows;
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
    facts.trains_all = !made.strength || made.encoder_is_trained ||
                       made.training->model().description.label_ngrams;
    facts.penalty = made.penalty;
    facts.divisor = made.divisor;
    facts.class_weights = request_.class_weights;
    facts.problem_type = rows.labels.problem_type;
    facts.merged = data_.merged;
    facts.corrected = corrections_;
    return facts;
  }

  const FitRows& files_;
  const FitRequest& request_;
  TrainingRun run_;
  TrainingData data_;
  Corrections corrections_;
};

}  // namespace

void check_output(const FitRequest& request) {
  const OutputPlace& place = request.place;
  std::error_code ignored;  // what is missing then is said
  std::filesystem::create_directories(std::filesystem::path(place.directory()).parent_path(),
                                      ignored);
  refuse_folder_of(place.directory());
  refuse_directory(place.directory(), may_replace(place) || is_complete(place));
  std::vector<std::string> names = {place.directory()};
  if (request.way->takes.minutes) {
    for (std::string& name : names_of_ways(place)) names.push_back(std::move(name));
  }
  for (const std::string& name : names) {
    refuse_foreign_files(name, place.force);
    refuse_partial_directory(name);
    refuse_partial_directory(name + ".start");
  }
}

void remove_files_beside(const OutputPlace& place) {
  remove_leftovers(place.directory());
  for (const std::string& name : names_of_ways(place)) {
    if (!is_named(name)) remove_leftovers(name);  // else they are of that model
  }
}

Fit fit(FitStart start, const FitRows& rows, const FitRequest& request, const Engine& engine,
        FitWatch& watch) {
  check_output(request);
  return Fitting(rows, request, engine, watch).fit(std::move(start));
}

}  // namespace headlight
