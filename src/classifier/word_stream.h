// The prediction after each word of a text; each word costs only its own computation.
#pragma once

#include <functional>
#include <string>

#include "classifier/classifier.h"
#include "encoder/stream.h"

namespace headlight {

/// Makes the classifier's input from the words of a text, joined by one blank. Throws TextError.
using InputOfWords = std::function<TextInput(const std::string& words)>;
inline TextInput plain_words(const std::string& words) { return {words, {}, {}}; }

/// A text that grows by words at its end. Final special tokens ([SEP]) are not added.
class WordStream {
 public:
  /// The classifier must outlive it. Throws Error if its model has no classification head, or
  /// if new words would change the vectors of earlier ones.
  explicit WordStream(const Classifier& classifier, InputOfWords input_of = plain_words);

  /// Appends a word and returns the prediction for all words, joined by one blank. Only new or
  /// changed tokens are computed; the text is tokenized again, which is cheap in comparison. A word
  /// that cannot be scored is left out and its prediction has an error; a word past the model's
  /// maximum length has an error too, and so have all words after it.
  Prediction add(const std::string& word);

  /// Begins a new text.
  void clear();

 private:
  const Classifier& classifier_;
  InputOfWords input_of_;
  Stream stream_;
  Scratch scratch_;
  TokenIds seen_;  // the tokens in stream_
  std::string text_;
  std::string full_;  // the error of the first word past the model's length
};

}  // namespace headlight
