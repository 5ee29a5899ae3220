#include "training/whole/optimizer.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/parallel.h"
#include "close_to.h"
#include "training/course/course.h"

namespace headlight::optimizer_test {
namespace {

std::vector<float> some_numbers(std::size_t count, float scale) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = scale * std::sin(static_cast<float>(i * i % 9973));
  }
  return numbers;
}

TEST_CASE("steps of AdamW on clipped gradients equal those of torch") {
  const Json golden = read_json_file(std::string(HEADLIGHT_TEST_DATA) + "/golden/optimizer.json");
  const Json& settings = golden["settings"];
  auto weights = golden["weights"].get<std::vector<float>>();
  AdamW optimizer(weights.size(), {{0, golden["decayed"]}},
                  {.first_decay = settings["betas"][0],
                   .second_decay = settings["betas"][1],
                   .epsilon = settings["epsilon"],
                   .weight_decay = settings["weight_decay"]});
  bool clipped = false;
  for (const Json& step : golden["steps"]) {
    const auto gradients = step["gradients"].get<std::vector<float>>();
    const double norm = norm_of(gradients);
    CHECK(std::abs(norm - step["norm"].get<double>()) < 1e-5);
    const double factor = clipping_factor(norm, settings["clip"]);
    clipped = clipped || factor < 1.0;
    optimizer.step(gradients, static_cast<float>(factor), settings["learning_rate"], weights);
    const auto expected = step["weights"].get<std::vector<double>>();
    CHECK(close_to(weights, expected, {.absolute = 1e-6, .relative = 1e-6}));
  }
  CHECK(clipped);
}

TEST_CASE("a step has the same bits with every number of threads") {
  constexpr std::size_t kCount = 100'003;
  const auto gradients = some_numbers(kCount, 0.1F);
  std::vector<std::vector<float>> results;
  std::vector<double> norms;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const ThreadPermit permit(threads);
    auto weights = some_numbers(kCount, 1.0F);
    AdamW optimizer(kCount, {{0, 20'000}, {20'016, 50'001}}, {});
    for (int i = 0; i < 3; ++i) optimizer.step(gradients, 0.5F, 0.01F, weights);
    norms.push_back(norm_of(gradients));
    results.push_back(std::move(weights));
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
  CHECK(norms[0] == norms[1]);
  CHECK(norms[0] == norms[2]);
}

TEST_CASE("only weights in the ranges decay") {
  std::vector<float> weights(6, 2.0F);
  AdamW optimizer(6, {{1, 3}, {4, 5}}, {.weight_decay = 0.5F});
  optimizer.step(std::vector<float>(6), 1.0F, 0.1F, weights);
  CHECK(weights == std::vector<float>{2.0F, 1.9F, 1.9F, 2.0F, 1.9F, 2.0F});
}

TEST_CASE("the learning rate rises during the warm-up and then falls to 0") {
  struct Row {
    double done, warmup, expected;
  };
  const Row rows[] = {{0.0, 0.1, 0.0}, {0.05, 0.1, 0.5}, {0.1, 0.1, 1.0}, {0.55, 0.1, 0.5},
                      {1.0, 0.1, 0.0}, {0.0, 0.0, 1.0},  {0.5, 0.0, 0.5}, {1.0, 1.0, 1.0}};
  for (const Row& row : rows) {
    CAPTURE(row.done);
    CAPTURE(row.warmup);
    CHECK(std::abs(learning_rate_share(row.done, row.warmup) - row.expected) < 1e-12);
  }
}

TEST_CASE("a gradient is clipped only if it is longer than the limit") {
  CHECK(clipping_factor(0.5, 1.0) == 1.0);
  CHECK(std::abs(clipping_factor(4.0, 1.0) - 0.25) < 1e-6);
  CHECK(clipping_factor(4.0, 0.0) == 1.0);
}

}  // namespace
}  // namespace headlight::optimizer_test
