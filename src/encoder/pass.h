// One forward pass: its input, its memory, and what observes it. Layers and heads take the whole
// struct, so that new members do not change their signatures.
#pragma once

#include <cstddef>
#include <span>

#include "encoder/batch.h"
#include "encoder/observer.h"
#include "encoder/position_tables.h"
#include "encoder/scratch.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

struct Pass {
  const Batch& batch;
  Scratch& scratch;
  Observer* observer = nullptr;  // nullptr: none
  std::size_t labels = 0;        // read with each text (LabelReading)
  bool adds_folds = false;       // logits of Description::folds are [t, c + k · c]

  // Set by encode().
  const Description* model = nullptr;
  std::size_t layer = 0;                            // index of the current layer
  const RelativeTables* relative_tables = nullptr;  // of the current layer
  std::span<const std::size_t> rows = {};           // one per text, if no other rows are needed
  PositionTables positions = {};
  ConstMatrix source = {};  // [n, d] the encoder's vectors, in the layers of a decoder

  // What the observer says, if there is one.
  bool reads_all_rows() const { return observer != nullptr && observer->reads_all_rows(); }
  bool keeps_values() const { return observer != nullptr && observer->keeps_values(); }
  bool provides(Moment moment, Matrix value) const {
    return observer != nullptr && observer->provides(*this, moment, value);
  }
  void note(Moment moment, ConstMatrix value) const {
    if (observer != nullptr) observer->note(*this, moment, value);
  }
  void change(Moment moment, Matrix value) const {
    if (observer != nullptr) observer->change(*this, moment, value);
  }

  /// A matrix for a value, in `usual` or in memory of the observer.
  Matrix matrix(Buffer& usual, std::size_t rows_, std::size_t cols) const {
    return (observer == nullptr ? usual : observer->memory(usual)).shape(rows_, cols);
  }
  /// A matrix for the result of a function of x: x itself, unless the observer keeps it.
  Matrix result_of(Matrix x) const {
    return keeps_values() ? matrix(scratch.normed, x.rows, x.cols) : x;
  }
  /// LN(x [m, d]); x is the value `unnormed`.
  Matrix normed(const LayerNorm& norm, Moment unnormed, Matrix x) const;

  /// The activation that a linear layer applies at once: none, if the value before it is kept.
  Activation fused(Activation activation) const {
    return keeps_values() ? Activation::linear : activation;
  }
  /// act(x), where a linear layer has applied fused(activation) to x, the value `raw`. With an
  /// observer that keeps x, in `memory`.
  Matrix activated(Activation activation, Moment raw, Matrix x, Buffer& memory) const;

  /// x [n, d] → `rows` of it [t, d], or x itself if there are none.
  ConstMatrix selected(Buffer& memory, ConstMatrix x) const;
};

}  // namespace headlight
