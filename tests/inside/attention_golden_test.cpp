// Replays what NumPy makes of attention: tests/golden/attention.json, which
// scripts/make attention_golden makes.
#include "attention_golden.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "inside/attention_statistics.h"
#include "inside/attention_view.h"

namespace headlight::attention_golden_test {
namespace {

const Json& measured() { return attention_golden()["measured"]; }

void check_near(const std::vector<double>& found, const Json& expected) {
  const auto wanted = numbers_of(expected);
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i] - wanted[i]) <= 1e-10 * (1.0 + std::abs(wanted[i])));
  }
}

std::vector<std::vector<float>> layers_of(const Json& group) {
  std::vector<std::vector<float>> layers;
  for (const Json& layer : group["attention"]) {
    const auto numbers = numbers_of(layer);
    layers.emplace_back(numbers.begin(), numbers.end());
  }
  return layers;
}

std::vector<TokenWord> words_of(const Json& group) {
  std::vector<TokenWord> words;
  for (const Json& word : group["words"]) words.push_back({"", word[0], word[1], {}, {}});
  return words;
}

std::size_t tokens_of(const Json& group) { return group["rollout"].size(); }

TEST_CASE("attention: the statistics of each head are NumPy's") {
  REQUIRE(measured().size() == 3);
  for (const Json& group : measured()) {
    INFO(group["name"].get<std::string>());
    std::vector<Sequence> sequences(tokens_of(group), Sequence::first);
    for (const std::size_t special : group["special"]) sequences[special] = Sequence::none;
    AttentionSums sums;
    sums.add(layers_of(group), sequences);
    const auto heads = sums.statistics();
    REQUIRE(heads.size() == group["statistics"].size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
      CAPTURE(i);
      const HeadStatistics& head = heads[i];
      CHECK(head.layer == i / group["attention"][0].size());
      CHECK(head.head == i % group["attention"][0].size());
      check_near({head.mean, head.std, head.max, head.entropy, head.distance, head.self,
                  head.previous, head.next, head.special},
                 group["statistics"][i]);
    }
  }
}

TEST_CASE("attention: the rollout, and what of it enters the pooled vector, are NumPy's") {
  for (const Json& group : measured()) {
    INFO(group["name"].get<std::string>());
    const std::size_t n = tokens_of(group);
    std::vector<LayerDescription> described;
    for (const bool residual : group["residuals"]) described.emplace_back().residual = residual;
    const auto rollout = attention_rollout(layers_of(group), n, described);
    check_near(rollout, group["rollout"]);
    const Json& pooled = group["pooled"];
    check_near(pooled_weights(rollout, n, 0), pooled["cls"]);
    check_near(pooled_weights(rollout, n, n - 1), pooled["last"]);
    check_near(pooled_weights(rollout, n, std::nullopt), pooled["mean"]);
  }
}

TEST_CASE("attention: words have the sum of their keys and the mean of their queries") {
  for (const Json& group : measured()) {
    INFO(group["name"].get<std::string>());
    const auto words = words_of(group);
    const std::size_t n = tokens_of(group);
    std::vector<double> all;
    for (const auto& layer : layers_of(group)) {
      for (std::size_t head = 0; head < layer.size(); head += n * n) {
        const std::vector<double> matrix(layer.begin() + static_cast<std::ptrdiff_t>(head),
                                         layer.begin() + static_cast<std::ptrdiff_t>(head + n * n));
        const auto merged = word_queries(word_keys(matrix, words), words);
        all.insert(all.end(), merged.begin(), merged.end());
      }
    }
    check_near(all, group["between_words"]);
    const auto rollout = numbers_of(group["rollout"]);
    check_near(word_queries(word_keys(rollout, words), words), group["rollout_between_words"]);
  }
}

TEST_CASE("without layers nothing flows: the rollout is the identity") {
  CHECK(attention_rollout({}, 2, {}) == std::vector<double>{1, 0, 0, 1});
}

}  // namespace
}  // namespace headlight::attention_golden_test
