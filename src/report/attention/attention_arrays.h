// Attention as arrays for NumPy.
#pragma once

#include "base/output.h"
#include "metrics/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// One array of float32: what is shown of each head, [layers, heads, q, w], or the rollout [q, w].
void write_attention_npy(const AttentionView& view, const AttentionLook& look, Output& output);

/// Named arrays: "attention", where weighted "norm_attention", or "rollout" in place of both; then
/// "tokens" [w], "layers" and "heads" where there are heads, "queries" where not all are chosen,
/// "label_attention" [c, heads, w] and "logits" [c] where the model has them.
void write_attention_npz(const AttentionView& view, const AttentionLook& look, Output& output);

}  // namespace headlight
