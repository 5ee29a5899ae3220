// Everything that evaluate finds, as JSON: the measures, and what was asked for beyond them.
#pragma once

#include <optional>
#include <string>

#include "base/json_writer.h"
#include "classifier/text_classifier.h"
#include "measuring/measure.h"
#include "metrics/entity_evaluation.h"
#include "rows/row.h"

namespace headlight {

/// One object: the fields of write_evaluation(), write_slices(), write_comparison(),
/// write_cascade() and write_ablation().
void write_results(JsonWriter& json, const Measured& results);

/// The same of entities, with "labels" even if there are none.
void write_entity_evaluation(JsonWriter& json, const EntityEvaluation& evaluation);

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
