// The results of an evaluation as JSON.
#pragma once

#include <optional>
#include <string>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "metrics/evaluation.h"
#include "rows/row.h"

namespace headlight {

/// One object, fields in the order of the contract.
void write_evaluation(JsonWriter& json, const LabelSet& labels, const Evaluation& evaluation);
/// Its fields without the braces, for an object that has more.
void write_evaluation_fields(JsonWriter& json, const LabelSet& labels,
                             const Evaluation& evaluation);

/// A field with an array of two numbers; nothing for an empty interval.
void interval_field(JsonWriter& json, const std::string& name,
                    const std::optional<Interval>& interval);

/// The value, and its interval as "NAME_interval".
void write_measure(JsonWriter& json, const Measure& measure);

/// An object that its caller ends: "id", "line" (not 0), "text" and "pair".
void begin_row(JsonWriter& json, const RowId& id, std::size_t line, const TextInput& input);

/// A row with a wrong prediction, as a line of --errors: id, text, pair, gold, and the prediction.
void write_wrong_row(JsonWriter& json, const LabelSet& labels, const Gold& gold, const Row& row,
                     const Prediction& prediction);

}  // namespace headlight
