// MPNet (Song et al. 2020): RoBERTa's positions and head, and no token types. A learned bias for
// the distance of two tokens is added to the scores of each layer.
#include <array>

#include "base/fields.h"
#include "math/positions.h"
#include "model/families/attention_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr std::size_t kPad = 1;  // a constant in the reference, independent of pad_token_id

constexpr PublishedFields kFields = {.vocab_size = {"vocab_size", 30527},
                                     .head_dense = Activation::tanh};

constexpr auto kTensors = std::to_array<TensorName>({
    {"relative_bias.weight", ".encoder.relative_attention_bias.weight"},
    {"attention.query", "attention.attn.q"},
    {"attention.key", "attention.attn.k"},
    {"attention.value", "attention.attn.v"},
    {"attention.output", "attention.attn.o"},
    {"attention.norm", "attention.LayerNorm"},
});
constexpr PublishedNames kNames = {.prefix = "mpnet",
                                   .head_dense = "classifier.dense",
                                   .classifier = "classifier.out_proj",
                                   .tensors = kTensors};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  skip_pads(fields, kPad, model);
  // The table may have unused rows, but it needs a row for each bucket.
  add_relative_bias(
      {fields.size_or("relative_attention_num_buckets", kRelativeBuckets, kRelativeBuckets)},
      model);
  return config;
}

constexpr std::array kTypes = {
    ModelType{"mpnet", "MPNetTokenizer", "MPNetForSequenceClassification"}};

}  // namespace

constinit const Family kMpnetFamily = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
