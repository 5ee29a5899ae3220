#include "math/linear_gradient.h"

#include <array>
#include <vector>

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "close_to.h"
#include "math/instruction_set.h"
#include "math/products.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::linear_gradient_test {
namespace {

struct Shape {
  std::size_t n, in, out;
};
const Shape kShapes[] = {{1, 1, 1},    {3, 17, 5},    {7, 40, 64},    {96, 31, 33},
                         {513, 7, 40}, {600, 65, 97}, {1030, 48, 200}};

double at(const RandomMatrix& matrix, std::size_t i, std::size_t j) {
  return matrix.view().row(i)[j];
}

Table table_of(const RandomMatrix& matrix) {
  const ConstMatrix view = matrix.view();
  return {NumberFormat::f32, reinterpret_cast<const std::byte*>(view.data), view.rows, view.cols};
}

TEST_CASE("the gradient of a layer's input agrees with float64, alone and as a sum of layers") {
  for (const auto& [n, in, out] : kShapes) {
    CAPTURE(n);
    CAPTURE(in);
    CAPTURE(out);
    const RandomMatrix first(out, in, 1);
    const RandomMatrix second(out + 3, in, 2);
    const RandomMatrix dy(n, out, 3, 2);
    const RandomMatrix other(n, out + 3, 4, 1);
    std::vector<double> alone;
    std::vector<double> both;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < in; ++j) {
        double sum = 0.0;
        for (std::size_t o = 0; o < out; ++o) sum += at(dy, i, o) * at(first, o, j);
        alone.push_back(sum);
        for (std::size_t o = 0; o < out + 3; ++o) sum += at(other, i, o) * at(second, o, j);
        both.push_back(sum);
      }
    }
    const Linear layers[] = {{table_of(first), {}}, {table_of(second), {}}};
    const std::array<LinearGradient, 2> gradients = {
        {{&layers[0], dy.view()}, {&layers[1], other.view()}}};
    with_each_instruction_set([&] {
      RandomMatrix dx(n, in, 5, 3);
      input_gradient(std::span(gradients).first(1), dx.view());
      CHECK(close_to(elements(dx.view()), alone, {.absolute = 1e-4}));
      input_gradient(gradients, dx.view());
      CHECK(close_to(elements(dx.view()), both, {.absolute = 1e-4}));
      CHECK(dx.gaps_are_untouched());
    });
  }
}

TEST_CASE("the gradients of weights and bias agree with float64 and are added to") {
  for (const auto& [n, in, out] : kShapes) {
    CAPTURE(n);
    CAPTURE(in);
    CAPTURE(out);
    const RandomMatrix x(n, in, 1, 2);
    const RandomMatrix dy(n, out, 2, 1);
    const RandomMatrix before(out, in, 3, 4);
    std::vector<double> expected;
    for (std::size_t o = 0; o < out; ++o) {
      for (std::size_t j = 0; j < in; ++j) {
        double sum = at(before, o, j);
        for (std::size_t i = 0; i < n; ++i) sum += at(dy, i, o) * at(x, i, j);
        expected.push_back(sum);
      }
    }
    std::vector<double> bias(out, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t o = 0; o < out; ++o) bias[o] += at(dy, i, o);
    }
    with_each_instruction_set([&] {
      RandomMatrix found = before;
      std::vector<float> sums(out, 1.0F);
      weight_gradient(dy.view(), x.view(), found.view(), sums);
      CHECK(close_to(elements(found.view()), expected, {.absolute = 1e-4}));
      CHECK(found.gaps_are_untouched());
      CHECK(close_to(sums, bias, {.absolute = 1e-4}));
      std::vector<float> alone(out, 1.0F);
      bias_gradient(dy.view(), alone);
      CHECK(alone == sums);
      RandomMatrix without_bias = before;
      weight_gradient(dy.view(), x.view(), without_bias.view(), {});
      CHECK(elements(without_bias.view()) == elements(found.view()));
    });
  }
}

TEST_CASE("the gradients of a layer have the same bits on any number of threads") {
  const RandomMatrix x(700, 200, 1);
  const RandomMatrix dy(700, 300, 2);
  const RandomMatrix weight(300, 200, 3);
  const Linear layer{table_of(weight), {}};
  const std::array<LinearGradient, 1> gradients = {{{&layer, dy.view()}}};
  std::vector<std::vector<float>> expected;
  for (const std::size_t threads : {1, 2, 3}) {
    const ThreadPermit permit(threads);
    RandomMatrix dx(700, 200, 4);
    RandomMatrix dweight(300, 200, 5);
    std::vector<float> dbias(300, 0.5F);
    input_gradient(gradients, dx.view());
    weight_gradient(dy.view(), x.view(), dweight.view(), dbias);
    const std::vector<std::vector<float>> found = {elements(dx.view()), elements(dweight.view()),
                                                   dbias};
    if (expected.empty()) expected = found;
    CHECK(found == expected);
  }
}

TEST_CASE("a product in parts of its depth has the bits of the whole product") {
  for (const auto& [n, k, o] : kShapes) {
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(o);
    const RandomMatrix a(n, k, 1, 3);
    const RandomMatrix b(k, o, 2, 1);
    with_each_instruction_set([&] {
      RandomMatrix whole(n, o, 3, 2);
      multiply(a.view(), b.view(), whole.view());
      std::vector<float> zeros(n * o, 0.0F);
      const Matrix in_place(zeros.data(), n, o);
      std::vector<float> packed_sums(n * o, 0.0F);
      const Matrix packed(packed_sums.data(), n, o);
      const std::size_t half = k / 2;
      for (const auto& [first, count] :
           {std::pair<std::size_t, std::size_t>{0, half}, {half, k - half}}) {
        if (count == 0) continue;
        const ConstMatrix left = a.view().column_range(first, count);
        const ConstMatrix right = b.view().row_range(first, count);
        multiply_add(left, right, in_place);
        std::vector<float> panels(Panels::floats(count, o));
        pack_columns(right, panels.data());
        multiply_add(left, Panels{panels.data(), count, o}, packed);
      }
      CHECK(zeros == elements(whole.view()));
      CHECK(packed_sums == elements(whole.view()));
    });
  }
}

TEST_CASE("a transpose has each number in its place") {
  for (const auto& [rows, cols, unused] : kShapes) {
    const RandomMatrix x(rows, cols, 1, 3);
    with_each_instruction_set([&] {
      RandomMatrix out(cols, rows, 2, 1);
      transpose(x.view(), out.view());
      bool same = true;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) same = same && at(out, j, i) == at(x, i, j);
      }
      CHECK(same);
      CHECK(out.gaps_are_untouched());
    });
  }
}

}  // namespace
}  // namespace headlight::linear_gradient_test
