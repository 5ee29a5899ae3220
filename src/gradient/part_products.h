// What the parts of a model do to a loss, by one backward pass: for each text, what a part adds to
// the pass times the gradient there, summed over the tokens. To first order the loss falls by this
// if the part adds nothing (Nanda 2023, "Attribution Patching").
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "encoder/ablation.h"
#include "encoder/batch.h"
#include "math/matrix.h"

namespace headlight {

class PartProducts {
 public:
  /// Of all parts of this kind: head, neuron or layer.
  PartProducts(const Description& model, PartKind kind);

  PartKind kind() const { return kind_; }
  /// Before each pass: all products are 0.
  void start(std::size_t texts) { products_.assign(texts * parts_, 0.0); }
  /// Adds factor · value · gradient, both [n, …] or [t, …]: the columns of all parts of a layer.
  void add(const Batch& batch, std::size_t layer, double factor, ConstMatrix value,
           ConstMatrix gradient);
  /// In the order of parts_of(), after a pass.
  std::span<const double> of_text(std::size_t text) const {
    return {products_.data() + text * parts_, parts_};
  }

 private:
  PartKind kind_;
  std::vector<std::vector<std::size_t>> widths_;  // columns of each part of each layer
  std::size_t parts_ = 0;
  std::vector<double> products_;  // [t, parts]
};

}  // namespace headlight
