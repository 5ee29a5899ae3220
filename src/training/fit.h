// From labelled rows and a plan to the directory of a trained model. START HERE in this room.
//
// Rows, plan and start determine every byte of the directory, whatever the number of threads, and
// whether the run was stopped and resumed.
//
// Example:
//   RowReader rows("reviews.csv", {.format = RowFormat::csv, .needs_label = true});
//   FitStart start{load_model(locate_model("data/models/encoder", "")), {}};
//   FitPlan plan;
//   plan.output = "my-model";
//   FitWatch watch;  // derive from it to see how far the training is
//   const Fit made = fit(std::move(start), {rows}, plan, Engine({}), watch);
//   const std::vector<Measure> found = made.figures->evaluation.measures;  // of rows held out
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/words.h"
#include "math/number_format.h"
#include "metrics/confidence.h"
#include "model/engine.h"
#include "model/model.h"
#include "rows/origin.h"
#include "rows/row_reader.h"
#include "training/course/course.h"
#include "training/head/head_fitting.h"
#include "training/rows/training_data.h"

namespace headlight {

/// What a training begins with.
struct FitStart {
  std::optional<Model> model;
  /// Without a model: the config of a native one, which gets random weights. No config:
  /// TrainedPart::no_layers has its own.
  ModelPlace bare;
};

/// Open files, of which no row has been read yet.
struct FitRows {
  RowReader& train;
  RowReader* dev = nullptr;  // without: some rows of `train` are held out
};

/// What is trained. automatic: of a model with weights what is best for the rows, see
/// train_automatically(); all of a config without weights, and of an encoder that learns the
/// vectors of a teacher. no_layers: a model without layers, which is made from the rows.
/// contrastive: the encoder of a model with weights by contrast, then a last layer. label_ngrams:
/// a last layer and what n-grams of tokens add to its logits.
enum class TrainedPart : std::uint8_t {
  automatic,
  head,
  label_ngrams,
  all,
  no_layers,
  contrastive
};
inline constexpr std::array<Word<TrainedPart>, 6> kTrainedPartWords = {
    {{"auto", TrainedPart::automatic},
     {"head", TrainedPart::head},
     {"ngrams", TrainedPart::label_ngrams},
     {"all", TrainedPart::all},
     {"static", TrainedPart::no_layers},
     {"contrastive", TrainedPart::contrastive}}};

/// How a model is trained, and where it goes.
struct FitPlan {
  std::string output;  // the directory
  Origin origin;       // of the model, without files; a run of another origin cannot be resumed
  std::string command_line;              // that makes the same model, for its card
  std::vector<std::string> card_fields;  // "key=value", which the card begins with
  std::string log;                       // a file of JSON lines; empty: none
  bool force = false;                    // replaces a model that exists, and the log
  bool resume = false;                   // continues a stopped run, if there is one

  bool start_is_default = false;  // nobody asked for it, so a model of the rows alone is tried, too
  TrainedPart part = TrainedPart::automatic;
  std::optional<bool> reads_windows;  // long texts; empty: as the start does
  bool reads_pairs = false;           // the rows have pairs
  ClassWeights class_weights = ClassWeights::none;
  double minutes = 2.0;  // of the reference machine (training_cost.h), for what is tried
  DataOptions data;
  std::string kept_vectors;       // a file that runs share (KeptVectors); empty: none
  std::optional<double> penalty;  // of a last layer that is fitted; empty: it is chosen

  // Of a training of all weights. What is empty depends on the start.
  std::optional<std::size_t> epochs;
  std::optional<float> learning_rate;
  std::optional<std::size_t> batch_tokens;
  std::optional<float> dropout;
  bool keep_last = false;  // not the best state
  NumberFormat stored_as = NumberFormat::f32;
  float label_smoothing = 0.0F;
  float temperature = 2.0F;
  float teacher_share = 0.8F;
  std::string teacher_logits;   // a field of the rows, which must be read with all fields; or empty
  std::string teacher_vectors;  // an NPY file; empty: none

  // What is left out of a start with weights before all of them are trained.
  std::vector<std::size_t> kept_layers;  // ascending; empty: all
  std::string kept_layers_as_given;      // tells vectors of the run apart from those of another
  std::optional<std::size_t> vocabulary_size;  // without weights: how many words are learned
  std::optional<std::size_t> feed_forward_size;

