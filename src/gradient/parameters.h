// All weights of a model as float32 numbers in one block, so that an optimizer is one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/matrix.h"
#include "math/number_format.h"
#include "model/description.h"
#include "model/tensor_source.h"
#include "model/weights.h"

namespace headlight {

/// The place of one tensor in the block.
struct ParameterTensor {
  std::string name;    // that of a native model, also for published families
  Shape shape;         // of the numbers in the block
  std::size_t offset;  // of its first number
  std::size_t size;    // how many numbers
  bool decays;         // false: a bias or a norm, which weight decay leaves alone
};

/// A tree of views of the same memory, without the prepared forms and the relative tables. Its
/// members can be replaced, such as the classifier by one for other labels, to make Parameters.
Weights views_of(const Description& description, const Weights& weights);

/// The weights belong to one description. Numbers between tensors are 0 and never used; their
/// gradients are 0.
class Parameters {
 public:
  /// Copies the weights of a loaded model of any family, which need not live longer.
  Parameters(Description description, const Weights& weights);
  /// Seeded random weights of a native model, as `headlight init` makes them; without labels, the
  /// model has no classifier.
  static Parameters random(const Description& description, std::uint64_t seed);

  const Description& description() const { return description_; }
  /// The numbers of all tensors. Call refresh() after writing them.
  std::span<float> values() { return {values_, size_}; }
  std::span<const float> values() const { return {values_, size_}; }
  /// Those of a tensor that the model has.
  std::span<float> values(std::string_view name);
  /// Makes weights() agree with values(): some weights are also kept in a derived form.
  void refresh();
  /// Views of the numbers, for the forward pass. Valid during the lifetime of this object, also
  /// after it was moved.
  const Weights& weights() const { return weights_; }
  /// In the order of the block.
  const std::vector<ParameterTensor>& tensors() const { return tensors_; }

 private:
  Description description_;
  Buffer block_;
  float* values_ = nullptr;  // in block_
  std::size_t size_ = 0;
  Weights weights_;
  std::vector<ParameterTensor> tensors_;
};

/// Rounds all tensors of two dimensions to the format of a file, as if they were written and read.
void round_matrices(NumberFormat format, Parameters& parameters);

}  // namespace headlight
