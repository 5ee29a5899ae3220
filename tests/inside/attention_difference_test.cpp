// Words that stand for each other, against every way to align short texts; and differences of
// attention between them, against plain sums.
#include "inside/attention_difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::attention_difference_test {
namespace {

using Words = std::vector<TokenWord>;

/// A word of one token for each letter: a special token for a capital one, of the pair for a digit.
Words words_of_letters(const std::string& letters) {
  Words words;
  for (const char c : letters) {
    Sequence sequence = Sequence::first;
    if (c >= 'A' && c <= 'Z') sequence = Sequence::none;
    if (c >= '0' && c <= '9') sequence = Sequence::second;
    words.push_back({std::string(1, c), words.size(), words.size() + 1, {}, sequence});
  }
  return words;
}

/// Edits, and how many of them are substitutions.
using Cost = std::pair<std::size_t, std::size_t>;

/// The least cost from word i of `a` and word j of `b` on, of all ways.
Cost least_cost(const Words& a, const Words& b, std::size_t i, std::size_t j) {
  if (i == a.size() || j == b.size()) return {a.size() - i + b.size() - j, 0};
  Cost best = least_cost(a, b, i + 1, j);
  best = std::min(best, least_cost(a, b, i, j + 1));
  best.first += 1;
  if (a[i].sequence == b[j].sequence) {
    const std::size_t differs = a[i].text == b[j].text ? 0 : 1;
    const Cost rest = least_cost(a, b, i + 1, j + 1);
    best = std::min(best, {rest.first + differs, rest.second + differs});
  }
  return best;
}

/// Checks that the pairs ascend, and returns their cost.
Cost cost_of(const Words& a, const Words& b, const std::vector<AlignedWords>& pairs) {
  Cost cost = {a.size() + b.size() - 2 * pairs.size(), 0};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [before, after] = pairs[i];
    REQUIRE(before < a.size());
    REQUIRE(after < b.size());
    REQUIRE(a[before].sequence == b[after].sequence);
    if (i > 0) REQUIRE((pairs[i - 1].before < before && pairs[i - 1].after < after));
    if (a[before].text != b[after].text) cost = {cost.first + 1, cost.second + 1};
  }
  return cost;
}

void check_alignment(const std::string& a, const std::string& b) {
  CAPTURE(a);
  CAPTURE(b);
  const Words before = words_of_letters(a);
  const Words after = words_of_letters(b);
  const auto pairs = aligned_words(before, after);
  CHECK(cost_of(before, after, pairs) == least_cost(before, after, 0, 0));
}

/// All words of up to `longest` letters.
std::vector<std::string> all_of(const std::string& letters, std::size_t longest) {
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == longest) continue;
    for (const char c : letters) all.push_back(all[i] + c);
  }
  return all;
}

TEST_CASE("words are aligned in the fewest edits, with the most equal words, of all ways") {
  const auto all = all_of("ab", 4);
  for (const std::string& a : all) {
    for (const std::string& b : all) check_alignment(a, b);
  }
  std::mt19937 random(1);
  const auto letters = [&] {
    std::string text;
    for (std::size_t i = random() % 8; i > 0; --i) text += "abcXY12"[random() % 7];
    return text;
  };
  for (int i = 0; i < 300; ++i) check_alignment(letters(), letters());
}

TEST_CASE("an alignment that one sees at once") {
  struct Row {
    const char* before;
    const char* after;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
  };
  const Row rows[] = {{"XabcY", "XabcY", {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}},
                      {"XabcY", "XadcY", {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}},
                      {"XabY", "XbcY", {{0, 0}, {2, 1}, {3, 3}}},
                      {"XbY", "XabcY", {{0, 0}, {1, 2}, {2, 4}}},
                      {"XY", "XabY", {{0, 0}, {1, 3}}},
                      {"XaY1Y", "XaY", {{0, 0}, {1, 1}, {2, 2}}},
                      {"a", "1", {}},
                      {"", "ab", {}}};
  for (const Row& row : rows) {
    CAPTURE(row.before);
    CAPTURE(row.after);
    std::vector<std::pair<std::size_t, std::size_t>> found;
    const Words before = words_of_letters(row.before);
    const Words after = words_of_letters(row.after);
    for (const auto& [a, b] : aligned_words(before, after)) found.emplace_back(a, b);
    CHECK(found.size() == row.pairs.size());
    if (row.before != std::string("XaY1Y")) CHECK(found == row.pairs);  // either Y may stay
  }
}

/// Words of 1 to 3 tokens each.
Words words_of_pieces(std::mt19937& random, std::size_t count) {
  Words words;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = next + 1 + random() % 3;
    words.push_back({"", next, end, {}, Sequence::first});
    next = end;
  }
  return words;
}

double between(const std::vector<float>& weights, const TokenWord& query, const TokenWord& key,
               std::size_t n) {
  double sum = 0;
  for (std::size_t i = query.begin; i < query.end; ++i) {
    for (std::size_t j = key.begin; j < key.end; ++j) {
      sum += static_cast<double>(weights[i * n + j]);
    }
  }
  return sum / static_cast<double>(query.end - query.begin);
}

TEST_CASE(
    "a difference is the sum over a key's tokens, the mean over a query's, after less before") {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> numbers(0, 1);
  for (const auto& [a, b] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 1}, {3, 5}, {7, 2}, {6, 6}}) {
    const Words before = words_of_pieces(random, a);
    const Words after = words_of_pieces(random, b);
    const std::size_t n = before.back().end;
    const std::size_t m = after.back().end;
    std::vector<float> first(n * n);
    std::vector<float> second(m * m);
    std::ranges::generate(first, [&] { return numbers(random); });
    std::ranges::generate(second, [&] { return numbers(random); });
    std::vector<AlignedWords> pairs;
    for (std::size_t i = 0; i < std::min(a, b); i += 2) pairs.push_back({a - 1 - i, i});
    const auto found = attention_difference({first, before}, {second, after}, pairs);
    REQUIRE(found.size() == pairs.size() * pairs.size());
    std::size_t at = 0;
    for (const AlignedWords& query : pairs) {
      for (const AlignedWords& key : pairs) {
        const double expected = between(second, after[query.after], after[key.after], m) -
                                between(first, before[query.before], before[key.before], n);
        CHECK(std::abs(static_cast<double>(found[at++]) - expected) < 1e-6);
      }
    }
  }
  CHECK(attention_difference({}, {}, {}).empty());
}

}  // namespace
}  // namespace headlight::attention_difference_test
