// Replays what NumPy made of vectors: tests/golden/activations.json, which
// scripts/make activation_golden makes.
#include "inside/activations.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"

namespace headlight::activations_test {
namespace {

const Json& golden() {
  static const Json all =
      read_json_file(std::string(HEADLIGHT_TEST_DATA) + "/golden/activations.json");
  return all;
}

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
  constexpr double kClose = 1e-6;
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i] - expected[i]) <= kClose * (1.0 + std::abs(expected[i])));
  }
}

std::vector<double> flat(const Json& matrix) {
  std::vector<double> values;
  for (const Json& row : matrix) {
    for (const Json& value : row) values.push_back(value.get<double>());
  }
  return values;
}

void check_measures(const Activations& found, const Json& expected) {
  REQUIRE(found.norms.size() == expected["norms"].size());
  REQUIRE(found.change.size() == expected["change"].size());
  REQUIRE(found.similarity.size() == expected["similarity"].size());
  for (std::size_t state = 0; state < found.norms.size(); ++state) {
    CAPTURE(state);
    check_close(found.norms[state], expected["norms"][state].get<std::vector<double>>());
    check_close(found.similarity[state], flat(expected["similarity"][state]));
    if (state == 0) continue;
    check_close(found.change[state - 1], expected["change"][state - 1].get<std::vector<double>>());
  }
}

TEST_CASE("norms and cosines of vectors are NumPy's") {
  REQUIRE(golden()["vectors"].size() == 5);
  for (const Json& text : golden()["vectors"]) {
    CAPTURE(text["name"]);
    const auto states = text["states"].get<std::vector<std::vector<float>>>();
    check_measures(measure_activations(states, text["tokens"]), text);
  }
}

TEST_CASE("from weights written by hand to norms and cosines, the program agrees with NumPy") {
  REQUIRE(golden()["models"].size() == 2);
  for (const Json& expected : golden()["models"]) {
    CAPTURE(expected["model"]);
    const std::string config = expected["model"];
    const Model model = load_model(locate_model(std::string(HEADLIGHT_SOURCE) + "/" + config, ""));
    const Classifier classifier(model, {});
    Trace wanted;
    wanted.wants_hidden = true;
    const TextInput input{expected["text"].get<std::string>(), {}, {}};
    check_measures(activations_of(trace_text(classifier, input, wanted)).activations, expected);
  }
}

TEST_CASE("cosines never leave their range") {
  // In float64, 0.1² + 0.2² + 0.7² is not the square of its own root.
  const Activations found = measure_activations({{0.1F, 0.2F, 0.7F, 1e-30F, -1e-30F, 0.0F}}, 2);
  for (const double cosine : found.similarity[0]) {
    CHECK(cosine <= 1.0);
    CHECK(cosine >= -1.0);
  }
  CHECK(found.similarity[0][0] == doctest::Approx(1.0));
  CHECK(found.similarity[0][3] == doctest::Approx(1.0));
}

TEST_CASE("the mean cosine leaves a token itself out") {
  const std::vector<double> similarity = {1.0, 0.5, -0.25, 0.5, 1.0, 0.0, -0.25, 0.0, 1.0};
  CHECK(mean_similarity(similarity, 3, 0) == 0.125);
  CHECK(mean_similarity(similarity, 3, 1) == 0.25);
  CHECK(mean_similarity(similarity, 3, 2) == -0.125);
  CHECK(mean_similarity({1.0}, 1, 0) == 0.0);
}

}  // namespace
}  // namespace headlight::activations_test
