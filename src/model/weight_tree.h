// The one walk over the tensors of a model: reading, writing, preparing, gradients and counting are
// visitors of it. A new tensor is a member in weights.h and a line in weight_tree.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// What a linear layer reads.
enum class LinearUse : std::uint8_t {
  encoder,   // the complete vector of each token
  sliced,    // parts of it: of heads that each read their slice, and of a convolution in groups
  relative,  // the relative embeddings, which do not depend on a text
  head,      // in the head: vectors of texts, or of a label attention
};

/// What the description says of a linear layer.
struct LinearShape {
  std::size_t out;
  std::size_t in;
  bool bias;
  LinearUse use;
  std::size_t kernel = 0;  // k of a convolution, which files store as [out, in / k, k]; else 0
};

/// Names are those of native files; `linear` and `norm` get them without .weight and .bias. Sizes
/// are those of the description.
class WeightVisitor {
 public:
  WeightVisitor() = default;
  virtual ~WeightVisitor() = default;
  WeightVisitor(const WeightVisitor&) = delete;
  WeightVisitor& operator=(const WeightVisitor&) = delete;

  /// A lookup table [rows, cols].
  virtual void table(const std::string& name, Table& table, std::size_t rows, std::size_t cols) = 0;
  virtual void matrix(const std::string& name, ConstMatrix& matrix, std::size_t rows,
                      std::size_t cols) = 0;
  virtual void linear(const std::string& name, Linear& linear, const LinearShape& shape) = 0;
  virtual void norm(const std::string& name, LayerNorm& norm, std::size_t size, bool has_bias) = 0;
};

/// Visits only linear layers.
class LinearVisitor : public WeightVisitor {
 public:
  void table(const std::string&, Table&, std::size_t, std::size_t) final {}
  void matrix(const std::string&, ConstMatrix&, std::size_t, std::size_t) final {}
  void norm(const std::string&, LayerNorm&, std::size_t, bool) final {}
};

/// Visits the tensors that `weights` has, in the order of native files. Layers that share their
/// weights are visited once.
void visit_weights(const Description& model, WeightVisitor& visitor, Weights& weights);

/// Visits all tensors that the description needs, each of them empty before the visit. `layers` is
/// the number of layers with weights, of which the model may use some more than once or never.
Weights make_weights(const Description& model, std::size_t layers, WeightVisitor& visitor);

/// The same model with weights of its own for each layer, as native files have them.
Description with_own_weights(Description model);

}  // namespace headlight
