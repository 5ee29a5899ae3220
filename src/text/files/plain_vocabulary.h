// Reads the vocabulary of a tokenizer.json, nearly all of the file, without a JSON value for each
// of its tokens, which would take longer than the rest of the start of a program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/models/vocabulary.h"

namespace headlight {

struct PlainVocabulary {
  Vocabulary vocabulary;
  std::string rest;  // the file with {} in place of the vocabulary
};

/// Takes the object `model.vocab` out of the text of a tokenizer.json. The file is valid JSON with
/// this vocabulary if `rest` is valid JSON. nullopt: there is no such object, or it is not only
/// different tokens with different ids. Then the file must be read as a whole, which also says what
/// is wrong with it.
std::optional<PlainVocabulary> take_vocabulary(std::string_view file);

}  // namespace headlight
