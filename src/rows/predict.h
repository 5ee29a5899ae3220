// The ways to score rows with models.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "inside/ablated_classifier.h"
#include "inside/attention_statistics.h"
#include "rows/scoring.h"

namespace headlight {

/// The models must outlive what these functions return.
ScoreTexts<Prediction> predict_with(const TextClassifier& classifier);

struct ComparedPrediction : Prediction {
  Prediction second;  // of the second model
  /// That each model took for the texts of one call; only in the first of its predictions.
  std::array<double, 2> seconds = {};
};
ScoreTexts<ComparedPrediction> predict_with_both(const TextClassifier& first,
                                                 const TextClassifier& second);

/// A small model with probabilities, and a large one for what it is not sure of. `numbers` [c] are
/// those of its labels in the large one.
struct CascadeModels {
  std::shared_ptr<const TextClassifier> small;
  std::shared_ptr<const TextClassifier> large;
  std::vector<std::size_t> numbers;
  float threshold;
};
/// The large model answers where the probability of the small one's label is below the threshold,
/// or where it has an error. Predictions have the labels of the small model in its order.
ScoreTexts<Prediction> predict_with_cascade(const CascadeModels& models);

/// How well texts answer a query, which is the pair of a text, else `query`: the prediction for
/// query and text as a pair if options.sought_label is set; else the cosine of their vectors, as
/// the only logit. Prompts as in sentence-transformers' predict(), encode_query() and
/// encode_document(). Throws Error if `query` leaves no room for a text.
ScoreTexts<Prediction> answer_with(const Model& model, const SentenceModules& modules,
                                   const ClassifierOptions& options, const std::string& query);

ScoreTexts<AblatedPrediction> predict_without_parts(const AblatedClassifier& ablated);

/// The sums of a text, because its attention is too large to keep until a row is written; none of
/// a text with an error. Texts are scored one by one: RowPace::rows_at_once should be 1.
struct AttendedPrediction : Prediction {
  AttentionSums attention;
};
ScoreTexts<AttendedPrediction> predict_with_attention(const Classifier& classifier);

}  // namespace headlight
