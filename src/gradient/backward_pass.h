// One backward pass: what it reads, its memory, and where gradients go.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "encoder/batch.h"
#include "encoder/tape.h"
#include "gradient/backward.h"
#include "math/activation.h"
#include "math/linear_gradient.h"
#include "math/matrix.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// The gradients of weights. The gradient of a number has the place of that number in its block.
class WeightGradients {
 public:
  /// No gradients of weights are wanted.
  WeightGradients() = default;
  /// Both blocks have the layout of Parameters.
  WeightGradients(const float* values, float* gradients) : values_(values), gradients_(gradients) {}

  bool wanted() const { return gradients_ != nullptr; }
  Matrix of(const Table& table) const {
    return {at(reinterpret_cast<const float*>(table.bytes)), table.rows, table.cols};
  }
  Matrix of(const ConstMatrix& matrix) const { return {at(matrix.data), matrix.rows, matrix.cols}; }
  std::span<float> of(std::span<const float> vector) const {
    if (vector.empty()) return {};
    return {at(vector.data()), vector.size()};
  }

 private:
  float* at(const float* value) const { return gradients_ + (value - values_); }

  const float* values_ = nullptr;
  float* gradients_ = nullptr;
};

/// Memory of a backward pass; taken and given back like a stack.
class BackwardMemory {
 public:
  Matrix take(std::size_t rows, std::size_t cols) {
    if (used_ == buffers_.size()) buffers_.emplace_back();
    return buffers_[used_++].shape(rows, cols);
  }
  Matrix take_zeros(std::size_t rows, std::size_t cols);
  Matrix take_copy(ConstMatrix x);

  /// Gives back what was taken during its lifetime.
  class Frame {
   public:
    explicit Frame(BackwardMemory& memory) : memory_(memory), used_(memory.used_) {}
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    ~Frame() { memory_.used_ = used_; }

   private:
    BackwardMemory& memory_;
    std::size_t used_;
  };

 private:
  std::deque<Buffer> buffers_;  // a deque, because callers keep matrices
  std::size_t used_ = 0;
};

struct BackwardPass {
  const Description& model;
  const Weights& weights;
  const Batch& batch;
  const Tape& tape;
  WeightGradients gradients;
  BackwardMemory& memory;
  BackwardRules rules = BackwardRules::gradient;
  PartProducts* products = nullptr;          // nullptr: not wanted
  std::vector<Matrix> relative_biases = {};  // gradients of PositionTables::relative_biases
  Matrix source = {};                    // [n, d], with a decoder: the gradients of Moment::source
  Matrix target = {};                    // and of Moment::target_embedded
  ConstMatrix relative_embeddings = {};  // [2s, d], normed if they are; empty: there are none
  Matrix relative_gradient = {};         // [2s, d] of these
};

/// Calls work(first row, count) for blocks of rows, on idle threads too.
template <typename Work>
void share_rows(std::size_t rows, const Work& work) {
  constexpr std::size_t kRows = 64;
  share_work((rows + kRows - 1) / kRows, [&](std::size_t block) {
    work(block * kRows, std::min(kRows, rows - block * kRows));
  });
}

/// The gradients of the weights of a layer y = x · weightᵀ + bias.
void add_linear_gradient(const BackwardPass& pass, const Linear& linear, ConstMatrix x,
                         ConstMatrix dy);
/// The same, and dx = the gradient of x.
void linear_gradient(const BackwardPass& pass, const Linear& linear, ConstMatrix x, ConstMatrix dy,
                     Matrix dx);

/// dx = the gradient of LN(x), from dy; dx may be dy. Adds the gradients of gain and bias.
void norm_gradient(const BackwardPass& pass, const LayerNorm& norm, ConstMatrix x, ConstMatrix dy,
                   Matrix dx);

/// dy [n, f] ← that of x, the arguments of the activation.
void activation_gradient(const BackwardPass& pass, Activation activation, ConstMatrix x, Matrix dy);

/// Adds value · gradient of the parts of a layer, if these are wanted.
void add_products(const BackwardPass& pass, PartKind kind, std::size_t layer, ConstMatrix value,
                  ConstMatrix gradient);

/// dy ← dy · factor
void scale(float factor, Matrix dy);

/// to += from, or `to`'s row rows[i] += row i of `from` if there are rows.
void add_rows(std::span<const std::size_t> rows, ConstMatrix from, Matrix to);

}  // namespace headlight
