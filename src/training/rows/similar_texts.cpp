#include "training/rows/similar_texts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr std::size_t kLeastWords = 3;  // shorter texts are parts of others by chance

/// The hashes of at most `most` words, in lower case. Characters without blanks between words are
/// words.
void add_words(std::string_view text, std::size_t most, std::vector<std::uint64_t>& words) {
  std::u32string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(short_hash_of(to_utf8(word)));
    word.clear();
  };
  for (std::size_t at = 0; at < text.size() && words.size() < most;) {
    const auto decoded = decode_utf8(text, at);
    if (!decoded) break;
    at += decoded->bytes;
    const char32_t c = decoded->code_point;
    const bool is_alone = is_chinese(c);
    if (is_alone || is_white_space(c)) end_word();
    if (is_white_space(c) || is_punctuation(c)) continue;
    word += to_lowercase(c);
    if (is_alone) end_word();
  }
  if (words.size() < most) end_word();
}

/// No model reads more words of a row.
std::size_t read_words(const LabelledRow& row) {
  constexpr std::size_t kMost = 65536;  // where it is not known yet
  if (row.tokens.size() == 0) return kMost;
  return row.tokens.truncated > 0 ? row.own : SIZE_MAX;
}

/// Hashes of all parts of a text, in constant time each.
class PartHashes {
 public:
  explicit PartHashes(const std::vector<std::uint64_t>& words) {
    for (const std::uint64_t word : words) {
      sums_.push_back(sums_.back() * kFactor + word);
      powers_.push_back(powers_.back() * kFactor);
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

class SimilarTexts {
 public:
  explicit SimilarTexts(const std::vector<LabelledRow>& rows) : parents_(rows.size()) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
    for (const LabelledRow& row : rows) {
      check_stopped();
      std::vector<std::uint64_t>& words = words_.emplace_back();
      add_words(row.input.text, read_words(row), words);
      are_pairs_.push_back(row.input.pair.has_value());
      if (!row.input.pair) continue;
      words.push_back(kBetween);
      add_words(*row.input.pair, SIZE_MAX, words);
    }
  }

  void link_equal(const std::vector<LabelledRow>& rows) {
    std::unordered_map<std::uint64_t, std::size_t> keys;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      check_stopped();
      link(i, keys.emplace(rows[i].key, i).first->second);
      if (words_[i].empty()) continue;
      link(i, equal_.emplace(PartHashes(words_[i]).of(0, words_[i].size()), i).first->second);
    }
  }

  /// The longest part from each word on has the shorter ones as its own parts.
  void link_parts() {
    std::unordered_map<std::uint64_t, std::set<std::size_t>> lengths;  // by the first words
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (are_pairs_[i] || words_[i].size() < kLeastWords) continue;
      lengths[PartHashes(words_[i]).of(0, kLeastWords)].insert(words_[i].size());
    }
    for (std::size_t i = 0; i < words_.size(); ++i) {
      check_stopped();
      const PartHashes text(words_[i]);
      for (std::size_t begin = 0; !are_pairs_[i] && begin + kLeastWords <= text.words(); ++begin) {
        const auto starting = lengths.find(text.of(begin, kLeastWords));
        if (starting == lengths.end()) continue;
        const std::size_t most = std::min(text.words() - begin, text.words() - 1);
        for (auto next = starting->second.upper_bound(most); next != starting->second.begin();) {
          const auto found = equal_.find(text.of(begin, *--next));
          if (found == equal_.end() || are_pairs_[found->second]) continue;
          link(i, found->second);
          break;
        }
      }
    }
  }

  /// Two texts that share such a part of their weights share one of the rarest words of each, which
  /// have the rest of its weight. Both share words that texts hardly share by chance.
  void link_similar() {
    constexpr double kShared = 0.6;
    constexpr double kSurprise = 1.5;        // in units of the logarithm of the number of texts
    constexpr std::size_t kMostTexts = 500;  // that have a word
    std::unordered_map<std::uint64_t, std::size_t> counts;
    for (auto& words : words_) {
      std::ranges::sort(words);
      words.erase(std::unique(words.begin(), words.end()), words.end());
      for (const std::uint64_t word : words) ++counts[word];
    }
    const auto n = static_cast<double>(words_.size());
    const auto weight = [&](std::uint64_t word) {
      return std::log(n / static_cast<double>(counts.at(word)));
    };
    const auto sum = [&](const auto& words) {
      double total = 0.0;
      for (const std::uint64_t word : words) total += weight(word);
      return total;
    };
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> texts;  // by their rarest words
    std::vector<double> sums;
    std::vector<std::size_t> compared(words_.size(), SIZE_MAX);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      check_stopped();
      const auto& own = words_[i];
      sums.push_back(sum(own));
      if (sums[i] < kSurprise * std::log(n)) continue;
      std::vector<std::uint64_t> rarest = own;
      std::ranges::sort(rarest, {}, [&](auto word) { return std::pair(counts.at(word), word); });
      double rest = sums[i];
      for (std::size_t k = 0; k < rarest.size() && rest >= kShared * sums[i]; ++k) {
        rest -= weight(rarest[k]);
        std::vector<std::size_t>& others = texts[rarest[k]];
        for (const std::size_t j : others) {
          if (std::exchange(compared[j], i) == i || find(i) == find(j)) continue;
          std::vector<std::uint64_t> both;
          std::ranges::set_intersection(own, words_[j], std::back_inserter(both));
          const double shared = sum(both);
          if (both.size() < kLeastWords || shared < kSurprise * std::log(n)) continue;
          if (shared >= kShared * (sums[i] + sums[j] - shared)) link(i, j);
        }
        if (others.size() < kMostTexts) others.push_back(i);
      }
    }
  }

  std::size_t find(std::size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

 private:
  static constexpr std::uint64_t kBetween = 1;  // the words of two texts

  void link(std::size_t i, std::size_t j) {
    i = find(i);
    j = find(j);
    parents_[std::max(i, j)] = std::min(i, j);
  }

  std::vector<std::vector<std::uint64_t>> words_;  // of each text; in the end different, ascending
  std::vector<bool> are_pairs_;
  std::unordered_map<std::uint64_t, std::size_t>
      equal_;                         // the first text, by the hash of all words
  std::vector<std::size_t> parents_;  // of a forest, a tree for each group; the first row is a root
};

}  // namespace

void group_similar_texts(std::vector<LabelledRow>& rows) {
  SimilarTexts texts(rows);
  texts.link_equal(rows);
  texts.link_parts();
  if (rows.size() <= kMostSimilarRows) texts.link_similar();
  std::vector<bool> is_mixed(rows.size());  // by the first row
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].key != rows[texts.find(i)].key) is_mixed[texts.find(i)] = true;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t first = texts.find(i);
    if (is_mixed[first]) rows[i].group = rows[first].key;
  }
}

}  // namespace headlight
