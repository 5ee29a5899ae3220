// One forward pass: its input, its scratch memory and its trace. Layers and heads take the whole
// struct, so that new members do not change their signatures.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/ablation.h"
#include "encoder/batch.h"
#include "encoder/disentangled_attention.h"
#include "encoder/scratch.h"
#include "encoder/text_cache.h"
#include "encoder/trace.h"
#include "model/description.h"

namespace headlight {

struct Pass {
  const Batch& batch;
  Scratch& scratch;
  /// Its requested parts are filled, one TextTrace per text. nullptr: nothing is kept.
  Trace* trace = nullptr;
  /// Keys, values and pooling of the single text that the batch continues. nullptr: texts are
  /// complete.
  TextCache* cache = nullptr;

  /// What the pass goes without. nullptr: nothing.
  const AblatedPart* part = nullptr;

  // Set by forward() during the pass.
  std::size_t layer = 0;                   // index of the current layer
  ConstMatrix relative_bias = {};          // as relative_bias() returns it
  RelativeScores relative_scores = {};     // of the current layer
  HeadMixing mixing = {};                  // of the current layer
  std::span<const Rotary> rotary = {};     // Description::rotary
  std::span<const Matrix> turns = {};      // as rotary_turns() returns them
  std::span<const std::size_t> rows = {};  // one per text, if no other rows are needed
};

}  // namespace headlight
