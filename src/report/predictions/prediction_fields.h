// The fields of a prediction, as JSON and as cells of a table. visit_fields() in the source lists
// them once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "rows/delimited.h"
#include "rows/row_reading.h"

namespace headlight {

/// The parts of a prediction that are written.
struct PredictionView {
  bool probabilities = false;
  bool logits = false;
  bool tokens = false;
  bool windows = true;  // texts may be read in windows
  std::optional<std::size_t> top_k;
  std::optional<float> threshold;
  bool needs_threshold = false;     // no label below the threshold, not even the best one
  std::vector<std::string> models;  // of a cascade, the small one first; empty: none is named
  std::string prefix;               // prepended to the name of each field
};

/// Whether the labels that pass the limits are listed, not only the best one.
bool lists_labels(const LabelSet& labels, const PredictionView& view);

/// Whether more than the best labels, at most `top_k`, are written or compared.
bool needs_all_scores(const LabelSet& labels, const PredictionView& view);

/// The numbers of the listed labels, best first.
std::vector<std::size_t> labels_to_list(const LabelSet& labels, const Prediction& prediction,
                                        const PredictionView& view);

/// "label" … "error": the fields after the text, in the order of the contract.
void write_prediction(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view);

struct PredictionColumn {
  std::string name;
  Cell cell;  // empty if the column does not apply
};
/// The same fields as columns: label, probability, entropy, labels (names separated by |), or value
/// or value.NAME; logit.NAME, probability.NAME, tokens, truncated, windows, model, error.
/// With a label for each token: entities, token_logits, ids, offsets as JSON instead. All
/// predictions have the same. If `format` is no table, the names are those that write_prediction()
/// may write.
std::vector<PredictionColumn> prediction_columns(const LabelSet& labels,
                                                 const Prediction& prediction,
                                                 const PredictionView& view, RowFormat format);

/// "tokens", and "unknown" where it is not 0.
void write_tokens(JsonWriter& json, const TextSize& text);

/// The values as an object: {"negative": …, "positive": …}.
void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values);

}  // namespace headlight
