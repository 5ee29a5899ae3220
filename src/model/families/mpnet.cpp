// MPNet (Song et al. 2020): RoBERTa's positions and head, no token types, and a learned bias on
// every layer's scores by the distance of the two tokens.
#include <array>

#include "base/fields.h"
#include "math/positions.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr std::size_t kPad = 1;  // in the reference's code, whatever pad_token_id says

constexpr TensorNames kNames = {
    "mpnet.",
    nullptr,
    {"attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o",
     "attention.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"},
    "mpnet.encoder.relative_attention_bias.weight",
    "classifier.dense",
    "classifier.out_proj"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, {.vocab_size = {"vocab_size", 30527}});
  Description& model = config.description;
  skip_pads(fields, kPad, model);
  // The table may have rows that no distance asks for, and none may be missing.
  model.relative_buckets =
      fields.size_or("relative_attention_num_buckets", kRelativeBuckets, kRelativeBuckets);
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("mpnet.encoder.layer", model.layers.size());
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(kNames, config, source);
}

constexpr std::array kTypes = {ModelType{"mpnet", "MPNetTokenizer"}};

}  // namespace

constinit const Family kMpnetFamily = {kTypes, &read_config, &read_weights, true};

}  // namespace headlight
