// The verdict on a text so far, as a line a word.
#pragma once

#include <cstddef>
#include <string>

#include "classifier/prediction.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

struct StreamedWord {
  std::size_t row = 0;  // which text
  std::string word;     // empty: it could not be read
  Prediction prediction;
};

/// {"row": 0, "word": "great", "tokens": 5, "label": …, "probability": …, "logits": {…}} and a
/// newline; with an error row, word and error alone.
std::string word_json(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool ascii);

/// The same for people, with a newline.
std::string word_text(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool color);

}  // namespace headlight
