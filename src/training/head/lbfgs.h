// L-BFGS: minimizes a smooth convex function (Nocedal and Wright 2006, "Numerical Optimization",
// algorithm 7.5), with a line search for the Armijo condition.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace headlight {

struct LbfgsOptions {
  double tolerance = 1e-6;  // of the largest element of the gradient
  std::size_t most_steps = 1000;
};

/// Returns f(x) and writes its gradient, which has the size of x.
using DifferentiableFunction =
    std::function<double(const std::vector<double>& x, std::vector<double>& gradient)>;

/// Moves x to the minimum of f. Returns the number of steps. It ends early if no step makes f
/// smaller in float64, or if `stopped`, which is called after each step, returns true.
std::size_t minimize(const DifferentiableFunction& f, std::vector<double>& x,
                     const LbfgsOptions& options, const std::function<bool()>& stopped);

}  // namespace headlight
