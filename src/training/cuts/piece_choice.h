// Chooses the pieces of a WordPiece vocabulary that a smaller model keeps: those that are commonest
// in the texts.
#pragma once

#include <cstddef>
#include <vector>

#include "classifier/text_classifier.h"
#include "text/encoding.h"
#include "text/tokenizer.h"

namespace headlight {

struct PieceChoice {
  std::vector<TokenId> kept;  // ascending
  std::size_t required = 0;   // special tokens, added tokens and pieces of one character
  double share = 1.0;         // of the pieces of the texts: those that are kept
};

/// Keeps all special tokens, added tokens and pieces of one character, so that no word of the texts
/// becomes unknown: of a Latin letter, a digit, punctuation or a currency sign, and of what else
/// the texts contain. The other places up to `size` go to the pieces that occur most often in the
/// texts; of equally frequent ones, the lower id. `always` are further ids to keep. If `required`
/// is more than `size`, `kept` is longer than `size`. Texts that the tokenizer cannot read are left
/// out.
PieceChoice choose_pieces(const Tokenizer& tokenizer, const std::vector<const TextInput*>& inputs,
                          std::size_t size, const std::vector<TokenId>& always);

}  // namespace headlight
