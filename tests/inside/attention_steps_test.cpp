// The steps of a query on random models of every kind, against the naive float64 encoder of
// tests/reference/ and against the weights that the encoder computed.
#include "inside/attention_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "encoder/ablation.h"
#include "encoder/forward.h"
#include "encoder/trace.h"
#include "model/model.h"
#include "reference/encoder.h"
#include "reference/random_model.h"
#include "reference/random_published.h"
#include "sanitized.h"

namespace headlight::attention_steps_test {
namespace {

constexpr std::uint64_t kSeeds = 150;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Whether all numbers are those expected. The rounding of the vectors in float32 grows with the
/// largest product, not with a sum that cancels.
bool near(std::span<const float> found, const double* expected) {
  double largest = 1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isfinite(expected[i])) largest = std::max(largest, std::abs(expected[i]));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto x = static_cast<double>(found[i]);
    const bool same =
        std::isinf(expected[i]) ? x == expected[i] : std::abs(x - expected[i]) <= 3e-4 * largest;
    if (!same) return false;
  }
  return true;
}

/// The largest difference of the softmax of the scores, in float64, from the weights.
double difference_of_softmax(const std::vector<float>& scores, std::span<const float> weights) {
  double top = -kInfinity;
  for (const float score : scores) top = std::max(top, static_cast<double>(score));
  double sum = 0;
  for (const float score : scores) sum += std::exp(static_cast<double>(score) - top);
  double largest = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double weight = std::exp(static_cast<double>(scores[i]) - top) / sum;
    largest = std::max(largest, std::abs(weight - static_cast<double>(weights[i])));
  }
  return scores.size() == weights.size() ? largest : kInfinity;
}

/// All queries of a short text, and some of a long one.
std::set<std::size_t> queries_of(std::size_t n) {
  std::set<std::size_t> queries = {0, 1, 31, 32, 33, 100, n / 2, n - 1};
  for (std::size_t i = 0; i < std::min<std::size_t>(n, 24); ++i) queries.insert(i);
  queries.erase(queries.lower_bound(n), queries.end());
  return queries;
}

/// One layer of one text.
struct TracedLayer {
  const HeadsDescription& heads;
  std::size_t number;
  std::size_t n;
  const TextTrace& trace;
  const reference::Result& expected;

  TracedHead head(std::size_t k) const {
    const auto [first, e] = columns_of(heads, k);
    const auto rows = [&](const std::vector<std::vector<float>>& layers) {
      return ConstMatrix(layers[number].data(), n, heads.width()).column_range(first, e);
    };
    return {number,
            k,
            rows(trace.queries),
            rows(trace.keys),
            rows(trace.values),
            {trace.attention[number].data() + k * n * n, n, n}};
  }
};

void check_head(const AttentionScoring& scoring, const TracedLayer& layer, std::size_t k) {
  const TracedHead head = layer.head(k);
  const auto [first, e] = columns_of(layer.heads, k);
  for (const std::size_t query : queries_of(layer.n)) {
    CAPTURE(query);
    const AttentionSteps steps = scoring.steps(head, query);
    const std::size_t row = (k * layer.n + query) * layer.n;
    REQUIRE(steps.products.size() == layer.n);
    CHECK(near(steps.products, layer.expected.products[layer.number].data() + row));
    CHECK(near(steps.scores, layer.expected.scores[layer.number].data() + row));
    CHECK(difference_of_softmax(steps.scores, head.weights.row(query)) < 1e-5);
    REQUIRE(steps.output.size() == e);
    const std::size_t at = query * layer.heads.width() + first;
    CHECK(near(steps.output, layer.expected.context[layer.number].data() + at));
  }
}

/// What occurred among the models.
using Counts = std::map<std::string, int>;

