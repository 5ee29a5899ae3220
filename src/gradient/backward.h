// From ids and a loss to the gradients of all weights, by back-propagation through the encoder
// (Rumelhart et al. 1986, "Learning representations by back-propagating errors").
// START HERE in this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "encoder/batch.h"
#include "encoder/dropout.h"
#include "gradient/parameters.h"
#include "gradient/part_products.h"
#include "math/matrix.h"
#include "model/description.h"
#include "model/weights.h"

namespace headlight {

/// What a backward pass computes: gradients, or by changed rules the relevance of values, which is
/// value · "gradient" (Achtibat et al. 2024, "AttnLRP: Attention-Aware Layer-Wise Relevance
/// Propagation for Transformers", §3):
///
///   norm        its divisor is a constant
///   activation  (f(x) - f(0)) / x in place of f'(x)
///   product     half of the gradient for each factor: attention weights · values, queries · keys
///               (also of relative embeddings), gate · up
///
/// All else has its gradient, also the softmax. The relevance of all values of a stage, and the
/// shares of biases and of the softmax's constant part behind it, add up to the loss.
enum class BackwardRules : std::uint8_t { gradient, relevance };

/// What a loss can read. t texts; with Pooling::each_token logits are those of the n tokens.
struct Outputs {
  ConstMatrix logits;   // [t, c]; c is 0 without a classification head
  ConstMatrix vectors;  // [t, d] pooled, before the head; empty if the model pools otherwise
};

/// The derivatives of the loss, to be added to. Shaped like Outputs, 0 at first.
struct OutputGradients {
  Matrix logits;
  Matrix vectors;
};

/// Returns the loss of a batch and adds its derivatives (losses.h).
using Loss = std::function<double(const Outputs&, const OutputGradients&)>;

/// Memory of forward and backward passes; reused from batch to batch. For one thread, which shares
/// its work with idle threads. The number of threads changes no bit of the results.
class Backpropagation {
 public:
  /// `products` may be nullptr; else they become those of the last pass.
  explicit Backpropagation(BackwardRules rules = BackwardRules::gradient,
                           PartProducts* products = nullptr);
  ~Backpropagation();
  Backpropagation(Backpropagation&&) noexcept;
  Backpropagation& operator=(Backpropagation&&) noexcept;

  /// Not with a decoder. Adds the gradients of the loss to `gradients`, which has the layout of
  /// parameters.values(). Returns the loss. Throws what the loss throws.
  double add_gradients(const Parameters& parameters, const Batch& batch, const Dropout& dropout,
                       const Loss& loss, std::span<float> gradients);

  /// As above, for other numbers than the weights: the encoder starts from `embedded` [n, d], the
  /// vectors that the first layer reads, and the result is the gradient of the loss with respect to
  /// them, [n, d]. With a decoder both have [2n, d]: behind these the vectors that the decoder's
  /// first layer reads. Valid until the next call.
  struct Embedded {
    ConstMatrix vectors;  // what `embed()` makes of the ids if `start` was empty
    ConstMatrix gradient;
    double loss;
  };
  Embedded embedded_gradient(const Description& model, const Weights& weights, const Batch& batch,
                             ConstMatrix start, const Loss& loss);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace headlight
