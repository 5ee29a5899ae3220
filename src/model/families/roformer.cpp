// RoFormer (Su et al. 2021): BERT with rotary positions, and an embedding that may be narrower than
// its layers. The dense layer of the head has the activation of the layers.
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "math/positions.h"
#include "model/families/attention_fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr float kBase = 10'000.0F;

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 50000},
    .max_positions = {"max_position_embeddings", 1536},
    .positions = nullptr,
    .token_types = 2,
    .embedding_size = {"embedding_size", 0},
    .head_dense = Activation::gelu,
};

constexpr auto kTensors =
    std::to_array<TensorName>({{"embeddings.projection", ".embeddings_project"}});
constexpr PublishedNames kNames = {.prefix = "roformer",
                                   .head_dense = "classifier.dense",
                                   .classifier = "classifier.out_proj",
                                   .tensors = kTensors};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  if (read_switch(fields, "rotary_value")) {
    fields.fail("rotary_value", "false, as values are not turned");
  }
  Description& model = config.description;
  model.embedding.positions = PositionKind::rotary;
  const std::size_t e = model.label_heads.sizes.front();
  if (e % 2 != 0) {
    fields.complain("hidden_size", "gives heads of " + std::to_string(e) +
                                       " numbers, but rotary positions turn pairs of numbers");
  }
  // The reference has these positions whatever rope_theta and rope_parameters say.
  const Rotary rotary{.frequencies = rotary_frequencies(kBase, e), .interleaved = true};
  const std::size_t index = share_rotary(rotary, model);
  for (LayerDescription& layer : model.layers) layer.heads.rotary = index;
  if (fields.find("hidden_act") != nullptr)
    model.head_dense = read_activation(fields, "hidden_act");
  return config;
}

/// Row [e] of the table of sines and cosines at `position`.
void sines_and_cosines(std::size_t position, std::span<float> row) {
  const std::size_t half = row.size() / 2;
  for (std::size_t k = 0; k < half; ++k) {
    const double exponent = static_cast<double>(k) / static_cast<double>(half);
    const double angle = static_cast<double>(position) / std::pow(double{kBase}, exponent);
    row[k] = static_cast<float>(std::sin(angle));
    row[half + k] = static_cast<float>(std::cos(angle));
  }
}

/// Files have the table of sines and cosines as a tensor, and the reference reads it from there.
/// Throws Error if it has other positions than ours; those of 16-bit files are only rounded.
void check_table(const std::string& name, const Description& model, TensorSource& source) {
  if (!source.rows_of(name)) return;
  const std::size_t e = model.label_heads.sizes.front();
  const Table table = source.table(name, model.max_positions, e);
  std::vector<float> row(e);
  std::vector<float> expected(e);
  for (std::size_t position = 0; position < table.rows; ++position) {
    table.read(position, row);
    sines_and_cosines(position, expected);
    for (std::size_t k = 0; k < e; ++k) {
      if (std::abs(row[k] - expected[k]) < 0.01F) continue;
      throw Error(source.where(), "tensor " + name + ": row " + std::to_string(position) +
                                      " is not the sines and cosines of RoFormer's positions");
    }
  }
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  check_table("roformer.encoder.embed_positions.weight", config.description, source);
  check_table("encoder.embed_positions.weight", config.description, source);
  return read_published_weights(kNames, config, source);
}

constexpr std::array kTypes = {ModelType{"roformer", "RoFormerTokenizer"}};

}  // namespace

constinit const Family kRoFormerFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
