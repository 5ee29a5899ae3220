// Activations, softmax and layer norm on rows that the second cache holds. What works in place is
// given a fresh copy each time, or its numbers would end as zeros; elementwise/copy is that alone.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "groups.h"
#include "math/functions.h"
#include "measure.h"
#include "numbers.h"

namespace headlight::bench {
namespace {

void copy(ConstMatrix from, Matrix to) {
  for (std::size_t i = 0; i < from.rows; ++i) std::ranges::copy(from.row(i), to.row(i).begin());
}

template <Activation kActivation>
void activate_copy(ConstMatrix from, Matrix to) {
  copy(from, to);
  activate(kActivation, to);
}

void softmax_copy(ConstMatrix from, Matrix to) {
  copy(from, to);
  softmax_rows(to);
}

void norm(ConstMatrix from, Matrix to) {
  static const std::vector<float> kNumbers = random_floats(768);
  const std::span<const float> numbers(kNumbers.data(), from.cols);
  layer_norm({numbers, numbers}, from, to);
}

struct Row {
  const char* name;
  void (*work)(ConstMatrix from, Matrix to);
  std::size_t cols;
};

constexpr std::array<Row, 9> kRows = {{
    {"copy", copy, 1536},
    {"gelu", activate_copy<Activation::gelu>, 1536},
    {"gelu_tanh", activate_copy<Activation::gelu_tanh>, 1536},
    {"tanh", activate_copy<Activation::tanh>, 1536},
    {"softmax", softmax_copy, 32},
    {"softmax", softmax_copy, 128},
    {"softmax", softmax_copy, 512},
    {"layer_norm", norm, 384},
    {"layer_norm", norm, 768},
}};

void run(benchmark::State& state, const Row& row) {
  constexpr std::size_t kElements = std::size_t{12} * 1024;
  Buffer from_memory;
  Buffer to_memory;
  const Matrix from = random_matrix(from_memory, kElements / row.cols, row.cols);
  const Matrix to = to_memory.shape(from.rows, from.cols);
  count_elements(state, from.rows * from.cols, [&] {
    row.work(from, to);
    benchmark::ClobberMemory();
  });
}

}  // namespace

void add_elementwise() {
  for (const Row& row : kRows) {
    const std::string name =
        std::string("elementwise/") + row.name + "/cols:" + std::to_string(row.cols);
    benchmark::RegisterBenchmark(name.c_str(), run, row)->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace headlight::bench
