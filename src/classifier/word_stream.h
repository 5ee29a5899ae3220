// The verdict on a text after each of its words, for the work of that word alone.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "classifier/classifier.h"
#include "encoder/stream.h"

namespace headlight {

/// What the words of a text, joined by one blank, are to the classifier. Throws TextError.
using InputOfWords = std::function<TextInput(const std::string& words)>;

/// A text that grows, and shrinks, by a word at its end. What would end it ([SEP]) is not put in.
class WordStream {
 public:
  /// The classifier must outlive it. Throws Error where its model has no classification head, or
  /// where new words change what the model made of earlier ones.
  WordStream(const Classifier& classifier, InputOfWords input_of);
  /// Words are text.
  explicit WordStream(const Classifier& classifier);

  /// The verdict on the words so far, joined by one blank, and this one. Only tokens that are new,
  /// or have changed by it, are computed; the text is read anew, which costs little beside them. A
  /// word that cannot be scored is left out and has its error; one past the model's length has one
  /// too, and so have those after it.
  Prediction add(const std::string& word);

  /// Forgets all words but the first `count`.
  void keep(std::size_t count);
  std::size_t words() const { return states_.size(); }

 private:
  /// After a word.
  struct State {
    std::size_t text_size = 0;
    std::string full;  // the error of the first word past the model's length
  };

  const Classifier& classifier_;
  InputOfWords input_of_;
  Stream stream_;
  Scratch scratch_;
  TokenIds seen_;  // what stream_ has taken
  std::string text_;
  std::vector<State> states_;
};

}  // namespace headlight
