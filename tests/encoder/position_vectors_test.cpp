#include "encoder/position_vectors.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"

namespace headlight::position_vectors_test {
namespace {

TEST_CASE("sinusoidal positions are the paper's formula, of an odd width too") {
  Description model;
  model.embedding.size = 5;
  const auto vectors = position_vectors(model, {}, 30);
  std::vector<double> expected;
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 5; ++j) {
      const double angle = i / std::pow(10000.0, 2.0 * (j / 2) / 5.0);
      expected.push_back(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  CHECK(close_to(vectors, expected, {.absolute = 1e-6}));
}

TEST_CASE("learned positions are the rows that tokens get, after an offset where there is one") {
  const float table[] = {0, 1, 2, 3, 4, 5, 6, 7};
  EmbeddingWeights weights;
  weights.position = {NumberFormat::f32, reinterpret_cast<const std::byte*>(table), 4, 2};
  Description model;
  model.embedding.size = 2;
  model.embedding.positions = PositionKind::absolute;
  CHECK(position_vectors(model, weights, 2) == std::vector<float>{0, 1, 2, 3});
  model.embedding.skipped_pad = 1;
  CHECK(position_vectors(model, weights, 2) == std::vector<float>{4, 5, 6, 7});
}

TEST_CASE("a causal mask hides what comes after, the other one nothing") {
  HeadsDescription heads;
  CHECK(mask_matrix(heads, 2) == std::vector<float>{1, 1, 1, 1});
  heads.window = 1;
  CHECK(mask_matrix(heads, 3) == std::vector<float>{1, 1, 0, 1, 1, 1, 0, 1, 1});
  heads.mask = AttentionMask::causal;
  CHECK(mask_matrix(heads, 3) == std::vector<float>{1, 0, 0, 1, 1, 0, 0, 1, 1});
  heads.window.reset();
  CHECK(mask_matrix(heads, 3) == std::vector<float>{1, 0, 0, 1, 1, 0, 1, 1, 1});
}

}  // namespace
}  // namespace headlight::position_vectors_test
