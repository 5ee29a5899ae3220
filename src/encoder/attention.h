// Attention in several heads over the texts of a batch, including input and output projections
// (Vaswani et al. 2017, §3.2.2). In layers tokens attend to each other; in label attention label
// queries attend to tokens.
#pragma once

#include <optional>
#include <span>

#include "encoder/pass.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// x [n, d] → Concat(head 1, …, head h) Woᵀ + bo, [m, d] in scratch.hidden.next; [m, H] without
/// output projection. m = n, or t with Pass::rows.
Matrix multi_head_attention(const HeadsDescription& heads, const AttentionWeights& weights,
                            Pass& pass, ConstMatrix x);

/// Computes the given ones of queries, keys and values from x [n, d], [n, H] or [n, H/g].
void project(const HeadsDescription& heads, std::span<const LinearOutput> projections,
             ConstMatrix x);

/// Computes scratch.attentions, whose outputs are the rows of `context` [m, H], the value `moment`.
void attend_texts(const HeadsDescription& heads, Moment moment, const Pass& pass,
                  ConstMatrix context);

/// The outputs of the heads [m, H] → [m, d] in `memory`, or themselves without `output`.
Matrix project_context(const std::optional<Linear>& output, const Pass& pass, Matrix context,
                       Buffer& memory);

}  // namespace headlight
