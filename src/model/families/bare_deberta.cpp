// Classifiers whose config names the encoder that they were made from (`base_model`) in place of
// its sizes, such as NVIDIA's for web data (domain, quality, content type): DeBERTa-v3 (He et al.
// 2023) with a linear layer `fc` over the first token's vector, without a pooler.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"

namespace headlight {
namespace {

constexpr const char* kHead = "fc.weight";
constexpr const char* kTokens = "model.embeddings.word_embeddings.weight";

/// The sizes in the published config of a base model.
struct BaseModel {
  std::string_view name;  // after "microsoft/", lower-case
  std::size_t vocab_size;
  std::size_t hidden_size;
  std::size_t layers;
  std::size_t heads;
  std::size_t intermediate_size;
};
constexpr std::array<BaseModel, 5> kBaseModels = {{
    {"deberta-v3-xsmall", 128'100, 384, 12, 6, 1536},
    {"deberta-v3-small", 128'100, 768, 6, 12, 3072},
    {"deberta-v3-base", 128'100, 768, 12, 12, 3072},
    {"deberta-v3-large", 128'100, 1024, 24, 16, 4096},
    {"mdeberta-v3-base", 251'000, 768, 12, 12, 3072},
}};

const BaseModel& find_base_model(Fields& fields) {
  std::string name = fields.required_string("base_model");
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  constexpr std::string_view kOwner = "microsoft/";
  if (name.starts_with(kOwner)) name.erase(0, kOwner.size());
  const auto* const found = std::ranges::find(kBaseModels, name, &BaseModel::name);
  if (found == kBaseModels.end()) {
    fields.fail("base_model", "one of " + joined(kBaseModels, ", ", &BaseModel::name) +
                                  ", since the config has no sizes");
  }
  return *found;
}

constexpr std::array kTypes = {ModelType{"bare-deberta-v3", "DebertaV2Tokenizer"}};

const ModelType* recognize(const Json& config) {
  return config.is_object() && config.contains("base_model") ? kTypes.data() : nullptr;
}

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  const BaseModel& base = find_base_model(fields);
  const Json encoder = {{"vocab_size", base.vocab_size},
                        {"hidden_size", base.hidden_size},
                        {"num_hidden_layers", base.layers},
                        {"num_attention_heads", base.heads},
                        {"intermediate_size", base.intermediate_size},
                        {"max_position_embeddings", 512U},
                        {"type_vocab_size", 0U},
                        {"hidden_act", "gelu"},
                        {"layer_norm_eps", 1e-7},
                        {"relative_attention", true},
                        {"max_relative_positions", -1},
                        {"position_buckets", 256U},
                        {"norm_rel_ebd", "layer_norm"},
                        {"share_att_key", true},
                        {"pos_att_type", "p2c|c2p"},
                        {"position_biased_input", false}};
  FamilyConfig config = kDebertaV2Family.read_config(encoder, where);
  config.prefix = "model";
  config.architecture = fields.required_string("base_model") + " and a linear layer";
  config.has_head = false;  // of DeBERTa-v2
  config.description.labels = read_labels(fields);
  return config;
}

Weights read_weights(FamilyConfig& config, TensorSource& source) {
  if (!source.has(kHead)) {
    throw Error(source.where(), std::string("tensor ") + kHead +
                                    ": missing; a model with several heads, or with another one, "
                                    "is not supported");
  }
  Description& model = config.description;
  const std::vector<std::string> labels = model.labels;
  model.vocab_size = source.rows_of(kTokens).value_or(model.vocab_size);
  Weights weights = kDebertaV2Family.read_weights(config, source);
  model.labels = labels;
  config.has_head = true;
  settle_head(kHead, config, source);
  model.pooling = Pooling::cls;
  model.head_dense.reset();
  const std::size_t c = model.classes();
  weights.classifier =
      Linear{source.weight(kHead, c, model.hidden_size), source.floats("fc.bias", {c})};
  return weights;
}

}  // namespace

constinit const Family kBareDebertaFamily = {kTypes, &read_config, &read_weights, true, &recognize};

}  // namespace headlight
