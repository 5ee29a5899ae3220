// The prediction for a growing text, one line per word.
#pragma once

#include <cstddef>
#include <string>

#include "classifier/prediction.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

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
