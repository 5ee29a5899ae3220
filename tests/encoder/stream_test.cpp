// A text token by token, against the forward pass over each of its beginnings.
#include "encoder/stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "encoder/forward.h"
#include "math/with_instruction_sets.h"
#include "model/prepare.h"
#include "reference/random_model.h"

namespace headlight::stream_test {
namespace {

struct Tokens {
  std::vector<TokenId> ids;
  std::vector<TokenId> type_ids;
};

Tokens random_tokens(const Description& model, std::size_t longest, std::mt19937& random) {
  Tokens tokens;
  const std::size_t types = std::max<std::size_t>(model.embedding.type_vocab_size, 1);
  for (std::size_t i = 0; i < std::min(model.max_positions, longest); ++i) {
    tokens.ids.push_back(static_cast<TokenId>(random() % model.vocab_size));
    tokens.type_ids.push_back(static_cast<TokenId>(random() % types));
  }
  return tokens;
}

std::vector<float> logits_of(const Model& model, const Tokens& tokens, std::size_t count) {
  Batch batch;
  batch.add(std::span(tokens.ids).first(count), std::span(tokens.type_ids).first(count));
  Scratch scratch;
  const auto logits = forward(model.description, model.weights, {batch, scratch}).row(0);
  return {logits.begin(), logits.end()};
}

/// Streams tokens in pieces of one to three, now and then going back; empty, or the first beginning
/// whose logits are not those of the forward pass.
std::string difference(const Model& model, const Tokens& tokens, std::mt19937& random) {
  Stream stream(model.description, model.weights);
  Scratch scratch;
  while (stream.tokens() < tokens.ids.size()) {
    const std::size_t before = stream.tokens();
    if (random() % 5 == 0)
      stream.shorten(before - random() % (std::min<std::size_t>(before, 6) + 1));
    const std::size_t first = stream.tokens();
    const std::size_t count = std::min<std::size_t>(1 + random() % 3, tokens.ids.size() - first);
    const auto logits = stream.append(std::span(tokens.ids).subspan(first, count),
                                      std::span(tokens.type_ids).subspan(first, count), scratch);
    const auto row = logits.row(0);
    if (std::vector(row.begin(), row.end()) != logits_of(model, tokens, stream.tokens())) {
      return "after token " + std::to_string(stream.tokens());
    }
  }
  return "";
}

TEST_CASE("causal models of every kind: streamed, each beginning has the logits of its full pass") {
  const TemporaryFolder folder;
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same every time
  std::vector<Pooling> met;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    CAPTURE(seed);
    auto made = reference::random_model(seed);
    if (made.architecture.pooling == "none") continue;  // has no logits of the text
    made.config["attention_mask"] = "causal";
    made.config.erase("pad_to_length");
    const std::string path = folder / std::to_string(seed);
    reference::write_model_directory(path, made.config, made.tensors, made.storage);
    Model model = load_model(locate_model(path, ""));
    if (model.description.convolution) {
      const auto obstacle = streaming_obstacle(model.description);
      CHECK(obstacle.value_or("").find("conv_kernel_size") != std::string::npos);
      continue;
    }
    REQUIRE_FALSE(streaming_obstacle(model.description));
    const LinearForm form = seed % 2 == 0 ? LinearForm::packed : LinearForm::stored;
    model.prepared = prepare_weights(model.description, {form, form}, model.weights);
    met.push_back(model.description.pooling);
    CHECK(difference(model, random_tokens(model.description, 40, random), random) == "");
  }
  for (const Pooling pooling :
       {Pooling::cls, Pooling::last, Pooling::mean, Pooling::max, Pooling::label_attention}) {
    CHECK(std::count(met.begin(), met.end(), pooling) > 0);
  }
}

TEST_CASE("the same on every instruction set, past a block of queries and several panels of keys") {
  const TemporaryFolder folder;
  Model model = encoder_model(folder);
  for (LayerDescription& layer : model.description.layers) {
    layer.heads.mask = AttentionMask::causal;
  }
  std::mt19937 random(3);  // NOLINT(cert-msc51-cpp)
  const Tokens tokens = random_tokens(model.description, 100, random);
  with_each_instruction_set([&] { CHECK(difference(model, tokens, random) == ""); });
}

TEST_CASE("models whose earlier tokens change with later ones are told apart") {
  const TemporaryFolder folder;
  Model model = encoder_model(folder);
  CHECK(streaming_obstacle(model.description).value_or("").find("bidirectional") !=
        std::string::npos);
  for (LayerDescription& layer : model.description.layers) {
    layer.heads.mask = AttentionMask::causal;
  }
  CHECK_FALSE(streaming_obstacle(model.description));
  model.description.pad_to_length = 12;
  CHECK(streaming_obstacle(model.description).value_or("").find("pad_to_length") !=
        std::string::npos);
}

}  // namespace
}  // namespace headlight::stream_test