void count(const reference::Architecture& a, Counts& counts) {
  const auto& windows = a.attention_window;
  if (a.attention_mask == "causal") ++counts["causal"];
  if (std::ranges::any_of(windows, [](const auto& w) { return w.has_value(); })) ++counts["window"];
  if (a.relative_bias) ++counts["relative bias"];
  if (a.relative_attention && a.relative_attention->content_to_position) ++counts["c2p"];
  if (a.relative_attention && a.relative_attention->position_to_content) ++counts["p2c"];
  if (a.position_embedding_type == "rotary") ++counts["rotary"];
  if (a.query_key_norm) ++counts["query and key norms"];
  if (a.group() > 1) ++counts["shared keys"];
  if (a.attention_scale) ++counts["scale"];
  if (a.head_input == "slice") ++counts["slices"];
  if (std::ranges::count(a.head_sizes, a.head_sizes.front()) !=
      static_cast<std::ptrdiff_t>(a.head_sizes.size())) {
    ++counts["several head sizes"];
  }
}

/// The output projection of a vector, in float64; empty if there is none.
reference::Vector projected(const reference::Tensors& tensors, std::size_t layer,
                            const double* joined, const LayerSteps& steps) {
  const std::string name = "layers." + std::to_string(layer) + ".attention.output.";
  const auto weight = tensors.find(name + "weight");
  REQUIRE((weight == tensors.end()) == steps.projected.empty());
  if (weight == tensors.end()) return {};
  const auto bias = tensors.find(name + "bias");
  reference::Vector y(steps.projected.size(), 0.0);
  for (std::size_t row = 0; row < y.size(); ++row) {
    if (bias != tensors.end()) y[row] = bias->second.values[row];
    for (std::size_t column = 0; column < steps.joined.size(); ++column) {
      y[row] += weight->second.values[row * steps.joined.size() + column] * joined[column];
    }
  }
  return y;
}

void check_model(const Model& model, const reference::RandomModel& random) {
  const Batch batch = batch_of(random);
  Scratch scratch;
  Trace trace;
  trace.wants_attention = trace.wants_values = trace.wants_queries_and_keys = true;
  forward(model.description, model.weights, {batch, scratch, &trace});
  for (std::size_t text = 0; text < random.texts.size(); ++text) {
    CAPTURE(text);
    const auto expected =
        reference::encode(random.architecture, random.tensors, random.texts[text]);
    const std::size_t n = batch.length(text);
    const AttentionScoring scoring(model, n);
    for (std::size_t i = 0; i < model.description.layers.size(); ++i) {
      const TracedLayer layer{model.description.layers[i].heads, i, n, trace.texts[text], expected};
      for (std::size_t k = 0; k < layer.heads.sizes.size(); ++k) {
        CAPTURE(i);
        CAPTURE(k);
        check_head(scoring, layer, k);
        const auto [first, e] = columns_of(layer.heads, k);
        const HeadSteps last = head_steps(model, layer.trace, n, i, k, n - 1);
        CHECK(
            near(last.output, expected.context[i].data() + (n - 1) * layer.heads.width() + first));
        CHECK(last.vector.size() == e);
        CHECK(last.keys.size() == n * e);
        CHECK(last.weights.size() == n);
      }
      const LayerSteps whole = layer_steps(model, layer.trace, n, i, n - 1);
      const double* const context = expected.context[i].data() + (n - 1) * layer.heads.width();
      CHECK(near(whole.joined, context));
      CHECK(near(
          whole.projected,
          projected(random.tensors, model.description.layers[i].weights, context, whole).data()));
    }
  }
}

TEST_CASE("products, scores and outputs are the reference's, and the weights their softmax") {
  const TemporaryFolder folder;
  Counts counts;
  const auto check = [&](const reference::RandomModel& random, const reference::Tensors& stored) {
    const std::string directory = folder / "model";
    reference::write_model_directory(directory, random.config, stored, random.storage);
    count(random.architecture, counts);
    check_model(load_model(locate_model(directory, "")), random);
    std::filesystem::remove_all(directory);
  };
  for (std::uint64_t seed = 0; seed < kSeeds; seed += kCaseStep) {
    CAPTURE(seed);
    const reference::RandomModel native = reference::random_model(seed);
    check(native, native.tensors);
    const reference::RandomModel published = reference::random_published(seed);
    check(published, published_tensors(published));
  }
  for (const char* kind :
       {"causal", "window", "relative bias", "c2p", "p2c", "rotary", "query and key norms",
        "shared keys", "scale", "slices", "several head sizes"}) {
    CAPTURE(kind);
    CHECK(counts[kind] > 0);
  }
}

}  // namespace
}  // namespace headlight::attention_steps_test
