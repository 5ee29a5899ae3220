#include "math/products.h"

#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/blas.h"
#include "math/instruction_set.h"
#include "math/random_matrix.h"

namespace headlight::products_test {
namespace {

// A sum of k products of numbers below 1, each rounded.
constexpr double kRounding = 1e-6;

struct Shape {
  std::size_t n, k, o;
};
const Shape kShapes[] = {
    {1, 1, 1},    {1, 64, 40},  {7, 63, 1},     {7, 63, 5},    {64, 40, 64},   {3, 1, 9},
    {33, 17, 31}, {2, 384, 13}, {100, 700, 48}, {128, 32, 40}, {40, 129, 130}, {19, 513, 23},
};

/// a [n, k] · b [k, o]
std::vector<double> product(ConstMatrix a, ConstMatrix b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < b.cols; ++j) {
      double sum = 0.0;
      for (std::size_t l = 0; l < a.cols; ++l) {
        sum += static_cast<double>(a.row(i)[l]) * static_cast<double>(b.row(l)[j]);
      }
      out.push_back(sum);
    }
  }
  return out;
}

RandomMatrix transposed(ConstMatrix matrix, std::size_t gap) {
  RandomMatrix out(matrix.cols, matrix.rows, 0, gap);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.cols; ++j) out.view().row(j)[i] = matrix.row(i)[j];
  }
  return out;
}

TEST_CASE("all products agree with float64 on whole matrices and on parts of wider ones") {
  for (const std::size_t gap : {0, 3}) {
    for (const auto& [n, k, o] : kShapes) {
      CAPTURE(n);
      CAPTURE(k);
      CAPTURE(o);
      CAPTURE(gap);
      const RandomMatrix a(n, k, 1, gap);
      const RandomMatrix b(k, o, 2, 2 * gap);
      const auto expected = product(a.view(), b.view());
      const Tolerance tolerance{.absolute = kRounding * static_cast<double>(k), .relative = 1e-6};

      const RandomMatrix turned = transposed(b.view(), gap);
      std::vector<float> panels(Panels::floats(k, o));
      for (const auto& set : instruction_sets()) {
        CAPTURE(set);
        REQUIRE(use_instruction_set(set));
        RandomMatrix in_place(n, o, 3, gap);
        multiply(a.view(), b.view(), in_place.view());
        CHECK(close_to(elements(in_place.view()), expected, tolerance));
        CHECK(in_place.gaps_are_untouched());

        RandomMatrix packed(n, o, 4, gap);
        pack(turned.view(), panels.data());
        multiply(a.view(), Panels{panels.data(), k, o}, nullptr, packed.view());
        CHECK(elements(packed.view()) == elements(in_place.view()));  // one chain, the same bits
        CHECK(packed.gaps_are_untouched());
      }
      use_instruction_set(instruction_sets().front());

      RandomMatrix blas(n, o, 4, 5 * gap);
      blas_multiply_transposed(a.view(), turned.view(), blas.view());
      CHECK(close_to(elements(blas.view()), expected, tolerance));
      CHECK(blas.gaps_are_untouched());
    }
  }
}

TEST_CASE("a matrix times its own transpose is right, though BLAS has a shorter way for it") {
  for (const auto& [n, k, o] : kShapes) {
    const RandomMatrix a(n, k, 1);
    RandomMatrix out(n, n, 2);
    blas_multiply_transposed(a.view(), a.view(), out.view());
    const auto expected = product(a.view(), transposed(a.view(), 0).view());
    CHECK(close_to(elements(out.view()), expected, {.absolute = kRounding * 512, .relative = 0}));
  }
}

TEST_CASE("what stood in the output, NaN too, does not count") {
  const RandomMatrix a(7, 63, 1);
  const RandomMatrix b(63, 5, 2);
  std::vector<float> values(7 * 5, std::numeric_limits<float>::quiet_NaN());
  multiply(a.view(), b.view(), Matrix(values.data(), 7, 5));
  CHECK(close_to(values, product(a.view(), b.view()), {.absolute = 1e-5}));
}

TEST_CASE("row and column ranges are views of the same numbers") {
  RandomMatrix matrix(6, 8, 1);
  const Matrix part = matrix.view().row_range(2, 3).column_range(5, 2);
  CHECK(part.rows == 3);
  CHECK(part.cols == 2);
  CHECK(&part.row(1)[0] == &matrix.view().row(3)[5]);
}

TEST_CASE("a warm buffer allocates nothing, and grows when more is asked for") {
  Buffer buffer;
  const float* first = buffer.shape(4, 5).data;
  CHECK(buffer.shape(3, 16).data == first);
  CHECK(buffer.shape(1, 1).data == first);
  const Matrix larger = buffer.shape(100, 1000);
  CHECK(larger.stride == 1008);  // 63 cache lines of 16 floats
  CHECK(reinterpret_cast<std::uintptr_t>(larger.data) % 64 == 0);
}

}  // namespace
}  // namespace headlight::products_test
