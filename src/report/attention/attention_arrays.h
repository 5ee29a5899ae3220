// Attention as arrays for NumPy.
#pragma once

#include "base/output.h"
#include "report/attention/attention_view.h"

namespace headlight {

/// One array of float32: what is shown of each head, [layers, heads, q, w], or the rollout [q, w].
void write_attention_npy(Output& output, const AttentionView& view);

/// Named arrays: "attention", where weighted "norm_attention", or "rollout" in place of both; then
/// "tokens" [w], "layers" and "heads" where there are heads, "queries" where not all are chosen,
/// "label_attention" [c, heads, w] and "logits" [c] where the model has them.
void write_attention_npz(Output& output, const AttentionView& view);

}  // namespace headlight
