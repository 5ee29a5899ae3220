// Predictions as JSON fields, and as lines of text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "rows/row.h"

namespace headlight {

/// The parts of a prediction that are written.
struct PredictionView {
  bool probabilities = false;
  bool logits = false;
  bool tokens = false;
  bool windows = false;  // a table has the column "windows"
  std::optional<std::size_t> top_k;
  std::optional<float> threshold;
  bool needs_threshold = false;  // no label below the threshold, not even the best one
  std::string prefix;            // prepended to the name of each field
};

/// The name of the best label, unless it needs the threshold and is below it.
std::optional<std::string> given_label(const LabelSet& labels, const Prediction& prediction,
                                       const PredictionView& view);

/// Whether the labels that pass the limits are listed, not only the best one.
bool lists_labels(const LabelSet& labels, const PredictionView& view);

/// The numbers of the listed labels, best first.
std::vector<std::size_t> labels_to_list(const LabelSet& labels, const Prediction& prediction,
                                        const PredictionView& view);

/// Writes an id exactly as in the input.
void write_id(JsonWriter& json, const RowId& id);

/// An object for a text that cannot be scored: text, pair, error.
void write_text_error(JsonWriter& json, const TextInput& input, const std::string& error);

/// "label" … "error": the fields after the text, in the order of the contract.
void write_prediction(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view);

/// The names of the fields that write_prediction() may write.
std::vector<std::string> prediction_fields(const LabelSet& labels, const PredictionView& view);

/// The values as an object: {"negative": …, "positive": …}.
void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values);

/// "positive 98.2 %", with the label in bold if `color`; for a regression its values.
std::string verdict(const LabelSet& labels, const Prediction& prediction,
                    const PredictionView& view, bool color);

/// "positive 98.2 %", with the label in bold if `color`; "positive 98.2 %   negative -1.90 positive
/// 2.01" if the view has logits, or there is no probability.
std::string verdict_line(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view, bool color);

/// "a fine film", or of a pair "a cat ⟶ an animal", safe to print.
std::string shown_input(const TextInput& input);

/// The verdict line with the text: "positive 98.2 %   a fine film". With a label for each token,
/// the text with its entities marked (entity_report.h).
std::string prediction_line(const LabelSet& labels, const TextInput& input,
                            const Prediction& prediction, const PredictionView& view, bool color);

}  // namespace headlight
