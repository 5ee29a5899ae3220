#include "model/flops.h"

#include <string>

#include "model/weight_tree.h"

namespace headlight {
namespace {

/// Counts the weights that each token uses.
class WeightCounter : public LinearVisitor {
 public:
  void linear(const std::string& /*name*/, Linear& /*linear*/, const LinearShape& shape) override {
    const bool is_used = shape.use == LinearUse::encoder || shape.use == LinearUse::sliced;
    if (is_used) count += shape.out * shape.in;
  }

  std::size_t count = 0;
};

}  // namespace

std::size_t flops_per_token(const Description& model) {
  WeightCounter counter;
  make_weights(with_own_weights(model), model.layers.size(), counter);
  return 2 * counter.count;
}

}  // namespace headlight
