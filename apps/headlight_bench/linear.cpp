// Linear layers of the sizes of MiniLM and BERT-base, their weights not in cache; and what packing
// weights costs.
#include "math/linear.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "groups.h"
#include "math/number_format.h"
#include "math/panel_memory.h"
#include "math/products.h"
#include "measure.h"
#include "numbers.h"

namespace headlight::bench {
namespace {

struct Size {
  std::size_t in;
  std::size_t out;

  std::size_t floats() const { return in * out; }
  std::string name() const { return std::to_string(in) + "x" + std::to_string(out); }
};

constexpr std::array<Size, 6> kSizes = {
    {{384, 384}, {384, 1536}, {1536, 384}, {768, 768}, {768, 3072}, {3072, 768}}};
constexpr std::array<std::size_t, 8> kRows = {1, 8, 16, 32, 64, 128, 256, 512};

Table table_of(NumberFormat format, const float* numbers, Size size) {
  return {format, reinterpret_cast<const std::byte*>(numbers), size.out, size.in};
}

void run_linear(benchmark::State& state, const Way& way, Size size, std::size_t rows) {
  Buffer x_memory;
  Buffer y_memory;
  const Matrix x = random_matrix(x_memory, rows, size.in);
  const Matrix y = y_memory.shape(rows, size.out);
  const std::vector<float> bias = random_floats(size.out);
  ColdWeights weights(size.floats());
  const double flop = 2.0 * static_cast<double>(rows * size.floats());
  PreparedWeights prepared = unprepared(way.form);
  count_flop(state, flop, [&] {
    const float* numbers = weights.next();
    const Table table = table_of(NumberFormat::f32, numbers, size);
    prepared.data = table.bytes;  // any numbers will do
    const Linear linear{table, bias, prepared};
    linear.apply(x, y);
    benchmark::ClobberMemory();
  });
}

struct Format {
  const char* name;
  NumberFormat format;
};
constexpr std::array<Format, 3> kFormats = {
    {{"f32", NumberFormat::f32}, {"f16", NumberFormat::f16}, {"bf16", NumberFormat::bf16}}};

/// Bytes are counted as they are stored; what is written is always float32.
void run_pack(benchmark::State& state, NumberFormat format, Size size) {
  ColdWeights weights(size.floats());
  // One after another, as a model is packed: what is written is not in cache either.
  const std::size_t pieces = (std::size_t{64} << 20U) / (size.floats() * sizeof(float));
  const PanelMemory memory(pieces * size.floats() * sizeof(float));
  std::size_t piece = 0;
  const auto bytes = static_cast<double>(size.floats() * bytes_each(format));
  count_bytes(state, bytes, [&] {
    prepare_panels(table_of(format, weights.next(), size), {LinearForm::packed}, 0,
                   Panels::count(size.out), memory.data() + piece * size.floats() * sizeof(float));
    piece = (piece + 1) % pieces;
    benchmark::ClobberMemory();
  });
}

}  // namespace

void add_linear() {
  std::vector<Way> ways(kWays.begin(), kWays.end());
  ways.insert(ways.end(), {{"bf16", LinearForm::bf16}, {"int8", LinearForm::int8}});
  for (const Way& way : ways) {
    for (const Size size : kSizes) {
      for (const std::size_t rows : kRows) {
        const std::string name =
            std::string("linear/") + way.name + "/" + size.name() + "/rows:" + std::to_string(rows);
        benchmark::RegisterBenchmark(name.c_str(), run_linear, way, size, rows)
            ->Unit(benchmark::kMicrosecond);
      }
    }
  }
}

void add_pack() {
  for (const auto& [format_name, format] : kFormats) {
    for (const Size size : {Size{384, 1536}, Size{768, 3072}}) {
      const std::string name = std::string("pack/") + format_name + "/" + size.name();
      benchmark::RegisterBenchmark(name.c_str(), run_pack, format, size)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace headlight::bench
