#include "inside/attention_difference.h"

#include <algorithm>
#include <cstdint>

#include "inside/attention_view.h"

namespace headlight {

std::vector<AlignedWords> aligned_words(std::span<const TokenWord> before,
                                        std::span<const TokenWord> after) {
  const std::size_t width = after.size() + 1;
  const std::size_t edit = std::min(before.size(), after.size()) + 1;
  // A substitution costs a little more than a word that is left out or put in: among ways with the
  // same number of edits, those with the fewest have the most words that are the same.
  const auto pair_cost = [&](std::size_t at) {
    const TokenWord& first = before[at / width - 1];
    const TokenWord& second = after[at % width - 1];
    if (first.sequence != second.sequence) return 2 * edit + 1;  // never better than two edits
    return first.text == second.text ? 0 : edit + 1;
  };
  // [b + 1, a + 1] between the first words of both
  std::vector<std::size_t> costs((before.size() + 1) * width, SIZE_MAX);
  costs[0] = 0;
  for (std::size_t at = 1; at < costs.size(); ++at) {
    if (at >= width) costs[at] = costs[at - width] + edit;
    if (at % width == 0) continue;
    costs[at] = std::min(costs[at], costs[at - 1] + edit);
    if (at > width) costs[at] = std::min(costs[at], costs[at - width - 1] + pair_cost(at));
  }
  std::vector<AlignedWords> pairs;
  for (std::size_t at = costs.size() - 1; at >= width && at % width > 0;) {
    if (costs[at] == costs[at - width - 1] + pair_cost(at)) {
      pairs.push_back({at / width - 1, at % width - 1});
      at -= width + 1;
    } else {
      at -= costs[at] == costs[at - width] + edit ? width : 1;
    }
  }
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

void subtract_attention(const TextTrace& before, TextTrace& after) {
  for (std::size_t layer = 0; layer < after.attention.size(); ++layer) {
    auto& weights = after.attention[layer];
    std::transform(weights.begin(), weights.end(), before.attention[layer].begin(), weights.begin(),
                   std::minus<>());
  }
}

std::vector<float> attention_difference(const HeadOfText& before, const HeadOfText& after,
                                        std::span<const AlignedWords> pairs) {
  const auto between_words = [](const HeadOfText& head) {
    const std::vector<double> weights(head.weights.begin(), head.weights.end());
    return word_queries(word_keys(weights, head.words), head.words);
  };
  const std::vector<double> first = between_words(before);
  const std::vector<double> second = between_words(after);
  std::vector<float> difference;
  difference.reserve(pairs.size() * pairs.size());
  for (const AlignedWords& query : pairs) {
    for (const AlignedWords& key : pairs) {
      difference.push_back(
          static_cast<float>(second[query.after * after.words.size() + key.after] -
                             first[query.before * before.words.size() + key.before]));
    }
  }
  return difference;
}

}  // namespace headlight
