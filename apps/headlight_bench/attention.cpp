// Attention of one text at itself, all heads: its two products and the softmax between them.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "encoder/dot_product_attention.h"
#include "groups.h"
#include "measure.h"
#include "numbers.h"

namespace headlight::bench {
namespace {

constexpr std::size_t kHeads = 12;
constexpr std::array<std::size_t, 2> kHeadSizes = {32, 64};  // of MiniLM and of BERT-base
constexpr std::array<std::size_t, 6> kTokens = {16, 26, 32, 128, 512, 4096};

void run_attention(benchmark::State& state, std::size_t head_size, std::size_t n) {
  HeadsDescription heads;
  heads.sizes.assign(kHeads, head_size);
  std::array<Buffer, 4> memory;
  std::array<TextAttention, 1> texts;
  texts[0].query = random_matrix(memory[0], n, heads.width());
  texts[0].key = random_matrix(memory[1], n, heads.width());
  texts[0].value = random_matrix(memory[2], n, heads.width());
  texts[0].out = memory[3].shape(n, heads.width());
  // Scores are 2e FLOP each, and so is what they add to the output.
  const double flop = 4.0 * static_cast<double>(n * n * heads.width());
  count_flop(state, flop, [&] {
    attend(heads, texts);
    benchmark::ClobberMemory();
  });
}

}  // namespace

void add_attention() {
  for (const std::size_t head_size : kHeadSizes) {
    for (const std::size_t n : kTokens) {
      const std::string name = "attention/" + std::to_string(kHeads) + "x" +
                               std::to_string(head_size) + "/tokens:" + std::to_string(n);
      benchmark::RegisterBenchmark(name.c_str(), run_attention, head_size, n)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace headlight::bench
