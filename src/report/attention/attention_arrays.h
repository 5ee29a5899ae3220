// Attention as arrays for NumPy.
#pragma once

#include <string>

#include "base/output.h"
#include "inside/attention_view.h"
#include "report/formats/npy.h"

namespace headlight {

/// Writes one float32 array: the chosen weights [layers, heads, q, w], or the rollout [q, w].
void write_attention_npy(const AttentionView& view, Output& output);

/// Named arrays: "attention" and, if weighted, "norm_attention"; or "rollout" instead of both. Then
/// "tokens" [w], "offsets" [w, 2], "layers" and "heads" (not for a rollout), "queries" (if not all
/// are chosen), "label_attention" [c, heads, w] and "logits" [c] (if the model has them). `prefix`
/// begins each name.
void add_attention_arrays(const AttentionView& view, const std::string& prefix, NpzWriter& npz);

}  // namespace headlight
