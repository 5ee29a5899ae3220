// MPNet (Song et al. 2020): RoBERTa's positions and head, and no token types. A learned bias for
// the distance of two tokens is added to the scores of each layer.
#include <array>

#include "base/fields.h"
#include "math/positions.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr std::size_t kPad = 1;  // a constant in the reference, independent of pad_token_id

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
  // The table may have unused rows, but it needs a row for each bucket.
  model.relative_buckets =
      fields.size_or("relative_attention_num_buckets", kRelativeBuckets, kRelativeBuckets);
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("mpnet.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"mpnet", "MPNetTokenizer"}};

}  // namespace

constinit const Family kMpnetFamily = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
