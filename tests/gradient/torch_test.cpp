// Gradients of published models against those of torch (tests/golden/gradients.json, made by
// scripts/make gradient_golden).
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "gradient/backward.h"
#include "gradient/parameters.h"
#include "math/random_matrix.h"
#include "model/model.h"

namespace headlight::torch_test {
namespace {

const std::string kGolden = std::string(HEADLIGHT_TEST_DATA) + "/golden/";
constexpr double kTolerance = 1e-4;  // of the length of a gradient

/// Σ of the logits, each times a factor.
double weighted_logits(const Outputs& outputs, const OutputGradients& gradients) {
  double loss = 0.0;
  for (std::size_t i = 0; i < outputs.logits.cols; ++i) {
    const double factor = static_cast<double>(3 * i % 7) - 2.5;
    loss += factor * static_cast<double>(outputs.logits.row(0)[i]);
    gradients.logits.row(0)[i] += static_cast<float>(factor);
  }
  return loss;
}

template <typename Numbers>
double length_of(const Numbers& numbers) {
  double squares = 0.0;
  for (const auto number : numbers) squares += static_cast<double>(number) * number;
  return std::sqrt(squares);
}

TEST_CASE("gradients of published models of every family agree with torch") {
  const Json golden = read_json_file(kGolden + "gradients.json");
  REQUIRE(golden["rows"].size() >= 20);
  for (const Json& row : golden["rows"]) {
    const auto name = row["model"].get<std::string>();
    CAPTURE(name);
    const Model model = load_model(locate_model(kGolden + "published/" + name, ""));
    Batch batch;
    batch.add(row["ids"].get<std::vector<TokenId>>(), row["type_ids"].get<std::vector<TokenId>>());
    const Parameters parameters(model.description, model.weights);
    std::vector<float> gradients(parameters.values().size(), 0.0F);
    Backpropagation backpropagation;
    const double loss =
        backpropagation.add_gradients(parameters, batch, {}, weighted_logits, gradients);
    CHECK(loss == doctest::Approx(row["loss"].get<double>()).epsilon(kTolerance));
    CHECK(length_of(gradients) == doctest::Approx(row["length"].get<double>()).epsilon(kTolerance));

    const auto expected = row["embedded"].get<std::vector<double>>();
    const auto found = elements(
        backpropagation
            .embedded_gradient(model.description, model.weights, batch, {}, weighted_logits)
            .gradient);
    REQUIRE(found.size() == expected.size());
    std::vector<double> off;
    for (std::size_t i = 0; i < found.size(); ++i) {
      off.push_back(static_cast<double>(found[i]) - expected[i]);
    }
    CHECK(length_of(off) <= kTolerance * length_of(expected));
  }
}

}  // namespace
}  // namespace headlight::torch_test
