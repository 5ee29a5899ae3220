// DeBERTa-v2 (He et al. 2021), DeBERTa-v3 and mDeBERTa (He et al. 2023): distances share relative
// embeddings, projections can be shared, and a convolution can run beside the first layer.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/disentangled.h"
#include "model/families/families.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 128100},
    .hidden_size = {"hidden_size", 1536},
    .layers = {"num_hidden_layers", 24},
    .heads = {"num_attention_heads", 24},
    .intermediate_size = {"intermediate_size", 6144},
    .default_epsilon = 1e-7F,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.projection", ".embeddings.embed_proj"},
    {"relative_attention.embeddings.weight", ".encoder.rel_embeddings.weight"},
    {"relative_attention.norm", ".encoder.LayerNorm"},
    {"convolution", ".encoder.conv.conv"},
    {"convolution.norm", ".encoder.conv.LayerNorm"},
    {"attention.query", "attention.self.query_proj"},
    {"attention.key", "attention.self.key_proj"},
    {"attention.value", "attention.self.value_proj"},
    {"attention.relative_key", "attention.self.pos_key_proj"},
    {"attention.relative_query", "attention.self.pos_query_proj"},
});
constexpr PublishedNames kNames = {
    .prefix = "deberta", .head_dense = "pooler.dense", .tensors = kTensors};

/// position_buckets: the distances that have embeddings of their own, and those beyond.
void read_buckets(Fields& fields, RelativeAttention& relative) {
  const auto buckets = read_positive(fields, "position_buckets");
  if (!buckets) return;
  const std::size_t farthest = relative.span;
  if (*buckets < 2 || farthest < 2 || farthest - 1 <= *buckets / 2) {
    fields.complain("position_buckets", std::to_string(*buckets) +
                                            " is not supported: expected at least 2, and at most " +
                                            "twice max_relative_positions - 2, which is " +
                                            std::to_string(farthest));
  }
  relative.farthest = farthest;
  relative.span = *buckets;
}

bool has_normed_embeddings(Fields& fields) {
  if (fields.find_value("norm_rel_ebd") == nullptr) return false;
  const std::string value = fields.required_string("norm_rel_ebd");
  return value.find("layer_norm") != std::string::npos;
}

std::optional<ConvolutionDescription> read_convolution(Fields& fields, std::size_t d) {
  const auto kernel = read_positive(fields, "conv_kernel_size");
  if (!kernel) return std::nullopt;
  ConvolutionDescription convolution;
  convolution.kernel = *kernel;
  if (*kernel % 2 == 0) {
    fields.complain("conv_kernel_size", std::to_string(*kernel) +
                                            " is not supported: the reference cannot add the " +
                                            "result of an even size to the tokens");
  }
  if (fields.find_value("conv_groups") != nullptr) {
    convolution.groups = fields.required_size("conv_groups", 1);
    if (d % convolution.groups != 0) {
      fields.complain("conv_groups", std::to_string(convolution.groups) +
                                         " does not divide hidden_size " + std::to_string(d));
    }
  }
  if (fields.find_value("conv_act") != nullptr) {
    convolution.activation = read_activation(fields, "conv_act");
  }
  return convolution;
}

/// In the reference the heads' width must be the hidden size, because their output is added to it.
void check_head_size(Fields& fields, const HeadsDescription& heads) {
  if (fields.find_value("attention_head_size") == nullptr) return;
  const std::size_t size = fields.required_size("attention_head_size", 1);
  if (size != heads.sizes.front()) {
    fields.complain("attention_head_size",
                    std::to_string(size) +
                        " is not supported: expected hidden_size / num_attention_heads, " +
                        std::to_string(heads.sizes.front()));
  }
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_disentangled_config(fields, kFields);
  Description& model = config.description;
  check_head_size(fields, model.label_heads);
  const std::vector<std::string> terms = read_position_terms(fields);
  std::size_t score_terms = 1;
  for (const char* term : {"c2p", "p2c"}) {
    if (std::find(terms.begin(), terms.end(), term) != terms.end()) ++score_terms;
  }
  for (LayerDescription& layer : model.layers) layer.heads.score_terms = score_terms;
  model.relative_attention = read_relative_attention(fields, terms, model);
  if (model.relative_attention) {
    read_buckets(fields, *model.relative_attention);
    model.relative_attention->shared = read_switch(fields, "share_att_key");
    model.relative_attention->norm = has_normed_embeddings(fields);
  }
  model.convolution = read_convolution(fields, model.hidden_size);
  return config;
}

constexpr std::array kTypes = {
    ModelType{"deberta-v2", "DebertaV2Tokenizer", "DebertaV2ForSequenceClassification"}};

}  // namespace

constinit const Family kDebertaV2Family = {kTypes, &read_config, &read_published_weights<kNames>,
                                           true};

}  // namespace headlight
