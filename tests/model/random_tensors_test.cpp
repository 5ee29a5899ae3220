#include "model/random_tensors.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::random_tensors_test {
namespace {

std::vector<float> made(std::uint64_t seed, const std::string& name, const Shape& shape) {
  RandomTensors source(seed);
  const auto values = source.floats(name, shape);
  return {values.begin(), values.end()};
}

TEST_CASE("a seed has the same numbers on every machine") {
  // The first output of std::mt19937_64 with its default seed, 14514284786278117030 (its 10,000th
  // is in the C++ standard, [rand.predef]), cut to 53 bits and spread over [-1, 1).
  constexpr double kUnit = 14514284786278117030.0 / 18446744073709551616.0;
  RandomTensors source(5489);
  std::vector<float> row(1);
  source.table("embeddings.token.weight", 1, 1).read(0, row);
  CHECK(row[0] == static_cast<float>(2.0 * kUnit - 1.0));

  CHECK(made(7, "x.weight", {3, 4}) == made(7, "x.weight", {3, 4}));
  CHECK(made(7, "x.weight", {3, 4}) != made(8, "x.weight", {3, 4}));
}

TEST_CASE("a tensor too large is refused, also where its size overflows") {
  for (const Shape& shape :
       {Shape{4'000'000'001}, Shape{std::size_t{1} << 32U, std::size_t{1} << 32U},
        Shape{std::size_t{1} << 63U, 4}}) {
    RandomTensors source(0);
    CHECK(error_of([&] { source.floats("x.weight", shape); }).find("4000000000 parameters") !=
          std::string::npos);
  }
  RandomTensors source(0);
  CHECK(source.floats("x.weight", {0, std::size_t{1} << 63U, 4}).empty());
}

TEST_CASE("each kind of tensor begins as it should") {
  struct Row {
    std::string name;
    Shape shape;
    double bound;  // uniform in ±bound; 0: constant
    float constant;
  };
  const Row rows[] = {
      {"layers.0.attention.query.weight", {64, 32}, std::sqrt(6.0 / 96.0), 0.0F},
      {"classifier.weight", {2, 94}, std::sqrt(6.0 / 96.0), 0.0F},
      {"label_attention.queries", {40, 50}, 1.0, 0.0F},
      {"layers.0.attention.query.bias", {64}, 0.0, 0.0F},
      {"final_norm.weight", {64}, 0.0, 1.0F},
      {"layers.1.feed_forward.norm.weight", {64}, 0.0, 1.0F},
      {"embeddings.norm.bias", {64}, 0.0, 0.0F},
  };
  for (const auto& [name, shape, bound, constant] : rows) {
    CAPTURE(name);
    const auto values = made(1, name, shape);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (bound == 0.0) {
      CHECK(*low == constant);
      CHECK(*high == constant);
    } else {
      CHECK(*low >= -bound);
      CHECK(*low < -0.9 * bound);
      CHECK(*high <= bound);
      CHECK(*high > 0.9 * bound);
    }
  }
}

TEST_CASE("everything given out is kept, in the order asked for") {
  RandomTensors source(3);
  const auto first = source.floats("a.weight", {2, 2});
  const Table table = source.table("t", 3, 2);
  for (int i = 0; i < 100; ++i) source.floats("more", {10});
  const auto tensors = source.tensors();
  REQUIRE(tensors.size() == 102);
  CHECK(tensors[0].name == "a.weight");
  CHECK(tensors[0].values.data() == first.data());
  CHECK(tensors[1].shape == Shape{3, 2});
  CHECK(static_cast<const void*>(tensors[1].values.data()) == table.bytes);
}

TEST_CASE("a model that fits in no memory is refused before any is taken") {
  RandomTensors source(3);
  CHECK(error_of([&] {
          source.floats("a", {2147483647, 2147483647});
        }) ==
        "tensor a of shape [2147483647, 2147483647] would make a model of more than 4000000000 "
        "parameters");
}

}  // namespace
}  // namespace headlight::random_tensors_test
