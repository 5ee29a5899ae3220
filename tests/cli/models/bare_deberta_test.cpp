// Classifiers whose config has the name of a base model in place of sizes.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::bare_deberta_test {
namespace {

constexpr std::uint64_t kWidth = 384;  // of deberta-v3-xsmall
constexpr std::uint64_t kInner = 1536;

/// Half-precision zeros.
Tensor zeros(const std::string& name, const std::vector<std::uint64_t>& shape) {
  std::size_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return {name, "F16", shape, std::string(2 * count, '\0')};
}

/// Layers that add nothing, so that the first token's vector is 1, -1, 1, …; "yes" has 1 for it.
std::vector<Tensor> tensors() {
  std::vector<float> alternating(kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) alternating[i] = i % 2 == 0 ? 1.0F : -1.0F;
  std::vector<float> head(2 * kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) head[i] = alternating[i] / static_cast<float>(kWidth);
  const auto norm = [](std::vector<Tensor>& all, const std::string& name) {
    all.push_back(float_tensor(name + ".weight", {kWidth}, std::vector<float>(kWidth, 1.0F)));
    all.push_back(zeros(name + ".bias", {kWidth}));
  };
  std::vector<Tensor> all = {
      float_tensor("model.embeddings.word_embeddings.weight", {1, kWidth}, alternating),
      zeros("model.encoder.rel_embeddings.weight", {512, kWidth}),
      float_tensor("fc.weight", {2, kWidth}, head), float_tensor("fc.bias", {2}, {0.0F, 0.5F})};
  norm(all, "model.embeddings.LayerNorm");
  norm(all, "model.encoder.LayerNorm");
  for (int i = 0; i < 12; ++i) {
    const std::string layer = "model.encoder.layer." + std::to_string(i) + ".";
    for (const char* square : {"attention.self.query_proj", "attention.self.key_proj",
                               "attention.self.value_proj", "attention.output.dense"}) {
      all.push_back(zeros(layer + square + ".weight", {kWidth, kWidth}));
      all.push_back(zeros(layer + square + ".bias", {kWidth}));
    }
    all.push_back(zeros(layer + "intermediate.dense.weight", {kInner, kWidth}));
    all.push_back(zeros(layer + "intermediate.dense.bias", {kInner}));
    all.push_back(zeros(layer + "output.dense.weight", {kWidth, kInner}));
    all.push_back(zeros(layer + "output.dense.bias", {kWidth}));
    norm(all, layer + "attention.output.LayerNorm");
    norm(all, layer + "output.LayerNorm");
  }
  return all;
}

std::string config(const std::string& base) {
  return R"({"base_model": ")" + base +
         R"(", "fc_dropout": 0.2, "id2label": {"0": "yes", "1": "no"}})";
}

TEST_CASE("a linear layer on a named DeBERTa-v3 reads the first token, and others are refused") {
  const ToyPlace place;
  place.files().write_folder("m", {{"config.json", config("microsoft/DeBERTa-v3-xsmall")},
                                   {"model.safetensors", safetensors(tensors())}});
  const auto row = place.json({"classify", "-m", "m", "--ids", "0 0", "--format", "json"})[0];
  CHECK(std::abs(row["logits"]["yes"].get<double>() - 1.0) < 1e-4);
  CHECK(row["logits"]["no"] == 0.5);
  for (const std::string base : {"microsoft/deberta-v3-base", "deberta-v3-small"}) {
    place.files().write("m/config.json", config(base));
    check_refusal(place.run({"classify", "-m", "m", "--ids", "0"}), 1,
                  "m/model.safetensors: tensor |found shape [1, 384], expected [1, 768]");
  }
  for (const std::string base : {"roberta-base", "/etc", "../m", "other/deberta-v3-xsmall"}) {
    place.files().write("m/config.json", config(base));
    check_refusal(place.run({"classify", "-m", "m", "--ids", "0"}), 1,
                  "m/config.json: base_model: found \"" + base +
                      "\", expected one of deberta-v3-xsmall, |since the config has no sizes");
  }
  place.files().write("m/config.json", config("microsoft/deberta-v3-xsmall"));
  std::vector<Tensor> heads = tensors();
  tensor_of(heads, "fc.weight").name = "heads.0.fc.weight";
  place.files().write("m/model.safetensors", safetensors(heads));
  check_refusal(place.run({"classify", "-m", "m", "--ids", "0"}), 1,
                "m/model.safetensors: tensor fc.weight: missing; a model with several heads|");
}

}  // namespace
}  // namespace headlight::bare_deberta_test
