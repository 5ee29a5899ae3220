#include "training/head/lbfgs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

namespace headlight {
namespace {

using Numbers = std::vector<double>;

/// The sum of eight chains, which the compiler may compute side by side.
double dot(const Numbers& a, const Numbers& b) {
  constexpr std::size_t kChains = 8;
  std::array<double, kChains> sums{};
  std::size_t i = 0;
  for (; i + kChains <= a.size(); i += kChains) {
    for (std::size_t j = 0; j < kChains; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  double sum = 0.0;
  for (const double part : sums) sum += part;
  return sum;
}

/// y ← y + factor · x
void add_scaled(double factor, const Numbers& x, Numbers& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

double largest(const Numbers& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

/// The last changes of x and of the gradient.
class Memory {
 public:
  void add(Numbers s, Numbers y) {
    const double curvature = dot(s, y);
    if (curvature <= kLeastCurvature * dot(y, y)) return;
    if (pairs_.size() == kPairs) pairs_.pop_front();
    pairs_.push_back({std::move(s), std::move(y), 1.0 / curvature});
  }
  void clear() { pairs_.clear(); }
  bool is_empty() const { return pairs_.empty(); }

  /// −H · gradient, with the approximated inverse Hessian H.
  Numbers direction(const Numbers& gradient) const {
    Numbers q = gradient;
    std::vector<double> factors(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      factors[i] = pairs_[i].scale * dot(pairs_[i].s, q);
      add_scaled(-factors[i], pairs_[i].y, q);
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      const double scale = 1.0 / (last.scale * dot(last.y, last.y));
      for (double& value : q) value *= scale;
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double factor = pairs_[i].scale * dot(pairs_[i].y, q);
      add_scaled(factors[i] - factor, pairs_[i].s, q);
    }
    for (double& value : q) value = -value;
    return q;
  }

 private:
  static constexpr std::size_t kPairs = 10;
  static constexpr double kLeastCurvature = 1e-14;
  struct Pair {
    Numbers s, y;
    double scale;  // 1 / (s · y)
  };
  std::deque<Pair> pairs_;
};

/// A point with its value and gradient.
struct Point {
  Numbers x;
  double value = 0.0;
  Numbers gradient;
};

/// The first of the steps 1, ½, ¼, … that makes f small enough; false if there is none.
bool search_line(const DifferentiableFunction& f, const Point& from, const Numbers& direction,
                 double step, Point& to) {
  constexpr double kArmijo = 1e-4;
  constexpr int kMostHalvings = 40;
  const double slope = dot(from.gradient, direction);
  if (!(slope < 0.0)) return false;
  for (int i = 0; i < kMostHalvings; ++i, step /= 2.0) {
    to.x = from.x;
    add_scaled(step, direction, to.x);
    to.value = f(to.x, to.gradient);
    if (to.value <= from.value + kArmijo * step * slope && to.value < from.value) return true;
  }
  return false;
}

}  // namespace

std::size_t minimize(const DifferentiableFunction& f, std::vector<double>& x,
                     const LbfgsOptions& options, const std::function<bool()>& stopped) {
  Point at{x, 0.0, Numbers(x.size())};
  Point next{x, 0.0, Numbers(x.size())};
  at.value = f(at.x, at.gradient);
  Memory memory;
  std::size_t steps = 0;
  while (steps < options.most_steps && largest(at.gradient) > options.tolerance) {
    const Numbers direction = memory.direction(at.gradient);
    const double first =
        memory.is_empty() ? 1.0 / std::max(1.0, std::sqrt(dot(at.gradient, at.gradient))) : 1.0;
    if (!search_line(f, at, direction, first, next)) {
      if (memory.is_empty()) break;
      memory.clear();  // its directions no longer help: begin with the gradient again
      continue;
    }
    Numbers s = next.x;
    add_scaled(-1.0, at.x, s);
    Numbers y = next.gradient;
    add_scaled(-1.0, at.gradient, y);
    memory.add(std::move(s), std::move(y));
    std::swap(at, next);
    ++steps;
    if (stopped()) break;
  }
  x = at.x;
  return steps;
}

}  // namespace headlight
