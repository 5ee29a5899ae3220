// The intermediate values of a forward pass that a backward pass reads (gradient/backward.h). A
// pass with a tape writes each of them to memory of its own instead of scratch memory.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "encoder/batch.h"
#include "encoder/dropout.h"
#include "encoder/observer.h"
#include "encoder/position_tables.h"
#include "math/matrix.h"

namespace headlight {

/// Values by their names. A value that was not noted is empty.
class Values {
 public:
  ConstMatrix& operator[](Moment moment) { return values_[static_cast<std::size_t>(moment)]; }
  ConstMatrix operator[](Moment moment) const { return values_[static_cast<std::size_t>(moment)]; }

 private:
  std::array<ConstMatrix, kMoments> values_;
};

struct Tape final : Observer {
  Dropout dropout;
  /// [n, d]: replaces the embedded tokens, and with a decoder [2n, d]: behind them those that it
  /// reads; empty: it does not.
  ConstMatrix start;

  // Filled by the pass.
  Values values;
  std::vector<Values> layers;
  std::vector<std::vector<TextAttention>> attentions;  // of each layer, then of the labels
  PositionTables positions;
  std::span<const std::size_t> rows;  // Pass::rows of the last layer

  /// Before each pass; its memory is used again.
  void rewind(std::size_t layers_of_model);
  /// Drops numbers of a value, a branch of `layer` or another one that change() drops, as the pass
  /// did. `batch_rows` are those of x.
  void drop(Moment moment, std::size_t layer, const BatchRows& batch_rows, Matrix x) const;

  bool keeps_values() const override { return true; }
  Buffer& memory(Buffer& usual) override;
  void note(const Pass& pass, Moment moment, ConstMatrix value) override;
  void change(const Pass& pass, Moment moment, Matrix value) override;
  void attend(const Pass& pass, Moment moment, std::span<TextAttention> texts) override;

 private:
  std::deque<Buffer> buffers_;  // a deque, because callers keep references
  std::size_t used_ = 0;
};

}  // namespace headlight
