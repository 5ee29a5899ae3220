// Products in tiles: with a model of the registers of AMX everywhere, and with AMX where the
// processor has it.
#include "math/kernels/tiles.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>

#include "math/applied_layer.h"
#include "math/bfloat_reference.h"
#include "math/kernels/tiles-inl.h"
#include "math/processor.h"
#include "math/random_matrix.h"

namespace headlight::tiles_test {
namespace {

/// The registers and the instructions as the manual describes them.
class ModelOfRegisters {
 public:
  void configure(const tiles::TileShapes& shapes) {
    shapes_ = shapes;
    registers_ = {};
  }
  void release() { shapes_ = {}; }
  template <std::size_t kTile>
  void load(const void* from, std::size_t stride) {
    for (std::size_t i = 0; i < rows(kTile); ++i) {
      std::memcpy(&registers_[kTile][i * tiles::kRowBytes],
                  static_cast<const std::byte*>(from) + i * stride, row_bytes(kTile));
    }
  }
  template <std::size_t kTile>
  void store(void* to, std::size_t stride) const {
    for (std::size_t i = 0; i < rows(kTile); ++i) {
      std::memcpy(static_cast<std::byte*>(to) + i * stride,
                  &registers_[kTile][i * tiles::kRowBytes], row_bytes(kTile));
    }
  }

 protected:
  /// What would be an exception of the processor.
  void check_shapes(std::size_t sums, std::size_t x, std::size_t panel) const {
    REQUIRE(rows(sums) > 0);
    REQUIRE(rows(sums) == rows(x));
    REQUIRE(row_bytes(sums) == row_bytes(panel));
    REQUIRE(row_bytes(x) == 4 * rows(panel));
  }
  std::size_t rows(std::size_t tile) const { return shapes_.rows[tile]; }
  std::size_t row_bytes(std::size_t tile) const { return shapes_.row_bytes[tile]; }
  template <typename T>
  T get(std::size_t tile, std::size_t row, std::size_t column) const {
    T value{};
    std::memcpy(&value, &registers_[tile][row * tiles::kRowBytes + column * sizeof(T)], sizeof(T));
    return value;
  }
  template <typename T>
  void set(std::size_t tile, std::size_t row, std::size_t column, T value) {
    std::memcpy(&registers_[tile][row * tiles::kRowBytes + column * sizeof(T)], &value, sizeof(T));
  }

 private:
  tiles::TileShapes shapes_;
  std::array<std::array<std::byte, tiles::kBytes>, 8> registers_{};
};

class ModelOfBfloats : public ModelOfRegisters {
 public:
  /// TDPBF16PS
  template <std::size_t kSums, std::size_t kX, std::size_t kPanel>
  void dot() {
    check_shapes(kSums, kX, kPanel);
    for (std::size_t i = 0; i < rows(kSums); ++i) {
      for (std::size_t j = 0; j < row_bytes(kSums) / 4; ++j) {
        float parts[2] = {0.0F, 0.0F};
        for (std::size_t k = 0; k < row_bytes(kX) / 2; ++k) {
          parts[k % 2] =
              fused(bfloat(kX, i, k), bfloat(kPanel, k / 2, 2 * j + k % 2), parts[k % 2]);
        }
        const auto sum = flushed(get<float>(kSums, i, j));
        set(kSums, i, j, flushed(sum + flushed(parts[0] + parts[1])));
      }
    }
  }

 private:
  float bfloat(std::size_t tile, std::size_t row, std::size_t column) const {
    return std::bit_cast<float>(std::uint32_t{get<std::uint16_t>(tile, row, column)} << 16U);
  }
};

class ModelOfIntegers : public ModelOfRegisters {
 public:
  /// TDPBUSD
  template <std::size_t kSums, std::size_t kX, std::size_t kPanel>
  void dot() {
    check_shapes(kSums, kX, kPanel);
    for (std::size_t i = 0; i < rows(kSums); ++i) {
      for (std::size_t j = 0; j < row_bytes(kSums) / 4; ++j) {
        auto sum = get<std::uint32_t>(kSums, i, j);
        for (std::size_t k = 0; k < row_bytes(kX); ++k) {
          const int product = int{get<std::uint8_t>(kX, i, k)} *
                              int{get<std::int8_t>(kPanel, k / 4, 4 * j + k % 4)};
          sum += static_cast<std::uint32_t>(product);
        }
        set(kSums, i, j, sum);
      }
    }
  }
};

struct Shape {
  std::size_t n, k, o;
};
const Shape kShapes[] = {{1, 1, 1},    {2, 3, 16},   {15, 32, 17}, {16, 33, 32}, {17, 64, 33},
                         {31, 65, 48}, {32, 96, 49}, {33, 129, 5}, {97, 67, 100}};

/// A product of random numbers: x and weights in bfloat16, the bias, and a place for the result.
struct Bfloats {
  explicit Bfloats(const Shape& shape)
      : x(shape.n, shape.k, 1),
        weight(shape.o, shape.k, 2),
        bias(random_floats(shape.o, 3)),
        panels(BfloatPanels::bytes(shape.k, shape.o)),
        rows(BfloatRows::shape(BfloatMethod::tiles, shape.n, shape.k, memory)),
        out(shape.n, shape.o, 4, 3) {
    round_panels(table(weight.view()), 0, Panels::count(shape.o), panels.data());
    round_rows(x.view(), rows);
  }
  BfloatPanels w() const { return {panels.data(), weight.view().cols, weight.view().rows}; }

