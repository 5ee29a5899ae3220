// What a training makes of rows, before it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "metrics/confidence.h"
#include "training/course/development.h"
#include "training/head/head_fitting.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

enum class FitEnd : std::uint8_t {
  finished,
  stopped,           // the best state so far is in the directory
  stopped_at_once,   // nothing was written
  already_complete,  // the same run wrote the directory
};

/// A way that was tried among others.
struct FitCandidate {
  std::string train;    // its word
  std::string measure;  // "accuracy", "subset_accuracy" or "r2"
  double score = 0.0;   // of the development rows
  std::optional<Interval> interval;
  std::optional<double> log_loss;  // by which they are compared, unless it is a regression
  double seconds = 0.0;            // of the reference machine, with all folds and the last training
  std::size_t bytes = 0;           // of the weights
  double rows_per_second = 0.0;    // of the model on the reference machine
  bool chosen = false;
};

class Training;

struct Learned {
  FitEnd end = FitEnd::finished;            // stopped_at_once: the rest is empty
  LabelledRows rows = {};                   // as the model reads them
  std::shared_ptr<Training> training = {};  // which has the model
  std::string trained = {};                 // what was trained, such as "the last layer"
  std::string layout = "native";            // of the files
  /// The figures are those of a model without the development rows; in the end, it was fitted to
  /// all rows.
  bool is_refitted = false;
  bool encoder_is_trained = false;  // before a last layer was fitted to its vectors
  bool start_is_best = false;  // training all weights gained nothing; `trained` says what was kept
  std::optional<double> strength = {};             // of the penalty of a fitted last layer
  double penalty = kDefaultStrength;               // by which to ask about rows, also without one
  std::optional<DevelopmentFigures> figures = {};  // empty: there are no development rows
  std::optional<double> cosine = {};  // mean of that with the teacher's vectors; an encoder alone
  std::vector<std::string> chosen = {};  // settings that the development rows chose
  std::vector<std::string> notes = {};
  std::size_t folds = 0;                 // in which rows were scored as development rows; 0: none
  std::vector<LabelledRow> scored = {};  // of `rows`, in these folds
  std::vector<FitCandidate> candidates = {};  // if several were tried
};

}  // namespace headlight
