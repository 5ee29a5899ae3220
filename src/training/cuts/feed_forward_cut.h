// Makes the feed-forwards of a model narrower before all of its weights are trained. What the
// neurons that are left out gave is predicted from those that stay, by least squares on texts
// (He et al. 2017, "Channel Pruning for Accelerating Very Deep Neural Networks", §3.1).
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "classifier/text_classifier.h"
#include "model/model.h"

namespace headlight {

/// What a cut keeps of a model.
struct CutResult {
  std::size_t count;   // of tokens, or of neurons of each feed-forward
  std::size_t before;  // of the widest feed-forward
  double share;  // of the tokens of the texts; or of the variance of the outputs: what the neurons
                 // explain, in the worst layer; without a bias, of their squares
};

/// Owns the weights of the narrower feed-forwards, which the model must not outlive.
class FeedForwardCut {
 public:
  /// Keeps at most `size` neurons of each feed-forward, those whose outputs vary most, and computes
  /// the weights of their outputs anew. A sample of the inputs is encoded for that; those that
  /// cannot be read are left out. The model must not be prepared yet. Throws Error if it has no
  /// feed-forward.
  CutResult cut(std::size_t size, const std::vector<const TextInput*>& inputs, Model& model);

 private:
  std::deque<std::vector<float>> memory_;
};

}  // namespace headlight
