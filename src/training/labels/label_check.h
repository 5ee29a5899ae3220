// Looks for rows whose label is probably wrong. No model is made.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/score_table.h"
#include "model/engine.h"
#include "training/directory/output_place.h"
#include "training/head/head_fitting.h"
#include "training/watch.h"

namespace headlight {

inline constexpr std::size_t kFolds = 5;

/// [n, c] The probabilities of each row by a last layer that is fitted to the other folds. The
/// first fold chooses the strength of the penalty; the temperature is that of the lowest log loss
/// of rows with judged labels. `stopped` gets the share of the work; after true the result is
/// empty.
std::optional<ScoreTable> cross_validated(const FittingRows& rows,
                                          const std::vector<std::size_t>& folds,
                                          const std::vector<bool>& judged,
                                          const HeadFittingOptions& options,
                                          const std::function<bool(double done)>& stopped);

/// A row to look at.
struct DoubtfulRow {
  std::size_t row = 0;  // index in LabelCheck::rows
  Gold suggested;
  double probability_given = 0.0;  // probability_of() its labels
  double probability_suggested = 0.0;
  std::optional<std::size_t> duplicate;  // the nearest near-duplicate with other labels
};

struct LabelCheck {
  std::string file;               // as given
  std::string mark;               // mark_of_rows()
  std::vector<LabelledRow> rows;  // with their fields
  std::size_t errors = 0;         // rows that could not be used
  LabelSet labels;
  std::size_t unjudged = 0;  // labels of which all rows are in one fold
  std::size_t unread = 0;    // rows that the model cannot read: none of them is a suspect
  /// The suspects (confident_learning.h); then the less probable row of each other pair of
  /// near-duplicates; both least probable first.
  std::vector<DoubtfulRow> doubtful;
  std::size_t suspects = 0;
  std::vector<std::vector<std::size_t>> alike;  // labels_spelled_alike()
};

struct LabelCheckRequest {
  OutputPlace place;  // of the file with doubtful rows; the vectors stay beside it
  DataOptions data;
  ClassWeights class_weights = ClassWeights::none;
  std::string kept_vectors;  // HeadSettings::kept_vectors
};

/// Checks rows that are read with all their fields, by the vectors of `loaded`. `begin`
/// gets the rows before the long work and may throw. Returns nullopt after a signal, which was
/// said. Throws Error if the rows or the start cannot be used.
std::optional<LabelCheck> check_labels(Model loaded, RowReader& rows,
                                       const LabelCheckRequest& request, const Engine& engine,
                                       FitWatch& watch,
                                       const std::function<void(const LabelCheck&)>& begin);

}  // namespace headlight
