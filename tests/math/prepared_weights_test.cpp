// Every form that weights can take: what it holds, and that all give the same products.
#include "math/prepared_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "close_to.h"
#include "math/applied_layer.h"
#include "math/linear.h"
#include "math/prepared_layer.h"
#include "math/random_matrix.h"
#include "math/with_instruction_sets.h"

namespace headlight::prepared_weights_test {
namespace {

struct Shape {
  std::size_t in, out;
};
const Shape kShapes[] = {{1, 1}, {3, 17}, {63, 7}, {37, 16}, {129, 131}, {1030, 33}};

/// Weights [out, in] in a format of 2 or 4 bytes a number, from an address that suits no float.
struct Stored {
  Stored(NumberFormat format, std::size_t out, std::size_t in)
      : bytes(out * in * bytes_each(format) + 1) {
    const std::vector<float> numbers = random_floats(out * in, 1);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      // Halves of float32 are bfloat16; as binary16 these bits are small numbers too.
      const auto bits = std::bit_cast<std::uint32_t>(numbers[i]) & 0xBFFFFFFFU;
      const std::uint32_t kept = format == NumberFormat::f32 ? bits : bits >> 16U;
      std::memcpy(&bytes[1 + i * bytes_each(format)], &kept, bytes_each(format));
    }
    table = {format, bytes.data() + 1, out, in};
  }
  std::vector<std::byte> bytes;
  Table table;
};

std::vector<float> row_of(const Table& table, std::size_t index) {
  std::vector<float> row(table.cols);
  table.read(index, row);
  return row;
}

float largest(std::span<const float> numbers) {
  float most = 0.0F;
  for (const float x : numbers) most = std::max(most, std::abs(x));
  return most;
}

/// How far a form may be from the exact product of two rows of k numbers.
double allowed(LinearForm form, std::span<const float> x, std::span<const float> w) {
  const auto k = static_cast<double>(x.size());
  const double most = static_cast<double>(largest(x)) * static_cast<double>(largest(w));
  const double exact = 1e-6 * (k * most + 1.0);
  const bool rounded = form == LinearForm::int8 || form == LinearForm::bf16;
  return rounded ? exact + k * most / 127.0 : exact;
}

TEST_CASE("every form agrees with float64, in every format and on every instruction set") {
  for (const auto& [in, out] : kShapes) {
    for (const auto format : {NumberFormat::f32, NumberFormat::f16, NumberFormat::bf16}) {
      const Stored weight(format, out, in);
      const auto bias = random_floats(out, 2);
      const RandomMatrix x(9, in, 3, 5);
      with_each_instruction_set([&, in = in, out = out, format = format] {
        CAPTURE(in);
        CAPTURE(out);
        CAPTURE(static_cast<int>(format));
        const Linear linear{weight.table, bias};
        for (const LinearForm form : kForms) {
          CAPTURE(static_cast<int>(form));
          const auto y = applied(PreparedLayer(linear, form).layer, x.view());
          for (std::size_t o = 0; o < out; ++o) {
            const auto w = row_of(weight.table, o);
            for (std::size_t i = 0; i < 9; ++i) {
              const auto row = x.view().row(i);
              double sum = static_cast<double>(bias[o]);
              for (std::size_t j = 0; j < in; ++j) {
                sum += static_cast<double>(row[j]) * static_cast<double>(w[j]);
              }
              REQUIRE(std::abs(static_cast<double>(y[i * out + o]) - sum) <= allowed(form, row, w));
            }
          }
        }
        CHECK(applied(PreparedLayer(linear, LinearForm::packed).layer, x.view()) ==
              applied(linear, x.view()));  // the same bits as stored
      });
    }
  }
}

TEST_CASE("a form's memory is whole cache lines, and there is none where weights stay stored") {
  for (const auto& [in, out] : kShapes) {
    for (const LinearForm form : kForms) {
      const std::size_t bytes = prepared_bytes(form, out, in);
      CHECK(bytes % 64 == 0);
      const bool stored = form == LinearForm::stored || form == LinearForm::blas;
      CHECK((bytes > 0) == !stored);
    }
    CHECK(prepared_bytes(LinearForm::packed, out, in) >= out * in * sizeof(float));
    CHECK(prepared_bytes(LinearForm::int8, out, in) >= out * in);
    CHECK(prepared_bytes(LinearForm::bf16, out, in) >= out * in * 2);
  }
  CHECK(can_prepare(LinearForm::int8, kMostQuantizedDepth));
  CHECK_FALSE(can_prepare(LinearForm::int8, kMostQuantizedDepth + 1));
  CHECK(can_prepare(LinearForm::packed, kMostQuantizedDepth + 1));
}

TEST_CASE("panels that are prepared one by one, in any order, are those prepared together") {
  for (const auto& [in, out] : kShapes) {
    const Stored weight(NumberFormat::f32, out, in);
    for (const LinearForm form : {LinearForm::packed, LinearForm::int8, LinearForm::bf16}) {
      const PreparedLayer together(Linear{weight.table, {}}, form);
      std::vector<std::byte> memory(together.memory.size());
      for (std::size_t panel = Panels::count(out); panel-- > 0;) {
        prepare_panels(weight.table, unprepared(form), panel, panel + 1, memory.data());
      }
      CHECK(memory == together.memory);
    }
  }
}

TEST_CASE("layers of all forms as one product are what each is alone") {
  const Stored weight(NumberFormat::f32, 70, 24);
  const auto bias = random_floats(70, 2);
  const RandomMatrix x(33, 24, 3);
  std::vector<PreparedLayer> layers;
  std::vector<RandomMatrix> outs;
  for (const LinearForm form : kForms) {
    layers.emplace_back(Linear{weight.table, bias}, form);
    outs.emplace_back(33, 70, 4);
  }
  std::vector<LinearOutput> all;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    all.push_back({&layers[i].layer, outs[i].view(), Activation::relu});
  }
  apply_all(all, x.view());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    auto expected = applied(layers[i].layer, x.view());
    for (float& value : expected) value = std::max(value, 0.0F);
    CHECK(elements(outs[i].view()) == expected);
  }
}

TEST_CASE("some outputs of a layer in any form are those of its stored weights") {
  const Stored weight(NumberFormat::f32, 50, 24);
  const auto bias = random_floats(50, 2);
  const RandomMatrix x(5, 24, 3);
  const Linear linear{weight.table, bias};
  for (const LinearForm form : kForms) {
    const PreparedLayer prepared(linear, form);
    const Linear some = prepared.layer.outputs(17, 20);
    const bool by_blas = form == LinearForm::blas;
    CHECK(some.prepared.form == (by_blas ? LinearForm::blas : LinearForm::stored));
    const auto all = applied(linear, x.view());
    std::vector<double> expected;
    for (std::size_t i = 0; i < 5; ++i) {
      expected.insert(expected.end(), &all[i * 50 + 17], &all[i * 50 + 37]);
    }
    CHECK(close_to(applied(some, x.view()), expected, {.absolute = by_blas ? 1e-5 : 0.0}));
  }
}

}  // namespace
}  // namespace headlight::prepared_weights_test
