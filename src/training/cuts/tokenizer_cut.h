// The tokenizer's files of a model, with only some tokens of its WordPiece vocabulary. All else,
// such as normalization and special tokens, stays as it is.
#pragma once

#include <vector>

#include "model/model.h"
#include "text/encoding.h"
#include "training/directory/model_directory.h"

namespace headlight {

/// Writes vocab.txt, tokenizer.json and the files that name ids into the directory, as far as the
/// model has them. The token kept[i] gets the id i; `kept` is ascending and has all special tokens.
/// A model_max_length that is more than the model reads becomes what it reads. Throws Error for a
/// tokenizer.json that marks continued words with something else than ##.
void write_cut_tokenizer(const Model& model, const std::vector<TokenId>& kept,
                         ModelDirectory& directory);

}  // namespace headlight
