// The mean output of each head over all tokens of many texts.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/trace.h"
#include "inside/ablated_classifier.h"

namespace headlight {

class HeadMeans {
 public:
  /// The trace of a text of this many tokens, with its context.
  void add(const TextTrace& trace, std::size_t tokens);
  /// Adds the sums of another object. The same objects in the same order give the same bits.
  void add(const HeadMeans& other);
  /// All heads, replaced by their means. Zeros if nothing was added.
  std::vector<PartAway> heads(const Description& model) const;

 private:
  std::size_t tokens_ = 0;
  std::vector<std::vector<double>> sums_;  // per layer: [H]
};

}  // namespace headlight
