// Reads the `model` of a tokenizer.json.
#pragma once

#include <memory>

#include "text/files/json_components.h"
#include "text/models/word_model.h"

namespace headlight {

/// Throws Error that names the field.
std::unique_ptr<const WordModel> read_model(const Component& component);

}  // namespace headlight
