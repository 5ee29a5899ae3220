#include "training/rows/development_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace headlight {
namespace {

/// The mixing function of SplitMix64 (Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

/// The place of a text in a random order, and its index.
using Drawn = std::pair<std::uint64_t, std::size_t>;

}  // namespace

void hold_out(std::vector<LabelledText> texts, double share, std::uint64_t seed,
              LabelledTexts& rows) {
  std::map<std::size_t, std::vector<Drawn>> groups;  // of different texts, by label
  std::map<std::uint64_t, std::size_t> first;        // the first row with the text
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!first.emplace(texts[i].key, i).second) continue;
    const auto& labels = texts[i].target.labels;
    const std::size_t group = labels.empty() ? rows.labels.names.size() : labels.front();
    groups[group].emplace_back(mixed(mixed(seed) ^ texts[i].order), i);
  }
  std::set<std::size_t> held;
  for (auto& [label, members] : groups) {
    std::sort(members.begin(), members.end());
    const auto count =
        static_cast<std::size_t>(std::lround(share * static_cast<double>(members.size())));
    members.resize(std::min(count, members.size() - 1));
    for (const auto& [draw, index] : members) held.insert(index);
  }
  for (LabelledText& text : texts) {
    const bool is_held = held.contains(first.at(text.key));
    (is_held ? rows.dev : rows.train).push_back(std::move(text));
  }
}

}  // namespace headlight
