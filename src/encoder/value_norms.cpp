#include "encoder/value_norms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace headlight {
namespace {

/// Of the head whose columns of w [d, H] begin at `first`: w_headᵀ w_head, [e, e]. What projecting
/// does to lengths, in e² numbers: ‖w v‖² = vᵀ (wᵀ w) v.
std::vector<double> length_form(const std::optional<Linear>& output, std::size_t first,
                                std::size_t e) {
  std::vector<double> form(e * e, 0.0);
  if (!output) {
    for (std::size_t i = 0; i < e; ++i) form[i * e + i] = 1.0;
    return form;
  }
  std::vector<float> row(output->in());
  for (std::size_t r = 0; r < output->out(); ++r) {
    output->weight.read(r, row);
    const float* w = row.data() + first;
    for (std::size_t i = 0; i < e; ++i) {
      const double factor = w[i];
      for (std::size_t j = 0; j < e; ++j) form[i * e + j] += factor * w[j];
    }
  }
  return form;
}

/// √(vᵀ form v)
double length_of(std::span<const float> v, const std::vector<double>& form) {
  double square = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) sum += form[i * v.size() + j] * v[j];
    square += v[i] * sum;
  }
  return std::sqrt(std::max(square, 0.0));
}

}  // namespace

void value_norms(const HeadsDescription& heads, const std::optional<Linear>& output,
                 ConstMatrix value, std::span<float> norms) {
  std::size_t first = 0;
  auto norm = norms.begin();
  for (const std::size_t e : heads.sizes) {
    const std::vector<double> form = length_form(output, first, e);
    const ConstMatrix own = value.column_range(first, e);  // [n, e]
    for (std::size_t token = 0; token < own.rows; ++token) {
      *norm++ = static_cast<float>(length_of(own.row(token), form));
    }
    first += e;
  }
}

}  // namespace headlight
