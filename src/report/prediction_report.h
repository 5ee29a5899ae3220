// Predictions as JSON fields, and as lines for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "classifier/text_classifier.h"
#include "report/json_writer.h"

namespace headlight {

/// What of a prediction is shown.
struct PredictionView {
  bool probabilities = false;
  bool logits = false;
  bool tokens = false;
  std::optional<std::size_t> top_k;
  std::optional<float> threshold;
};

/// "label" … "error": the fields after the text, in the order of the contract.
void write_prediction(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view);

/// The fields of the labels that pass, by label: {"negative": …, "positive": …}.
void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values);

/// "positive  98.2 %  negative -1.90  positive 2.01  a fine film", with the label in bold where
/// `color`.
std::string prediction_line(const LabelSet& labels, const TextInput& input,
                            const Prediction& prediction, const PredictionView& view, bool color);

}  // namespace headlight
