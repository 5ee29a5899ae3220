// The rows of the training file that pushed a verdict most, as text, as a section of a page, and as
// JSON.
#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "classifier/prediction.h"
#include "training/row_influence.h"

namespace headlight {

struct TrainingRows {
  std::vector<InfluentialRow> rows;  // strongest first
  std::vector<std::size_t> labels;   // that they pushed; at least one
  bool is_partial = false;           // all weights were trained: of the last layer alone
};

/// The labels that the verdict names: with several labels those above their thresholds, else the
/// best one.
std::vector<std::size_t> labels_pushed(const LabelSet& labels, const Prediction& prediction);

/// A table of the width of a terminal.
std::string training_rows_text(const LabelSet& labels, const TrainingRows& found);
std::string training_rows_section(const LabelSet& labels, const TrainingRows& found);
/// The fields "training_rows": [{"id", "text", "pair", "label", "effect": {LABEL: …}}, …] and, if
/// all weights were trained, "last_layer_only".
void write_training_rows(JsonWriter& json, const LabelSet& labels, const TrainingRows& found);

}  // namespace headlight
