#include "metrics/activations.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace headlight {
namespace {

using Vector = std::span<const float>;

double product(Vector a, Vector b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

double norm(Vector a) { return std::sqrt(product(a, a)); }

double cosine(Vector a, Vector b) {
  const double norms = norm(a) * norm(b);
  return norms > 0.0 ? std::clamp(product(a, b) / norms, -1.0, 1.0) : 0.0;
}

/// The vector of one of n tokens in [n, d].
Vector vector_of(const std::vector<float>& state, std::size_t n, std::size_t token) {
  const std::size_t width = state.size() / n;
  return Vector(state).subspan(token * width, width);
}

std::vector<double> similarities(const std::vector<float>& state, std::size_t n) {
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const double value = cosine(vector_of(state, n, i), vector_of(state, n, j));
      matrix[i * n + j] = matrix[j * n + i] = value;
    }
  }
  return matrix;
}

}  // namespace

Activations measure_activations(const std::vector<std::vector<float>>& states, std::size_t n) {
  Activations measured;
  for (std::size_t i = 0; i < states.size(); ++i) {
    auto& norms = measured.norms.emplace_back();
    for (std::size_t token = 0; token < n; ++token) {
      norms.push_back(norm(vector_of(states[i], n, token)));
    }
    measured.similarity.push_back(similarities(states[i], n));
    if (i == 0) continue;
    auto& change = measured.change.emplace_back();
    if (states[i].size() != states[i - 1].size()) continue;
    for (std::size_t token = 0; token < n; ++token) {
      change.push_back(cosine(vector_of(states[i - 1], n, token), vector_of(states[i], n, token)));
    }
  }
  return measured;
}

double mean_similarity(const std::vector<double>& similarity, std::size_t n, std::size_t token) {
  double sum = 0.0;
  for (std::size_t other = 0; other < n; ++other) {
    if (other != token) sum += similarity[token * n + other];
  }
  return n > 1 ? sum / static_cast<double>(n - 1) : 0.0;
}

double largest_norm(const Activations& activations) {
  double largest = 0.0;
  for (const auto& norms : activations.norms) {
    for (const double norm : norms) largest = std::max(largest, norm);
  }
  return largest;
}

}  // namespace headlight
