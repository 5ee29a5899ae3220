// The ways to score rows with models.
#pragma once

#include <string>

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
};
ScoreTexts<ComparedPrediction> predict_with_both(const TextClassifier& first,
                                                 const TextClassifier& second);

/// How well texts answer a query, which is the pair of a text, else `query`: the prediction for
/// query and text as a pair if options.sought_label is set; else the cosine of their vectors, as
/// the only logit. Prompts as in sentence-transformers' predict(), encode_query() and
/// encode_document(). Throws Error if `query` leaves no room for a text.
ScoreTexts<Prediction> answer_with(const Model& model, const SentenceModules& modules,
                                   const ClassifierOptions& options, const std::string& query);

/// Below: the same predictions with what is needed of their traces, which are too large to keep
/// until a row is written. Texts are scored one by one: RowPace::rows_at_once should be 1. Nothing
/// is added to the sums of a text with an error.

struct AttendedPrediction : Prediction {
  AttentionSums attention;
};
ScoreTexts<AttendedPrediction> predict_with_attention(const Classifier& classifier);

struct HeadsPrediction : Prediction {
  HeadMeans heads;
};
ScoreTexts<HeadsPrediction> predict_with_heads(const Classifier& classifier);

}  // namespace headlight
