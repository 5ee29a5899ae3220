// What was measured on labelled rows, as JSON and for people.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "metrics/evaluation.h"
#include "rows/row.h"

namespace headlight {

/// One object, fields in the order of the contract.
void write_evaluation(JsonWriter& json, const LabelSet& labels, const Evaluation& evaluation);

/// Aligned tables; of a confusion matrix with many labels only the pairs that are taken for each
/// other most often.
std::string evaluation_text(const LabelSet& labels, const Evaluation& evaluation);

/// A row with a wrong verdict, as a line of --errors: id, text, pair, gold, and the verdict.
void write_wrong_row(JsonWriter& json, const LabelSet& labels, const Gold& gold, const Row& row,
                     const Prediction& prediction);

/// What a model gives for one that it should, and how often.
struct Mistake {
  std::size_t gold;
  std::size_t predicted;
  std::size_t rows;
};

/// The most frequent ones first, at most `most`.
std::vector<Mistake> worst_mistakes(const ConfusionMatrix& confusion, std::size_t most);

/// So many labels are shown as a matrix.
inline constexpr std::size_t kLabelsOfAMatrix = 20;

}  // namespace headlight
