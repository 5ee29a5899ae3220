// Whole forward passes of a random model of MiniLM's size, all rows of all layers.
#include "encoder/forward.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "groups.h"
#include "measure.h"
#include "random_model.h"

namespace headlight::bench {
namespace {

constexpr const char* kConfig = R"({
  "model_type": "headlight", "vocab_size": 30522, "hidden_size": 384, "num_hidden_layers": 6,
  "num_attention_heads": 12, "intermediate_size": 1536, "hidden_act": "gelu",
  "position_embedding_type": "absolute", "max_position_embeddings": 512, "type_vocab_size": 2,
  "embedding_layer_norm": true, "pooling": "mean", "id2label": {"0": "negative", "1": "positive"}
})";

struct Shape {
  std::size_t texts;
  std::size_t tokens;  // of each
};
// The last is a batch of short sentences.
constexpr std::array<Shape, 6> kShapes = {{{1, 8}, {1, 16}, {1, 32}, {1, 128}, {1, 512}, {20, 26}}};

Batch make_batch(Shape shape, std::size_t vocab_size) {
  Batch batch;
  const std::vector<TokenId> types(shape.tokens, 0);
  std::vector<TokenId> ids(shape.tokens);
  std::size_t id = 0;
  for (std::size_t text = 0; text < shape.texts; ++text) {
    for (TokenId& each : ids) each = static_cast<TokenId>(id = (id + 7919) % vocab_size);
    batch.add(ids, types);
  }
  return batch;
}

void run_forward(benchmark::State& state, const Way& way, Shape shape) {
  static const RandomModel kModel(kConfig);
  const Batch batch = make_batch(shape, kModel.description().vocab_size);
  Scratch scratch;
  const double flop = kModel.flop_a_token() * static_cast<double>(batch.tokens());
  count_flop(state, flop, [&] {
    const ConstMatrix logits =
        forward(kModel.description(), kModel.weights(way.form), {batch, scratch});
    benchmark::DoNotOptimize(logits.data);
    benchmark::ClobberMemory();
  });
}

}  // namespace

void add_forward() {
  for (const Way& way : kWays) {
    for (const Shape shape : kShapes) {
      const std::string name = std::string("forward/MiniLM/") + way.name +
                               "/texts:" + std::to_string(shape.texts) +
                               "/tokens:" + std::to_string(shape.tokens);
      benchmark::RegisterBenchmark(name.c_str(), run_forward, way, shape)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace headlight::bench
