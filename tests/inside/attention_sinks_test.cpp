// How much heads attend to sinks, and whether that writes anything: heads that one makes by hand,
// and matrices at random beside the formulas in plain loops.
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "inside/attention_statistics.h"
#include "inside/attention_view.h"
#include "model/model.h"

namespace headlight::attention_sinks_test {
namespace {

using Json = nlohmann::json;
using Sequences = std::vector<Sequence>;
constexpr Sequence kNo = Sequence::none;
constexpr Sequence kA = Sequence::first;
constexpr Sequence kB = Sequence::second;

/// One layer of three heads of size 2 over the vectors of five tokens, unit vectors e0 … e4. All
/// queries of head 0 attend to [CLS], whose value is zero there; those of head 1 to [SEP], whose
/// value is three times that of a word; those of head 2 to themselves.
Model hand_made(const TemporaryFolder& folder) {
  const Json config = {
      {"model_type", "headlight"},
      {"vocab_size", 5},
      {"hidden_size", 6},
      {"num_hidden_layers", 1},
      {"num_attention_heads", 3},
      {"intermediate_size", 0},
      {"position_embedding_type", "none"},
      {"embedding_layer_norm", false},
      {"residual", false},
      {"norm_order", "none"},
      {"id2label", {"no", "yes"}},
      {"tokenizer",
       {{"type", "wordpiece"}, {"vocabulary", {"[CLS]", "[SEP]", "good", "bad", "[UNK]"}}}}};
  std::vector<std::vector<double>> embeddings(5, std::vector<double>(6, 0.0));
  std::vector<std::vector<double>> query(6, std::vector<double>(6, 0.0));
  auto key = query;
  auto value = query;
  auto output = query;
  for (std::size_t token = 0; token < 5; ++token) {
    embeddings[token][token] = 1.0;
    const double angle = 2.0 * std::acos(-1.0) * static_cast<double>(token) / 5.0;
    query[4][token] = key[4][token] = 6.0 * std::cos(angle);
    query[5][token] = key[5][token] = 6.0 * std::sin(angle);
    value[0][token] = token < 2 ? 0.0 : 1.0;
    value[2][token] = token == 1 ? 3.0 : 1.0;
    value[5][token] = -1.0;
  }
  key[0][0] = key[2][1] = 1.0;
  for (std::size_t i = 0; i < 6; ++i) output[i][i] = 2.0;
  const std::vector<double> zeros(6, 0.0);
  const Json tensors = {
      {"embeddings.token.weight", embeddings},
      {"layers.0.attention.query.weight", query},
      {"layers.0.attention.query.bias", {40.0, 0.0, 40.0, 0.0, 0.0, 0.0}},
      {"layers.0.attention.key.weight", key},
      {"layers.0.attention.key.bias", zeros},
      {"layers.0.attention.value.weight", value},
      {"layers.0.attention.value.bias", zeros},
      {"layers.0.attention.output.weight", output},
      {"layers.0.attention.output.bias", zeros},
      {"classifier.weight", {zeros, zeros}},
      {"classifier.bias", {0.0, 1.0}},
  };
  folder.write("config.json", config.dump());
  folder.write("weights.json", Json({{"tensors", tensors}}).dump());
  return load_model(locate_model(folder.path(), ""));
}

TEST_CASE("a head that does nothing is told from one that writes and from a local one") {
  const TemporaryFolder folder;
  const Model model = hand_made(folder);
  const Classifier classifier(model, {});
  Trace wanted;
  wanted.wants_attention = wanted.wants_values = true;
  const TracedText traced = trace_text(classifier, {"good bad good", {}, {}}, wanted);
  const AttentionView view(model.description, traced,
                           whole_attention(model.description, traced.encoding));
  const auto heads = view.statistics();
  REQUIRE(heads.size() == 3);
  struct Row {
    double first, last, separator, sink_value_norm;
  };
  const Row rows[] = {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 1.0, 3.0}, {0.2, 0.2, 0.2, 1.0}};
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    const auto close = [](double value) { return doctest::Approx(value).epsilon(1e-5); };
    CHECK(heads[i].first + 1.0 == close(rows[i].first + 1.0));
    CHECK(heads[i].last + 1.0 == close(rows[i].last + 1.0));
    CHECK(heads[i].separator + 1.0 == close(rows[i].separator + 1.0));
    CHECK(heads[i].sink_value_norm + 1.0 == close(rows[i].sink_value_norm + 1.0));
  }
  // Two of the words are the same, so they share their weight.
  CHECK(heads[2].self == doctest::Approx(0.8).epsilon(1e-5));
}

struct Text {
  Sequences tokens;
  std::vector<float> weights;  // [h, n, n]
  std::vector<float> norms;    // [h, n]
};

constexpr std::size_t kHeads = 2;

Text random_text(const Sequences& tokens, std::mt19937& random) {
  std::uniform_real_distribution<float> uniform(0.01F, 1.0F);
  Text text{tokens, {}, {}};
  const std::size_t n = tokens.size();
  for (std::size_t row = 0; row < kHeads * n; ++row) {
    std::vector<float> weights(n);
    float sum = 0.0F;
    for (float& weight : weights) sum += weight = uniform(random);
    for (const float weight : weights) text.weights.push_back(weight / sum);
    text.norms.push_back(5.0F * uniform(random));
  }
  return text;
}

