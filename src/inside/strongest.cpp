#include "inside/strongest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

/// The indices of the `count` largest values, the largest first; ties in index order.
template <typename SizeOf>
std::vector<std::size_t> by_size(std::size_t count, const SizeOf& size_of) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
  return numbers;
}

std::vector<std::size_t> cut(std::vector<std::size_t> numbers, std::size_t most) {
  numbers.resize(std::min(numbers.size(), most));
  return numbers;
}

}  // namespace

std::vector<std::size_t> by_weight(std::span<const double> weights) {
  return by_size(weights.size(), [&](std::size_t i) { return weights[i]; });
}

std::vector<std::size_t> strongest_words(const Explanation& explanation, std::size_t label,
                                         std::size_t most) {
  const auto size = [&](std::size_t word) {
    return std::abs(explanation.words[word].effect[label]);
  };
  return cut(by_size(explanation.words.size(), size), most);
}

std::vector<std::size_t> strongest_pairs(const Explanation& explanation, std::size_t label,
                                         std::size_t most) {
  const auto size = [&](std::size_t pair) {
    return std::abs(explanation.pairs[pair].interaction[label]);
  };
  return cut(by_size(explanation.pairs.size(), size), most);
}

}  // namespace headlight
