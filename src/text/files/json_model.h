// Reads the `model` of a tokenizer.json.
#pragma once

#include <memory>
#include <optional>

#include "text/files/json_components.h"
#include "text/models/vocabulary.h"
#include "text/models/word_model.h"

namespace headlight {

/// `vocabulary` is used instead of the field `vocab`, if it was read before. Throws Error that
/// names the field.
std::unique_ptr<const WordModel> read_model(const Component& component,
                                            std::optional<Vocabulary> vocabulary);

}  // namespace headlight
