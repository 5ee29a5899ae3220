// The ways to score rows with models.
#pragma once

#include "classifier/classifier.h"
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
