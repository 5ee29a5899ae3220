// Bare configs of configs/ learn tasks that their layouts can express.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "encoder/forward.h"
#include "encoder/trace.h"
#include "sanitized.h"
#include "training/course/development.h"
#include "training/toy_rows.h"
#include "training/whole/trainer.h"

namespace headlight::toys_test {
namespace {

constexpr std::size_t kRows = 2000;

/// The score on rows that the training did not see.
double score_of(const Parameters& parameters, const ToyRows& rows) {
  const auto unseen = rows.draw(1000, 3);
  return Development(parameters, unseen, {}).score().score;
}

double learned_score(Parameters& parameters, const ToyRows& rows) {
  const LabelledRows drawn = rows.train_and_dev(parameters.description(), kRows);
  TrainOptions options = options_from_scratch(parameters.description());
  options.patience = 6;
  train(parameters, drawn, options, {});
  return score_of(parameters, rows);
}

/// The highest word of the text decides; other words say nothing.
std::vector<std::size_t> label_of_highest(const Ids& ids, const std::vector<TokenId>& ranked) {
  for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
    if (has_word(ids, ranked[rank])) return {rank % 2};
  }
  return {};
}

/// The mean weight that all queries of a single head give to tokens of `word`.
double attention_to(const Parameters& parameters, const Ids& ids, TokenId word) {
  Batch batch;
  batch.add(ids, std::vector<TokenId>(ids.size()));
  Scratch scratch;
  Trace trace;
  trace.wants_attention = true;
  forward(parameters.description(), parameters.weights(), {batch, scratch, &trace});
  const std::vector<float>& weights = trace.texts[0].attention[0];
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (ids[i % ids.size()] == word) sum += weights[i];
  }
  return sum / static_cast<double>(ids.size());
}

TEST_CASE("one head without positions learns which word decides, and attends to it") {
  Parameters parameters = toy_parameters("self-attention");
  const std::vector<TokenId> ranked = {kBut, kNot, kBad, kGood};
  const ToyRows rows(16, [&](const Ids& ids) { return label_of_highest(ids, ranked); });
  CHECK(learned_score(parameters, rows) >= 0.99);
  CHECK(attention_to(parameters, {1, kBut, 2, kNot, 3}, kBut) > 0.5);
  CHECK(attention_to(parameters, {1, 6, 2, kNot, 3}, kNot) > 0.5);
}

TEST_CASE("heads of all sizes learn which word decides") {
  for (const std::string name : {"one-head", "four-heads"}) {
    CAPTURE(name);
    Parameters parameters = toy_parameters(name);
    const ToyRows rows(10, [](const Ids& ids) { return label_of_highest(ids, {2, 4, 9}); });
    CHECK(learned_score(parameters, rows) >= 0.99);
  }
  Parameters parameters = toy_parameters("four-by-four");
  const ToyRows rows(5, [](const Ids& ids) { return label_of_highest(ids, {3, 1}); });
  CHECK(learned_score(parameters, rows) >= 0.99);
}

TEST_CASE("a causal model that reads its last token learns which of two words is nearest") {
  Parameters parameters = toy_parameters("causal");
  const ToyRows rows(16, [](const Ids& ids) {
    const auto good = last_of(ids, kGood);
    const auto bad = last_of(ids, kBad);
    if (good == bad) return std::vector<std::size_t>{};  // neither
    return std::vector<std::size_t>{good > bad ? std::size_t{1} : std::size_t{0}};
  });
  CHECK(learned_score(parameters, rows) >= 0.99);
}

// The sanitizers see the same in the shorter ones.
TEST_CASE("blocks with sinusoidal and with learned positions learn the order of two words" *
          doctest::skip(kSanitized)) {
  const ToyRows rows(16, [](const Ids& ids) {
    const auto good = last_of(ids, kGood);
    const auto bad = last_of(ids, kBad);
    if (!good || !bad) return std::vector<std::size_t>{};
    return std::vector<std::size_t>{*good > *bad ? std::size_t{1} : std::size_t{0}};
  });
  for (const std::string name : {"encoder-block", "pre-norm"}) {
    CAPTURE(name);
    Parameters parameters = toy_parameters(name);
    CHECK(learned_score(parameters, rows) >= 0.99);
  }
}

TEST_CASE("rotary positions and a window learn negation: a word directly after another" *
          doctest::skip(kSanitized)) {
  Parameters parameters = toy_parameters("local-rotary");
  const ToyRows rows(16, [](const Ids& ids) {
    const auto good = last_of(ids, kGood);
    if (!good || !has_word(ids, kNot)) return std::vector<std::size_t>{};
    const bool negated = *good > 0 && ids[*good - 1] == kNot;
    return std::vector<std::size_t>{negated ? std::size_t{0} : std::size_t{1}};
  });
  CHECK(learned_score(parameters, rows) >= 0.99);
}

TEST_CASE("slice heads learn to count: more of one word than of another") {
  Parameters parameters = toy_parameters("slice-heads");
  const ToyRows rows(16, [](const Ids& ids) {
    const auto good = std::count(ids.begin(), ids.end(), TokenId{kGood});
    const auto bad = std::count(ids.begin(), ids.end(), TokenId{kBad});
    if (good + bad == 0 || good == bad) return std::vector<std::size_t>{};
    return std::vector<std::size_t>{good > bad ? std::size_t{1} : std::size_t{0}};
  });
  CHECK(learned_score(parameters, rows) >= 0.99);
}

TEST_CASE("label attention learns several labels of a text") {
  Parameters parameters = toy_parameters("label-attention");
  ToyRows rows(16, [](const Ids& ids) {
    std::vector<std::size_t> labels;
    if (has_word(ids, kGood)) labels.push_back(0);
    if (has_word(ids, kBad)) labels.push_back(1);
    if (has_word(ids, kGood) && has_word(ids, kNot)) labels.push_back(2);
    return labels;
  });
  rows.is_multi_label = true;
  CHECK(learned_score(parameters, rows) >= 0.99);
}

}  // namespace
}  // namespace headlight::toys_test
