// Predictions as lines of text, and what stands beside their fields. START HERE in this room.
//
// Example:
//   const LabelSet labels = {{"no", "yes"}, ProblemType::single_label, true, {}};
//   Prediction yes;  // of a classifier
//   yes.scores = {0.03F, 0.97F};
//   yes.best = 1;
//   const std::string line = prediction_line(labels, {"a fine film", {}, {}}, yes, {}, false);
//   // line == "yes 97.0 %   a fine film"
#pragma once

#include <string>

#include "report/predictions/prediction_fields.h"
#include "rows/row.h"

namespace headlight {

/// Writes an id exactly as in the input.
void write_id(JsonWriter& json, const RowId& id);

/// An object for a text that cannot be scored: text, pair, error.
void write_text_error(JsonWriter& json, const TextInput& input, const std::string& error);

/// "positive 98.2 %", with the label in bold if `color`; "positive 98.2 %   negative -1.90 positive
/// 2.01" if the view has logits, or there is no probability.
std::string verdict_line(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view, bool color);

/// "a fine film", or of a pair "a cat ⟶ an animal", safe to print.
std::string shown_input(const TextInput& input);

/// The verdict line with the text: "positive 98.2 %   a fine film". With a label for each token,
/// the text with its entities marked: "[Ada: PER 99.1 %] lived in [London: LOC 97.6 %]."
std::string prediction_line(const LabelSet& labels, const TextInput& input,
                            const Prediction& prediction, const PredictionView& view, bool color);

/// The prediction for a growing text, after one of its words.
struct StreamedWord {
  std::size_t row = 0;  // index of the text
  std::string word;     // empty: the word could not be read
  Prediction prediction;
};

/// {"row": 0, "word": "great", "tokens": 5, "label": …, "probability": …, "logits": {…}} and a
/// newline; with an error only row, word and error.
std::string word_json(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool ascii);

/// The same as text, with a newline.
std::string word_text(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool color);

}  // namespace headlight
