// Attention in several heads over the texts of a batch, including input and output projections
// (Vaswani et al. 2017, §3.2.2). Used for layers, where tokens attend to each other, and for label
// attention, where label queries attend to tokens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// Computes the given ones of queries, keys and values from x [n, d], [n, H] or [n, H/g].
void project(const HeadsDescription& heads, std::span<const LinearOutput> projections,
             ConstMatrix x);

enum class Attending : std::uint8_t {
  tokens,     // every token of a text: a query row for each row of x
  one_token,  // one token of each text, Pass::rows: a query row for each text
  labels,     // every label: the same query rows for each text
};

/// Texts [first_text, first_text + texts) of the batch. A query attends to the keys of one text.
struct AttentionInput {
  Attending attending;
  std::size_t first_text;
  std::size_t texts;
  ConstMatrix query;  // [m, H]
  ConstMatrix key;    // [n, H/g]
  ConstMatrix value;  // [n, H/g]
  /// Stores these keys and values after those of the text's earlier tokens. nullptr: texts are
  /// complete.
  KeyValueCache* cache;
};

/// The attention output of each query, [m, d] in `out` ([m, H] without `output`); for label queries
/// [texts · c, d], text after text.
Matrix attend_texts(const HeadsDescription& heads, const std::optional<Linear>& output,
                    const AttentionInput& input, Pass& pass, Buffer& out);

/// The same for the known outputs of the heads (AblatedPart::context).
Matrix attend_known(const HeadsDescription& heads, const std::optional<Linear>& output, Pass& pass,
                    Buffer& out);

}  // namespace headlight
