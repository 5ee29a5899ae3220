// Which files of a model's folder make its tokenizer, and what there says different things.
#pragma once

#include "model/families/family.h"
#include "model/model.h"

namespace headlight {

/// Sets tokenizer and tokenizer_file, adds to contradictions, and lowers description.max_positions
/// to what the tokenizer takes. Throws Error.
void open_tokenizer(Model& model, const ModelType& type, const FamilyConfig& config);

}  // namespace headlight
