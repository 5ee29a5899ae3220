// The gradients of linear layers, of the sizes of MiniLM, and of the functions beside them.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "groups.h"
#include "math/function_gradients.h"
#include "math/linear_gradient.h"
#include "measure.h"
#include "numbers.h"

namespace headlight::bench {
namespace {

constexpr std::size_t kHidden = 384;
constexpr std::array<std::array<std::size_t, 2>, 3> kLayers = {  // in, out
    {{384, 384}, {384, 1536}, {1536, 384}}};
constexpr std::array<std::size_t, 3> kBatchRows = {64, 512, 4096};

/// A layer of random numbers, its input, and the gradient of its output.
struct RandomLayer {
  RandomLayer(std::size_t rows, std::size_t in, std::size_t out)
      : numbers(random_floats(in * out)),
        bias(out),
        x(random_matrix(x_memory, rows, in)),
        dy(random_matrix(dy_memory, rows, out)),
        flop(2.0 * static_cast<double>(rows * in * out)) {}

  Linear linear() const {
    return {
        {NumberFormat::f32, reinterpret_cast<const std::byte*>(numbers.data()), dy.cols, x.cols},
        bias,
        {}};
  }

  std::vector<float> numbers;
  std::vector<float> bias;
  Buffer x_memory;
  Buffer dy_memory;
  Matrix x;
  Matrix dy;
  double flop;
};

void run_input(benchmark::State& state, std::size_t rows, std::size_t in, std::size_t out) {
  RandomLayer layer(rows, in, out);
  const Linear linear = layer.linear();
  const std::array<LinearGradient, 1> alone = {{{&linear, layer.dy}}};
  count_flop(state, layer.flop, [&] {
    input_gradient(alone, layer.x);
    benchmark::ClobberMemory();
  });
}

void run_weights(benchmark::State& state, std::size_t rows, std::size_t in, std::size_t out) {
  RandomLayer layer(rows, in, out);
  count_flop(state, layer.flop, [&] {
    weight_gradient(layer.dy, layer.x, Matrix(layer.numbers.data(), out, in), layer.bias);
    benchmark::ClobberMemory();
  });
}

void run_gelu(benchmark::State& state, std::size_t rows) {
  RandomLayer layer(rows, 4 * kHidden, 4 * kHidden);
  count_elements(state, rows * layer.x.cols, [&] {
    activation_gradient(Activation::gelu, layer.x, layer.dy);
    benchmark::ClobberMemory();
  });
}

void run_norm(benchmark::State& state, std::size_t rows) {
  RandomLayer layer(rows, kHidden, kHidden);
  const std::vector<float> gain(kHidden, 1.0F);
  std::vector<float> dgain(kHidden);
  const LayerNorm norm{gain, gain};
  count_elements(state, rows * kHidden, [&] {
    layer_norm_gradient(norm, layer.x, layer.dy, layer.dy, {dgain, layer.bias});
    benchmark::ClobberMemory();
  });
}

}  // namespace

void add_gradients() {
  for (const std::size_t rows : kBatchRows) {
    const std::string ending = "/rows:" + std::to_string(rows);
    for (const auto& [in, out] : kLayers) {
      const std::string size = std::to_string(in) + "x" + std::to_string(out) + ending;
      benchmark::RegisterBenchmark(("gradient/input/" + size).c_str(), run_input, rows, in, out)
          ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(("gradient/weights/" + size).c_str(), run_weights, rows, in, out)
          ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark(("gradient/gelu" + ending).c_str(), run_gelu, rows)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("gradient/norm" + ending).c_str(), run_norm, rows)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace headlight::bench
