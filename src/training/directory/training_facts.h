// What the last layer of a model was fitted to, which `headlight fit` writes into its directory as
// training.json, so that the same rows can be asked about later.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "training/head/head_fitting.h"
#include "training/rows/corrections.h"
#include "training/rows/training_data.h"

namespace headlight {

struct TrainingFacts {
  std::string file;                      // of the rows, as given
  std::string file_mark;                 // mark_of_rows() of all of it
  std::string rows_hash;                 // hash_of_rows() of those that were used, in their order
  std::vector<std::size_t> held_out;     // numbers of rows that were not used, ascending
  std::vector<std::size_t> development;  // numbers of the rows that were held out to measure
  double score = 0.0;                    // the first measure of them
  bool trains_all = false;               // more than the last layer was trained
  double penalty = kDefaultStrength;
  double divisor = 1.0;  // of the last layer, after it was fitted
  ClassWeights class_weights = ClassWeights::none;
  ProblemType problem_type = ProblemType::single_label;
  MergedLabels merged = {};
  Corrections corrected = {};
};

std::string to_json(const TrainingFacts& facts);
/// Throws Error if the directory has no such file, or if it cannot be used.
TrainingFacts read_training_facts(const std::string& directory);

/// How labels of rows are read that were merged in the training of the model; empty if nothing says
/// so.
MergedLabels merged_labels(const ModelPlace& place);

/// The model at this place, whose labels are to keep their numbers. Throws Error if it has none.
EarlierModel earlier_model(const ModelPlace& place);

/// hash_of_rows() of rows in the order of their file, without what only a training reads.
std::string hash_of_fitted_rows(const LabelSet& labels, std::vector<LabelledRow> rows);

}  // namespace headlight
