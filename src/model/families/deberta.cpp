// DeBERTa (He et al. 2021): BERT with relative scores. Query, key and value of a head are one
// projection, of which only query and value have a bias.
#include <array>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/disentangled.h"
#include "model/families/families.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {.vocab_size = {"vocab_size", 50265}, .default_epsilon = 1e-7F};

constexpr auto kTensors = std::to_array<TensorName>({
    {"embeddings.projection", ".embeddings.embed_proj"},
    {"relative_attention.embeddings.weight", ".encoder.rel_embeddings.weight"},
    {"attention.query",
     "attention.self.in_proj",
     {.part = 0, .parts = 3, .by_head = true, .bias = "attention.self.q_bias"}},
    {"attention.key",
     "attention.self.in_proj",
     {.part = 1, .parts = 3, .by_head = true, .bias = ""}},
    {"attention.value",
     "attention.self.in_proj",
     {.part = 2, .parts = 3, .by_head = true, .bias = "attention.self.v_bias"}},
    {"attention.relative_key", "attention.self.pos_proj", {.bias = ""}},
    {"attention.relative_query", "attention.self.pos_q_proj"},
});
constexpr PublishedNames kNames = {
    .prefix = "deberta", .head_dense = "pooler.dense", .tensors = kTensors};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_disentangled_config(fields, kFields);
  Description& model = config.description;
  const std::vector<std::string> terms = read_position_terms(fields);
  model.relative_attention = read_relative_attention(fields, terms, model);
  if (read_switch(fields, "talking_head")) {
    fields.complain("talking_head", "true is not supported: expected false");
  }
  for (LayerDescription& layer : model.layers) {
    // The reference counts all of them, even where relative attention is off.
    layer.heads.score_terms = 1 + terms.size();
  }
  return config;
}

constexpr std::array kTypes = {
    ModelType{"deberta", "DebertaTokenizer", "DebertaForSequenceClassification"}};

}  // namespace

constinit const Family kDebertaFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                         true};

}  // namespace headlight
