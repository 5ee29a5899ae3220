// From ids to sentence vectors: the encoder, then the poolings and the other modules of
// model/sentence_modules.h.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/pass.h"
#include "model/description.h"
#include "model/sentence_modules.h"
#include "model/weights.h"

namespace headlight {

/// How to pool.
struct SentencePooling {
  std::span<const TokenPooling> modes;  // k
  std::size_t skipped = 0;              // the first tokens of each text, which are not pooled
};

/// The pooled vectors [t, k · d] of the batch's texts, valid until pass.scratch is used again.
/// Every text must have more tokens than are skipped.
ConstMatrix pooled_vectors(const Description& model, const Weights& weights,
                           const SentencePooling& pooling, Pass pass);

/// Memory for apply_modules().
struct ModuleBuffers {
  DoubleBuffer output;
  Buffer residual;
};

/// Applies the modules to each row of `vectors`, which are overwritten or replaced by vectors in
/// `buffers`. A row's result depends only on that row.
Matrix apply_modules(std::span<const VectorModule> modules, Matrix vectors, ModuleBuffers& buffers);

}  // namespace headlight