  /// Whether all weights are trained of a start that has some.
  bool trains_all() const;
  /// Whether several trainings of such a start are tried.
  bool tries_several() const;
  /// Sets how the start, and with it the new model, reads long texts.
  void set_reading(Description& start) const;
  /// Where the files are: `output` without slashes at its end, or what it leads to as a symbolic
  /// link.
  std::string directory() const;
  /// The name that the files of a training beside the directory begin with, if several are tried.
  std::string files_of(TrainedPart tried) const;
  /// All names that files beside the directory can begin with.
  std::vector<std::string> file_names() const;
};

enum class FitEnd : std::uint8_t {
  finished,
  stopped,           // the best state so far is in the directory
  stopped_at_once,   // nothing was written
  already_complete,  // the same run wrote the directory
};

/// A training that was tried.
struct FitCandidate {
  std::string train;    // its word of --train
  std::string measure;  // "accuracy", "subset_accuracy" or "r2"
  double score = 0.0;   // of the development rows
  std::optional<Interval> interval;
  std::optional<double> log_loss;  // by which they are compared, unless it is a regression
  double seconds = 0.0;            // of the reference machine
  std::size_t bytes = 0;           // of the weights
  double rows_per_second = 0.0;    // of the model on the reference machine
  bool chosen = false;
};

/// What was made, of which rows.
struct Fit {
  FitEnd end = FitEnd::finished;
  std::string name;          // of the new model
  std::string directory;     // its path as given
  std::string start;         // the name of the model that it was made from
  bool had_weights = true;   // the start
  std::string trained;       // what was trained, such as "the last layer"
  std::string layout;        // of the files
  std::string architecture;  // one line
  std::string file;          // of the rows, as given
  std::string file_mark;     // mark_of_rows()
  /// The names of several files, with the numbers of rows that were used of them.
  std::vector<std::pair<std::string, std::size_t>> files;
  std::string file_hash;   // of its bytes; empty: not known
  std::string start_hash;  // model_hash() of the start's files
  std::string program;     // the version that trained
  std::string dev_file;    // empty: held out
  double dev_share = 0.0;  // of the rows that were held out
  std::uint64_t seed = 0;
  std::string command;                   // that made it
  std::vector<std::string> card_fields;  // as in the plan
  /// The figures are those of a model without the development rows; in the end, it was fitted to
  /// all rows.
  bool is_refitted = false;
  std::size_t folds = 0;  // in which all rows were scored as development rows; 0: none
  std::vector<FitCandidate> candidates;  // if several were tried
  bool encoder_is_trained = false;       // before a last layer was fitted to its vectors
  bool start_is_best = false;  // training all weights gained nothing; `trained` says what was kept
  std::size_t train_rows = 0;
  std::size_t dev_rows = 0;
  std::size_t errors = 0;  // rows that could not be used
  LabelSet labels;
  std::vector<std::size_t> train_counts;      // rows of each label; empty for a regression
  std::vector<std::size_t> dev_counts;        // the same
  std::optional<double> strength;             // of the penalty of a fitted last layer
  std::optional<DevelopmentFigures> figures;  // empty: there are no development rows
  double divisor = 1.0;                       // of the last layer, after it was fitted
  std::vector<std::string> chosen;            // settings that the development rows chose
  std::optional<EarlierModel> earlier;        // as in the plan
  std::optional<double> cosine;  // mean of that with the teacher's vectors; an encoder alone
  std::vector<std::string> notes;
};

/// Sees what a training does. The calls come from one thread.
class FitWatch {
 public:
  /// Work that takes long enough to show how much of it is done.
  enum class Stage : std::uint8_t { encoding, fitting, training, folds, comparing, inverting };

  FitWatch() = default;
  virtual ~FitWatch() = default;
  FitWatch(const FitWatch&) = delete;
  FitWatch& operator=(const FitWatch&) = delete;

  /// A line about the rows, the start or the result.
  virtual void note(const std::string& /*line*/) {}
  /// All rows that cannot be used or contradict each other.
  virtual void problems(const std::vector<RowProblem>& /*rows*/) {}
  /// A line about rows that cannot be used, or a stopped run.
  virtual void warn(const std::string& /*line*/) {}
  /// `before`: how many texts an earlier run has encoded.
  virtual void begin(Stage /*stage*/, std::size_t /*before*/) {}
  /// Texts that were encoded, strengths that were tried, heads that were fitted to folds, rows that
  /// were compared, or percents of an inverse; `share` of the stage is done.
  virtual void count(std::size_t /*done*/, double /*share*/) {}
  virtual void step(const TrainingReport& /*report*/) {}
  virtual void end() {}
  /// README.md of the model.
  virtual std::string card(const Fit& /*made*/) { return ""; }
};

/// Says what is wrong with the rows; adds to data.notes.
void say_problems(TrainingData& data, FitWatch& watch);

/// Throws Error if the model cannot be written where the plan says. fit() checks it too, but after
/// a model was loaded.
void check_output(const FitPlan& plan);

/// Trains a model and writes its directory, which appears whole or not at all. A signal
/// (base/interrupt.h) stops the run. Throws Error if the rows, the start or files of an earlier run
/// cannot be used, or if the written model does not compute what the trained one does.
Fit fit(FitStart start, const FitRows& rows, const FitPlan& plan, const Engine& engine,
        FitWatch& watch);

}  // namespace headlight