  RandomMatrix x;
  RandomMatrix weight;
  std::vector<float> bias;
  std::vector<std::byte> panels;
  Buffer memory;
  BfloatRows rows;
  RandomMatrix out;
};

/// The same in 8-bit integers.
struct Integers {
  Integers(const Shape& shape, QuantizedLayout layout_)
      : x(shape.n, shape.k, 1),
        weight(shape.o, shape.k, 2),
        bias(random_floats(shape.o, 3)),
        layout(layout_),
        panels(QuantizedPanels::bytes(shape.k, shape.o)),
        rows(QuantizedRows::shape(layout, shape.n, shape.k, memory)),
        out(shape.n, shape.o, 4, 3) {
    quantize_panels(table(weight.view()), layout, 0, Panels::count(shape.o), panels.data());
    quantize_rows(x.view(), rows);
  }
  QuantizedPanels w() const {
    return {panels.data(), weight.view().cols, weight.view().rows, layout};
  }

  RandomMatrix x;
  RandomMatrix weight;
  std::vector<float> bias;
  QuantizedLayout layout;
  std::vector<std::byte> panels;
  Buffer memory;
  QuantizedRows rows;
  RandomMatrix out;
};

/// The exact bits of integers are those of pairs where a multiply-add is rounded once.
std::vector<float> product_in_pairs(const Shape& shape) {
  Integers pairs(shape, QuantizedLayout::pairs);
  multiply(pairs.rows, pairs.w(), pairs.bias.data(), pairs.out.view());
  return elements(pairs.out.view());
}

TEST_CASE("bfloat16 products in tiles have the sums of the manual, and none is left out") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.n);
    CAPTURE(shape.k);
    CAPTURE(shape.o);
    Bfloats product(shape);
    for (const float* bias :
         {static_cast<const float*>(product.bias.data()), static_cast<const float*>(nullptr)}) {
      ModelOfBfloats model;
      tiles::multiply_bfloats(model, product.rows, product.w(), bias, product.out.view());
      const auto biases = bias == nullptr ? std::span<const float>() : std::span(product.bias);
      CHECK(elements(product.out.view()) ==
            product_of_rounded(product.x.view(), product.weight.view(), biases, sum_in_tiles));
      CHECK(product.out.gaps_are_untouched());
    }
  }
}

/// Both orders round each of k sums once or twice, by at most half a unit of the largest sum.
void check_bound(const Bfloats& product, const std::vector<float>& found) {
  const auto x = product.x.view();
  const auto w = product.weight.view();
  const auto in_pairs = product_of_rounded(x, w, product.bias, sum_in_pairs);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t o = 0; o < w.rows; ++o) {
      double size = static_cast<double>(std::abs(product.bias[o]));
      for (std::size_t k = 0; k < x.cols; ++k) {
        size +=
            1.01 * std::abs(static_cast<double>(x.row(i)[k]) * static_cast<double>(w.row(o)[k]));
      }
      const double bound = size * 0x1p-23 * static_cast<double>(x.cols + 2);
      const std::size_t at = i * w.rows + o;
      CHECK(std::abs(static_cast<double>(found[at]) - static_cast<double>(in_pairs[at])) <= bound);
    }
  }
}

TEST_CASE("sums in tiles are near those in pairs: k units in the last place of the sum of sizes") {
  for (const Shape& shape : kShapes) {
    Bfloats product(shape);
    ModelOfBfloats model;
    tiles::multiply_bfloats(model, product.rows, product.w(), product.bias.data(),
                            product.out.view());
    check_bound(product, elements(product.out.view()));
  }
}

TEST_CASE("integer products in tiles have the bits of those in pairs") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.n);
    CAPTURE(shape.k);
    CAPTURE(shape.o);
    Integers product(shape, QuantizedLayout::tiles);
    ModelOfIntegers model;
    tiles::multiply_integers(model, product.rows, product.w(), product.bias.data(),
                             product.out.view());
    CHECK(elements(product.out.view()) == product_in_pairs(shape));
    CHECK(product.out.gaps_are_untouched());
  }
}

TEST_CASE("the processor's tiles of bfloat16 are near the sums in pairs") {
  if (!has_bfloat_tiles()) {
    MESSAGE("TDPBF16PS is not tested: this processor does not have AMX for bfloat16");
    return;
  }
  for (const Shape& shape : kShapes) {
    Bfloats product(shape);
    multiply_in_tiles(product.rows, product.w(), product.bias.data(), product.out.view());
    check_bound(product, elements(product.out.view()));
    WARN(elements(product.out.view()) ==
         product_of_rounded(product.x.view(), product.weight.view(), product.bias, sum_in_tiles));
    CHECK(product.out.gaps_are_untouched());
  }
}

TEST_CASE("the processor's tiles of integers have the bits of pairs") {
  if (!has_integer_tiles()) {
    MESSAGE("TDPBUSD is not tested: this processor does not have AMX for integers");
    return;
  }
  for (const Shape& shape : kShapes) {
    Integers product(shape, QuantizedLayout::tiles);
    multiply_in_tiles(product.rows, product.w(), product.bias.data(), product.out.view());
    CHECK(elements(product.out.view()) == product_in_pairs(shape));
    CHECK(product.out.gaps_are_untouched());
  }
}

}  // namespace
}  // namespace headlight::tiles_test
