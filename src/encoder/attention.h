// Attention in several heads over the texts of a batch, from projections to projection (Vaswani et
// al. 2017, §3.2.2): one for layers, whose tokens attend to each other, and for labels, whose
// queries attend to tokens.
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

/// Some of the queries, keys and values of x [n, d], each [n, H].
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
  ConstMatrix key;    // [n, H]
  ConstMatrix value;  // [n, H]
  /// Takes these keys and values, and holds those of the text's earlier tokens. nullptr: texts come
  /// whole.
  KeyValueCache* cache;
};

/// What each query took from its text, [m, d] in `out` ([m, H] without `output`); of labels
/// [texts · c, d], text after text.
Matrix attend_texts(const HeadsDescription& heads, const std::optional<Linear>& output,
                    const AttentionInput& input, Pass& pass, Buffer& out);

}  // namespace headlight
