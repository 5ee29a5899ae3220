// One forward pass: its input, its scratch memory and its trace. Layers and heads take the whole
// struct, so that new members do not change their signatures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "encoder/ablation.h"
#include "encoder/batch.h"
#include "encoder/disentangled_attention.h"
#include "encoder/scratch.h"
#include "encoder/tape.h"
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
  /// Receives what a backward pass reads. nullptr: nothing is kept for one.
  Tape* tape = nullptr;

  /// What the pass goes without. nullptr: nothing.
  const AblatedPart* part = nullptr;

  // Set by forward() during the pass.
  std::size_t layer = 0;                   // index of the current layer
  ConstMatrix relative_bias = {};          // as relative_bias() returns it
  RelativeScores relative_scores = {};     // of the current layer
  std::span<const Rotary> rotary = {};     // Description::rotary
  std::span<const Matrix> turns = {};      // as rotary_turns() returns them
  std::span<const std::size_t> rows = {};  // one per text, if no other rows are needed

  /// Where values are noted; without a tape, they are not read.
  Tape& notes() { return tape == nullptr ? scratch.notes : *tape; }
  LayerTape& layer_notes() {
    return tape == nullptr ? scratch.notes.layers.front() : tape->layers[layer];
  }
  /// `usual`, or memory of the tape.
  Buffer& memory(Buffer& usual) const { return tape == nullptr ? usual : tape->fresh(); }
  /// A matrix for the result of a function of x: x itself, unless a tape keeps it.
  Matrix result_of(Matrix x) const {
    return tape == nullptr ? x : tape->fresh().shape(x.rows, x.cols);
  }
  /// Drops numbers of y, which has the rows of the pass.
  void drop(std::uint64_t place, Matrix y) const {
    if (tape != nullptr) drop_rows(tape->dropout, place, {batch, rows}, y);
  }
};

}  // namespace headlight
