// Reads the Unigram model of a tokenizer.json.
#pragma once

#include <memory>

#include "base/fields.h"
#include "text/models/word_model.h"

namespace headlight {

/// Throws Error that names the field.
std::unique_ptr<const WordModel> read_unigram(Fields& model);

}  // namespace headlight
