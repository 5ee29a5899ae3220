// Relevance by changed rules of the backward pass against relevance that a naive float64 encoder
// hands from function to function (tests/reference/relevance.h), on random models of every kind.
#include "reference/relevance.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "gradient/backward.h"
#include "gradient/random_gradients.h"
#include "sanitized.h"

namespace headlight::relevance_test {
namespace {

constexpr std::uint64_t kSeeds = 250;
constexpr double kTolerance = 1e-4;  // of the largest relevance of a number
constexpr double kConserved = 1e-9;  // of the sum of all sizes

/// The relevance of all texts, one after another, for the loss.
struct Expected {
  reference::Vector of_tokens;
  double largest = 0.0;
  bool tied = false;
  std::string lost;  // empty, or a text whose relevance is not all there
};

Expected expected_relevance(const reference::RandomModel& random, const LinearLoss& loss) {
  Expected expected;
  std::size_t next = 0;
  for (const reference::Text& text : random.texts) {
    const reference::Result result = reference::encode(random.architecture, random.tensors, text);
    reference::Vector factors;
    double sum = 0.0;
    double size = 0.0;
    for (const double logit : result.logits) {
      factors.push_back(loss.factor(next++));
      sum += factors.back() * logit;
    }
    const auto found = reference::relevance(random.architecture, random.tensors, text, factors);
    expected.tied = expected.tied || found.tied;
    double all = found.absorbed;
    for (const double own : found.of_tokens) {
      all += own;
      size += std::abs(own);
      expected.largest = std::max(expected.largest, std::abs(own));
      expected.of_tokens.push_back(own);
    }
    if (!(std::abs(all - sum) <= kConserved * (1.0 + std::abs(sum) + size))) {
      expected.lost = "relevance " + std::to_string(all) + " of " + std::to_string(sum);
    }
  }
  return expected;
}

/// Empty, or what is wrong.
std::string difference(const LoadedRandomModel& loaded, const LinearLoss& loss) {
  const Expected expected = expected_relevance(loaded.random, loss);
  if (!expected.lost.empty() || expected.tied) return expected.lost;
  const Parameters parameters(loaded.model.description, loaded.model.weights);
  Backpropagation backpropagation(BackwardRules::relevance);
  const auto found = backpropagation.embedded_gradient(
      parameters.description(), parameters.weights(), loaded.batch, {}, loss.loss());
  const std::size_t width = found.vectors.cols;
  for (std::size_t k = 0; k < expected.of_tokens.size(); ++k) {
    const double own = static_cast<double>(found.vectors.row(k / width)[k % width]) *
                       static_cast<double>(found.gradient.row(k / width)[k % width]);
    if (std::abs(own - expected.of_tokens[k]) <= kTolerance * std::max(1e-3, expected.largest))
      continue;
    return "number " + std::to_string(k) + ": found " + std::to_string(own) + ", expected " +
           std::to_string(expected.of_tokens[k]) + ", the largest is " +
           std::to_string(expected.largest);
  }
  return "";
}

void check_seeds(bool published) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < kSeeds; seed += kCaseStep) {
    if (seed % 50 == 7) continue;  // long texts, which take the reference long
    CAPTURE(seed);
    const LoadedRandomModel loaded =
        load_random_model(seed, published, folder / std::to_string(seed));
    const Description& model = loaded.model.description;
    const std::size_t rows =
        model.pooling == Pooling::each_token ? loaded.batch.tokens() : loaded.batch.texts();
    const std::string found = difference(loaded, {rows * model.classes(), seed});
    nlohmann::json config = loaded.random.config;
    config.erase("tokenizer");
    const std::string message = found + "\n" + config.dump();
    CHECK_MESSAGE(found.empty(), message);
  }
}

TEST_CASE("relevance agrees with the rules of the paper on random models of every kind") {
  check_seeds(false);
}

TEST_CASE("relevance agrees with the rules of the paper on random published models") {
  check_seeds(true);
}

}  // namespace
}  // namespace headlight::relevance_test