/// first, last, separator and sink_value_norm of a head, by their definitions.
std::vector<double> reference(const std::vector<Text>& texts, std::size_t head) {
  double queries = 0.0;
  double first = 0.0;
  double last = 0.0;
  double separator = 0.0;
  double separators = 0.0;
  double on_sinks = 0.0;
  double taken = 0.0;
  double others = 0.0;
  double other_norms = 0.0;
  for (const Text& text : texts) {
    const std::size_t n = text.tokens.size();
    queries += static_cast<double>(n);
    for (std::size_t key = 0; key < n; ++key) {
      bool is_separator = false;
      for (std::size_t before = 0; before < key && text.tokens[key] == kNo; ++before) {
        if (text.tokens[before] != kNo) is_separator = true;
      }
      const bool is_sink = is_separator || key == 0 || key == n - 1;
      const double norm = text.norms[head * n + key];
      separators += is_separator ? 1.0 : 0.0;
      if (!is_sink) {
        others += 1.0;
        other_norms += norm;
      }
      for (std::size_t query = 0; query < n; ++query) {
        const double weight = text.weights[(head * n + query) * n + key];
        if (key == 0) first += weight;
        if (key == n - 1) last += weight;
        if (is_separator) separator += weight;
        if (is_sink) on_sinks += weight;
        if (is_sink) taken += weight * norm;
      }
    }
  }
  const double none = std::numeric_limits<double>::quiet_NaN();
  return {first / queries, last / queries, separators > 0.0 ? separator / queries : none,
          others > 0.0 ? taken / on_sinks / (other_norms / others) : none};
}

TEST_CASE("shares of sinks and their value norms are those of plain loops, over all texts") {
  const std::vector<std::vector<Sequences>> cases = {
      {{kNo, kA, kA, kA, kNo}},
      {{kNo, kA, kA, kNo, kB, kB, kB, kNo}},
      {{kNo, kA, kNo, kNo, kB, kB, kNo}, {kNo, kA, kA, kNo}},  // </s></s>
      {{kA, kA, kA, kA}},
      {{kA, kA, kA}, {kNo, kA, kA, kNo}, {kA}},
      {{kNo, kNo}},
      {{kNo}},
      {{kA}},
      {{kA, kNo}},
      {{kA, kA, kNo, kNo, kNo}}};
  std::mt19937 random(7);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(i);
    std::vector<Text> texts;
    AttentionSums sums;
    AttentionSums bare;
    for (const Sequences& tokens : cases[i]) {
      texts.push_back(random_text(tokens, random));
      sums.add({texts.back().weights}, tokens, {texts.back().norms});
      bare.add({texts.back().weights}, tokens);
    }
    const auto heads = sums.statistics();
    REQUIRE(heads.size() == kHeads);
    for (std::size_t head = 0; head < kHeads; ++head) {
      const auto expected = reference(texts, head);
      const HeadStatistics& found = heads[head];
      const std::vector<double> values = {found.first, found.last, found.separator,
                                          found.sink_value_norm};
      for (std::size_t value = 0; value < values.size(); ++value) {
        CAPTURE(value);
        CHECK(std::isnan(values[value]) == std::isnan(expected[value]));
        if (!std::isnan(expected[value])) {
          CHECK(values[value] == doctest::Approx(expected[value]).epsilon(1e-12));
        }
      }
      CHECK(bare.statistics()[head].first == found.first);
      CHECK(std::isnan(bare.statistics()[head].sink_value_norm));
    }
  }
}

TEST_CASE("the mean over heads is that of the heads that have a statistic") {
  HeadStatistics with;
  with.separator = 0.5;
  with.sink_value_norm = 2.0;
  HeadStatistics without;
  without.first = 1.0;
  without.separator = without.sink_value_norm = std::numeric_limits<double>::quiet_NaN();
  const HeadStatistics mean = mean_of({with, without, with});
  CHECK(mean.first == doctest::Approx(1.0 / 3.0));
  CHECK(mean.separator == doctest::Approx(0.5));
  CHECK(mean.sink_value_norm == doctest::Approx(2.0));
  CHECK(std::isnan(mean_of({without}).separator));
}

TEST_CASE("the value norm of a word is the mean over its tokens") {
  const TemporaryFolder folder;
  const Model model = hand_made(folder);
  const Classifier classifier(model, {});
  Trace wanted;
  wanted.wants_attention = wanted.wants_values = true;
  TracedText traced = trace_text(classifier, {"good bad good", {}, {}}, wanted);
  AttentionChoice choice = whole_attention(model.description, traced.encoding);
  // As if "good bad" were one word, between [CLS] and "good" [SEP].
  choice.units[1].end = 3;
  choice.units.erase(choice.units.begin() + 2);
  choice.queries = {0, 1, 2, 3};
  choice.words = true;
  traced.value_norms[0] = {1, 2, 4, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const AttentionView view(model.description, traced, choice);
  // Others are "good bad", whose norm is (2 + 4) / 2, and "good": mean 5.5. Head 0 attends to
  // [CLS], norm 1.
  CHECK(view.statistics()[0].sink_value_norm == doctest::Approx(1.0 / 5.5).epsilon(1e-5));
}

}  // namespace
}  // namespace headlight::attention_sinks_test
