// Makes the tokenizer from the files in a model's directory and reports inconsistencies.
#pragma once

#include "model/families/family.h"
#include "model/model.h"

namespace headlight {

/// Sets tokenizer and tokenizer_file, adds to contradictions, and limits description.max_positions
/// to the maximum length of the tokenizer. Throws Error.
void open_tokenizer(Model& model, const ModelType& type, const FamilyConfig& config);

/// The tokens that it inserts, ascending.
std::vector<TokenId> inserted_tokens(const Tokenizer& tokenizer);

/// Sets the special tokens of n-grams to those of the tokenizer, if there are both.
void note_special_tokens(Model& model);

/// Compares a vocab.txt with the tokenizer.json next to it and adds a difference to contradictions.
/// load_model() does not read such a vocab.txt, because it is not used.
void compare_vocabulary(Model& model);

}  // namespace headlight
