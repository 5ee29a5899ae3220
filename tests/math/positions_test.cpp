#include "math/positions.h"

#include <cmath>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"

namespace headlight::positions_test {
namespace {

TEST_CASE("sinusoidal positions follow the paper's formula for any width, odd ones too") {
  for (const std::size_t d : {1, 2, 3, 7, 8, 63, 384}) {
    for (const std::size_t position : {0, 1, 7, 511, 65535}) {
      CAPTURE(d);
      CAPTURE(position);
      std::vector<double> expected(d);
      for (std::size_t k = 0; 2 * k < d; ++k) {
        const double exponent = 2.0 * static_cast<double>(k) / static_cast<double>(d);
        const double angle =
            static_cast<double>(position) * std::exp(-exponent * std::log(10000.0));
        expected[2 * k] = std::sin(angle);
        if (2 * k + 1 < d) expected[2 * k + 1] = std::cos(angle);
      }
      std::vector<float> found(d);
      sinusoidal_position(position, found);
      CHECK(close_to(found, expected, {.absolute = 1e-7}));
    }
  }
}

TEST_CASE("position 2 of width 4 by hand") {
  std::vector<float> found(4);
  sinusoidal_position(2, found);
  const std::vector<double> expected = {std::sin(2.0), std::cos(2.0), std::sin(0.02),
                                        std::cos(0.02)};
  CHECK(close_to(found, expected, {.absolute = 1e-7}));
}

TEST_CASE("a relative bucket begins where the reference's does, in both directions") {
  // Measured with transformers 5.23 (MPNetEncoder.relative_position_bucket).
  const std::vector<std::ptrdiff_t> starts = {0, 1,  2,  3,  4,  5,  6,  7,
                                              8, 12, 16, 23, 32, 46, 64, 91};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    CAPTURE(starts[i]);
    const std::ptrdiff_t last = i + 1 < starts.size() ? starts[i + 1] - 1 : 100'000;
    CHECK(DistanceBuckets().of(-starts[i]) == i);
    CHECK(DistanceBuckets().of(-last) == i);
    if (i == 0) continue;  // nothing stands 0 after itself
    CHECK(DistanceBuckets().of(starts[i]) == 16 + i);
    CHECK(DistanceBuckets().of(last) == 16 + i);
  }
}

TEST_CASE("DeBERTa's buckets are the reference's: exact up to half of them, then logarithmic") {
  struct Row {
    std::size_t buckets, farthest;
    std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> pairs;  // distance, bucket
  };
  // Measured with transformers 5.23 (make_log_bucket_position).
  const std::vector<Row> rows = {
      {256,
       512,
       {{0, 0},
        {128, 128},
        {130, 130},
        {200, 169},
        {256, 192},
        {510, 255},
        {511, 255},
        {512, 256}}},
      {6, 12, {{3, 3}, {4, 4}, {5, 4}, {6, 5}, {8, 5}, {11, 5}, {12, 6}, {30, 7}}},
      {2, 40, {{1, 1}, {2, 1}, {39, 1}, {50, 1}}},
  };
  for (const Row& row : rows) {
    for (const auto& [distance, bucket] : row.pairs) {
      CAPTURE(row.buckets);
      CAPTURE(distance);
      CHECK(logarithmic_bucket(distance, row.buckets, row.farthest) == bucket);
      CHECK(logarithmic_bucket(-distance, row.buckets, row.farthest) == -bucket);
    }
  }
}

TEST_CASE("rotary frequencies fall from 1 by equal factors, whatever the base") {
  CHECK(rotary_frequencies(10000.0F, 4) == std::vector<float>{1.0F, 0.01F});
  CHECK(rotary_frequencies(16.0F, 8) == std::vector<float>{1.0F, 0.5F, 0.25F, 0.125F});
  CHECK(rotary_frequencies(10000.0F, 2) == std::vector<float>{1.0F});
}

}  // namespace
}  // namespace headlight::positions_test
