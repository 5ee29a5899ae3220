// EuroBERT (Boizard et al. 2025): the layers of Llama, from both sides.
#include <array>
#include <string>

#include "base/fields.h"
#include "model/families/attention_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"
#include "model/families/rotary_encoder.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 128256},
    .max_positions = {"max_position_embeddings", 8192},
    .head_size = "head_dim",
    .default_activation = "silu",
    .epsilon = "rms_norm_eps",
    .default_epsilon = 1e-5F,
    .has_own_code = false,
    .positions = nullptr,
    .has_embedding_norm = false,
    .norm_order = NormOrder::pre,
    .norm_form = LayerNormForm::rms,
};

constexpr auto kTensors = std::to_array<TensorName>({{"head.dense", "dense"}});
constexpr PublishedNames kNames = {
    .prefix = "model", .layers = ".layers", .tensors = kTensors, .others = kLlamaTensors};

/// classifier_pooling: `late` applies the head to each token and takes the mean of the logits,
/// which is the classifier of the mean. The class on the Hub reads clf_pooling instead.
void read_pooling(Fields& fields, Description& model) {
  const char* const name = "classifier_pooling";
  const std::string pooling =
      fields.find_value(name) == nullptr ? "late" : fields.required_string(name);
  if (pooling != "late" && pooling != "mean" && pooling != "bos") {
    fields.fail(name, "one of late, mean, bos");
  }
  if (fields.find_value("clf_pooling") != nullptr &&
      fields.required_string("clf_pooling") != pooling) {
    fields.fail("clf_pooling", pooling + ", as classifier_pooling");
  }
  model.pooling = pooling == "bos" ? Pooling::cls : Pooling::mean;
  model.head_dense = Activation::gelu;
  model.head_dense_first = pooling == "late";
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  make_rotary(fields, {}, model);
  const std::size_t heads = model.label_heads.sizes.size();
  const std::size_t group = read_group(fields, heads, heads);
  for (LayerDescription& layer : model.layers) {
    layer.gated = true;
    layer.feed_forward_bias = fields.flag_or("mlp_bias", false);
    layer.heads.group = group;
    layer.heads.bias = fields.flag_or("attention_bias", false);
    layer.heads.output_bias = layer.heads.bias;
  }
  read_pooling(fields, model);
  return config;
}

constexpr std::array kTypes = {
    ModelType{"eurobert", "TokenizersBackend", "EuroBertForSequenceClassification"}};

}  // namespace

constinit const Family kEuroBertFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                          true};

}  // namespace headlight
