// The second stack of encoder–decoder families (BART, T5), which classify a text by the decoder's
// vector at its last end token.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/fields.h"
#include "model/families/family.h"
#include "model/families/published_weights.h"

namespace headlight {

/// The field of a token's id.
TokenId token_or(Fields& fields, const char* name, TokenId fallback, const Description& model);

/// Adds `count` layers of a decoder behind the encoder's: each is `layer` without its feed-forward
/// and causal, then `layer` with the encoder's keys and values. A text is pooled by its last token
/// `eos_token_id`.
void add_decoder(Fields& fields, const LayerDescription& layer, std::size_t count,
                 const Decoder& decoder, TokenId end, Description& model);
/// Leaves the encoder.
void drop_decoder(Description& model);

/// The same as read_published_weights() for names whose layers are "encoder.LAYERS.0" and
/// "decoder.LAYERS.0". Copies of the table of tokens are accepted; one of them takes the place of a
/// table ".shared" that is missing.
Weights read_stacks(PublishedNames names, FamilyConfig& config, TensorSource& source);

/// Accepts a tensor [rows, cols] that the reference does not read.
void accept_unread(const std::string& name, std::size_t rows, std::size_t cols,
                   TensorSource& source);

}  // namespace headlight
