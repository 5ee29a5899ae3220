// Predictions as JSON fields, and as lines for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "rows/row.h"

namespace headlight {

/// What of a prediction is shown.
struct PredictionView {
  bool probabilities = false;
  bool logits = false;
  bool tokens = false;
  bool windows = false;  // has a column in a table
  std::optional<std::size_t> top_k;
  std::optional<float> threshold;
  std::string prefix;  // before the name of each field
};

/// Whether the labels that pass are listed, and not the best one alone.
bool lists_labels(const LabelSet& labels, const PredictionView& view);

/// Their numbers, best first.
std::vector<std::size_t> labels_to_list(const LabelSet& labels, const Prediction& prediction,
                                        const PredictionView& view);

/// An id in the spelling it came in.
void write_id(JsonWriter& json, const RowId& id);

/// "label" … "error": the fields after the text, in the order of the contract.
void write_prediction(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view);

/// The names of the fields that it may write.
std::vector<std::string> prediction_fields(const LabelSet& labels, const PredictionView& view);

/// The fields of the labels that pass, by label: {"negative": …, "positive": …}.
void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values);

/// "positive 98.2 %", the label in bold where `color`; of a regression its values.
std::string verdict(const LabelSet& labels, const Prediction& prediction,
                    const PredictionView& view, bool color);

/// "positive 98.2 %   negative -1.90  positive 2.01", with the label in bold where `color`.
std::string verdict_line(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view, bool color);

/// The same with the text: "positive 98.2 %   negative -1.90  positive 2.01   a fine film".
std::string prediction_line(const LabelSet& labels, const TextInput& input,
                            const Prediction& prediction, const PredictionView& view, bool color);

}  // namespace headlight
