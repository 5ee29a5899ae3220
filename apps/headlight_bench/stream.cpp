// The verdict after each token of a text: by a cache of keys and values, and by a whole forward
// pass over each of its beginnings.
#include "encoder/stream.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "encoder/forward.h"
#include "groups.h"
#include "measure.h"
#include "random_model.h"

namespace headlight::bench {
namespace {

constexpr const char* kConfig = R"({
  "model_type": "headlight", "vocab_size": 8000, "hidden_size": 128, "num_hidden_layers": 2,
  "num_attention_heads": 4, "hidden_act": "gelu", "max_position_embeddings": 2000,
  "attention_mask": "causal", "pooling": "mean", "id2label": {"0": "negative", "1": "positive"}
})";
constexpr std::array<std::size_t, 2> kLengths = {200, 2000};

const RandomModel& model() {
  static const RandomModel kModel(kConfig);
  return kModel;
}

struct Tokens {
  explicit Tokens(std::size_t count) : ids(count), type_ids(count, 0) {
    std::size_t id = 0;
    for (TokenId& each : ids) {
      each = static_cast<TokenId>(id = (id + 7919) % model().description().vocab_size);
    }
  }
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
};

/// Counts µs a token.
template <typename Work>
void count_tokens(benchmark::State& state, std::size_t tokens, const Work& work) {
  state.counters["us/token"] = seconds_each(state, work) * 1e6 / static_cast<double>(tokens);
}

void run_cached(benchmark::State& state, std::size_t count) {
  const Tokens tokens(count);
  Scratch scratch;
  count_tokens(state, count, [&] {
    Stream stream(model().description(), model().weights(LinearForm::packed));
    for (std::size_t i = 0; i < count; ++i) {
      const ConstMatrix logits = stream.append(std::span(tokens.ids).subspan(i, 1),
                                               std::span(tokens.type_ids).subspan(i, 1), scratch);
      benchmark::DoNotOptimize(logits.data);
    }
  });
}

void run_recomputed(benchmark::State& state, std::size_t count) {
  const Tokens tokens(count);
  Scratch scratch;
  Batch batch;
  count_tokens(state, count, [&] {
    for (std::size_t i = 1; i <= count; ++i) {
      batch.clear();
      batch.add(std::span(tokens.ids).first(i), std::span(tokens.type_ids).first(i));
      const ConstMatrix logits =
          forward(model().description(), model().weights(LinearForm::packed), {batch, scratch});
      benchmark::DoNotOptimize(logits.data);
    }
  });
}

}  // namespace

void add_stream() {
  for (const std::size_t length : kLengths) {
    const std::string tokens = "/tokens:" + std::to_string(length);
    benchmark::RegisterBenchmark(("stream/cached" + tokens).c_str(), run_cached, length)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("stream/recomputed" + tokens).c_str(), run_recomputed, length)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace headlight::bench
