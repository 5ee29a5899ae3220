#include "reference/disentangled.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

/// make_log_bucket_position, in float32 as there.
long bucket(long distance, std::size_t buckets, std::size_t farthest) {
  const long middle = static_cast<long>(buckets / 2);
  const long far = std::abs(distance);
  if (far <= middle) return distance;
  const double all = static_cast<double>(farthest - 1) / static_cast<double>(middle);
  const float share = std::log(static_cast<float>(far) / static_cast<float>(middle)) /
                      std::log(static_cast<float>(all));
  const long found = static_cast<long>(std::ceil(share * static_cast<float>(middle - 1))) + middle;
  return distance < 0 ? -found : found;
}

}  // namespace

std::size_t relative_column(const RelativePositions& positions, std::size_t i, std::size_t j) {
  long distance = static_cast<long>(i) - static_cast<long>(j);
  if (positions.farthest) distance = bucket(distance, positions.span, *positions.farthest);
  const long span = static_cast<long>(positions.span);
  return static_cast<std::size_t>(std::clamp(distance + span, 0L, 2 * span - 1));
}

Matrix relative_products(const RelativePositions& positions, const QueriesAndKeys& head,
                         const QueriesAndKeys& embeddings) {
  const std::size_t m = head.queries.shape(0);
  const std::size_t n = head.keys.shape(0);
  Matrix products = xt::zeros<double>({m, n});
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t c = relative_column(positions, i, j);
      for (std::size_t k = 0; k < head.queries.shape(1); ++k) {
        if (positions.content_to_position) {
          products(i, j) += head.queries(i, k) * embeddings.keys(c, k);
        }
        if (positions.position_to_content) {
          products(i, j) += head.keys(j, k) * embeddings.queries(c, k);
        }
      }
    }
  }
  return products;
}

Matrix convolved(const Matrix& x, const Tensor& weight, const Row& bias) {
  const std::size_t n = x.shape(0);
  const std::size_t d = x.shape(1);
  const std::size_t width = weight.shape[1];
  const std::size_t kernel = weight.shape[2];
  Matrix out(TensorShape<2>{n, d});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t o = 0; o < d; ++o) {
      out(i, o) = bias(o);
      const std::size_t first = o / width * width;  // of its group
      for (std::size_t t = 0; t < kernel; ++t) {
        if (i + t < kernel / 2 || i + t - kernel / 2 >= n) continue;
        for (std::size_t c = 0; c < width; ++c) {
          out(i, o) +=
              weight.values[(o * width + c) * kernel + t] * x(i + t - kernel / 2, first + c);
        }
      }
    }
  }
  return out;
}

}  // namespace headlight::reference
