#include "report/predictions/word_line.h"

#include "base/utf8.h"

namespace headlight {

std::string word_json(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool ascii) {
  std::string line;
  JsonWriter json(line, ascii);
  json.begin_object().field("row", streamed.row);
  if (!streamed.word.empty()) json.field("word", streamed.word);
  if (streamed.prediction.error.empty()) json.field("tokens", streamed.prediction.tokens);
  write_prediction(json, labels, streamed.prediction, view);
  json.end_object();
  return line + '\n';
}

std::string word_text(const LabelSet& labels, const StreamedWord& streamed,
                      const PredictionView& view, bool color) {
  const Prediction& prediction = streamed.prediction;
  if (!prediction.error.empty()) {
    return "error: " + printable(prediction.error) + "   " + printable(streamed.word) + '\n';
  }
  return prediction_line(labels, {streamed.word, {}, {}}, prediction, view, color) + '\n';
}

}  // namespace headlight
