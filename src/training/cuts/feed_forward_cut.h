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

/// Owns the weights of the narrower feed-forwards, which the model must not outlive.
class FeedForwardCut {
 public:
  struct Kept {
    std::size_t neurons;  // of each feed-forward
    std::size_t before;   // of the widest
    double share;         // of the variance of the outputs: what the neurons explain, in the worst
                          // layer; without a bias, of their squares
  };

  /// Keeps at most `size` neurons of each feed-forward, those whose outputs vary most, and computes
  /// the weights of their outputs anew. A sample of the inputs is encoded for that; those that
  /// cannot be read are left out. The model must not be prepared yet. Throws Error if it has no
  /// feed-forward.
  Kept cut(std::size_t size, const std::vector<const TextInput*>& inputs, Model& model);

 private:
  std::deque<std::vector<float>> memory_;
};

}  // namespace headlight
