#include "text/pipeline/longest_matches.h"

#include <algorithm>
#include <numeric>

namespace headlight {

void LongestMatches::add(std::u32string_view string, std::uint32_t number) {
  std::uint32_t node = 0;
  for (std::size_t i = string.size(); i > 0; --i) {
    const auto character = static_cast<std::uint32_t>(string[i - 1]);
    if (const auto child = edges_.find(node, character)) {
      node = *child;
      continue;
    }
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    edges_.insert(node, character, child);
    nodes_.push_back({node, character, nodes_[node].depth + 1});
    node = child;
  }
  if (nodes_[node].number == kNone) nodes_[node].number = number;
}

void LongestMatches::finish() {
  std::vector<std::uint32_t> by_depth(nodes_.size());
  std::iota(by_depth.begin(), by_depth.end(), 0U);
  std::stable_sort(by_depth.begin(), by_depth.end(), [&](std::uint32_t a, std::uint32_t b) {
    return nodes_[a].depth < nodes_[b].depth;
  });
  for (const std::uint32_t at : by_depth) {
    Node& node = nodes_[at];
    if (node.depth > 1) node.shorter = next(nodes_[node.parent].shorter, node.last);
    if (node.number == kNone) node.number = nodes_[node.shorter].number;
  }
}

std::uint32_t LongestMatches::next(std::uint32_t node, std::uint32_t character) const {
  while (true) {
    if (const auto child = edges_.find(node, character)) return *child;
    if (node == 0) return 0;
    node = nodes_[node].shorter;
  }
}

std::vector<std::uint32_t> LongestMatches::find(std::u32string_view text) const {
  std::vector<std::uint32_t> found(text.size());
  std::uint32_t node = 0;
  for (std::size_t i = text.size(); i > 0; --i) {
    node = next(node, static_cast<std::uint32_t>(text[i - 1]));
    found[i - 1] = nodes_[node].number;
  }
  return found;
}

}  // namespace headlight
