// One forward pass: what it reads, where it computes, what it keeps for the caller. Layers and
// heads take it whole, so that what a pass has more changes none of their signatures.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "encoder/text_cache.h"
#include "encoder/trace.h"

namespace headlight {

struct Pass {
  const Batch& batch;
  Scratch& scratch;
  /// Its wanted parts are filled, a TextTrace per text. nullptr: nothing is kept.
  Trace* trace = nullptr;
  /// Keys, values and pooling of the one text that the batch continues. nullptr: texts come whole.
  TextCache* cache = nullptr;

  // Set by forward() on the way.
  std::size_t layer = 0;                   // which of the description's layers runs
  ConstMatrix relative_bias = {};          // as relative_bias() returns it
  std::span<const std::size_t> rows = {};  // one per text, if the layer's other rows are not needed
};

}  // namespace headlight
