// Which files of a model's folder make its tokenizer, and what there says different things.
#pragma once

#include "model/families/family.h"
#include "model/model.h"

namespace headlight {

/// Sets tokenizer and tokenizer_file, adds to contradictions, and lowers description.max_positions
/// to what the tokenizer takes. Throws Error.
void open_tokenizer(Model& model, const ModelType& type, const FamilyConfig& config);

/// Adds to contradictions what a vocab.txt says that stands beside a tokenizer.json: nobody needs
/// to read it, so load_model does not.
void compare_vocabulary(Model& model);

}  // namespace headlight
