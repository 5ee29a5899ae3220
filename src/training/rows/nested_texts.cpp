#include "training/rows/nested_texts.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"

namespace headlight {
namespace {

constexpr std::size_t kLeastWords = 3;  // shorter texts are parts of others by chance

/// Hashes of all parts of a text, in constant time each.
class WordHashes {
 public:
  /// Of at most the first `most` words.
  WordHashes(std::string_view text, std::size_t most) {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (std::size_t begin = text.find_first_not_of(kBlanks);
         begin != std::string_view::npos && words() < most;) {
      const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
      sums_.push_back(sums_.back() * kFactor + short_hash_of(text.substr(begin, end - begin)));
      powers_.push_back(powers_.back() * kFactor);
      begin = text.find_first_not_of(kBlanks, end);
    }
  }

  std::size_t words() const { return sums_.size() - 1; }
  std::uint64_t of(std::size_t begin, std::size_t count) const {
    return mixed_bits(sums_[begin + count] - sums_[begin] * powers_[count]);
  }

 private:
  static constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;  // odd
  std::vector<std::uint64_t> sums_{0};
  std::vector<std::uint64_t> powers_{1};
};

struct PossiblePart {
  bool is_part = false;
  bool is_of_others = false;  // of one that is not held
};

/// The texts of some rows, by the hash of all their words.
class PossibleParts {
 public:
  void add(const WordHashes& text) {
    parts_.try_emplace(text.of(0, text.words()));
    lengths_[text.of(0, kLeastWords)].insert(text.words());
  }
  PossiblePart& of(const WordHashes& text) { return parts_.at(text.of(0, text.words())); }
  /// Marks all that are shorter than `text` and a part of it. At each word the longest comes first:
  /// where it was marked before, so were those that it begins with.
  void mark(const WordHashes& text, bool is_held) {
    for (std::size_t begin = 0; begin + kLeastWords <= text.words(); ++begin) {
      const auto starting = lengths_.find(text.of(begin, kLeastWords));
      if (starting == lengths_.end()) continue;
      const std::size_t most = std::min(text.words() - begin, text.words() - 1);
      const auto& lengths = starting->second;
      for (auto next = lengths.upper_bound(most); next != lengths.begin();) {
        const auto found = parts_.find(text.of(begin, *--next));
        if (found == parts_.end()) continue;
        PossiblePart& part = found->second;
        if (part.is_part && (part.is_of_others || is_held)) break;
        part.is_part = true;
        part.is_of_others = part.is_of_others || !is_held;
      }
    }
  }

 private:
  std::unordered_map<std::uint64_t, PossiblePart> parts_;
  std::unordered_map<std::uint64_t, std::set<std::size_t>> lengths_;  // by the first words
};

/// No model reads more words of a row.
std::size_t read_words(const LabelledRow& row) {
  constexpr std::size_t kMost = 65536;  // where it is not known yet
  if (row.tokens.size() == 0) return kMost;
  return row.tokens.truncated > 0 ? row.own : SIZE_MAX;
}

}  // namespace

void hold_parts_together(const std::vector<LabelledRow>& rows, std::vector<bool>& held) {
  std::vector<WordHashes> texts;
  texts.reserve(rows.size());
  for (const LabelledRow& row : rows) {
    texts.emplace_back(row.input.pair ? "" : row.input.text, read_words(row));
  }
  PossibleParts parts;
  std::vector<std::size_t> longest_first;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (texts[i].words() < kLeastWords) continue;
    parts.add(texts[i]);
    longest_first.push_back(i);
  }
  std::ranges::stable_sort(longest_first, std::greater<>(),
                           [&](std::size_t i) { return texts[i].words(); });
  for (const std::size_t i : longest_first) {
    const PossiblePart& part = parts.of(texts[i]);
    if (part.is_part) held[i] = !part.is_of_others;
    parts.mark(texts[i], held[i]);
  }
}

}  // namespace headlight
