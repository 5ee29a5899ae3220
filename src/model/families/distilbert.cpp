// DistilBERT (Sanh et al. 2019): BERT without token types and with other names. The dense layer of
// the head has relu. The config has no epsilon.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .hidden_size = {"dim", 768, "hidden_size"},
    .layers = {"n_layers", 6, "num_hidden_layers"},
    .heads = {"n_heads", 12, "num_attention_heads"},
    .intermediate_size = {"hidden_dim", 3072},
    .activation = "activation",
    .epsilon = nullptr,
};

constexpr TensorNames kNames = {
    "distilbert.",
    nullptr,
    {"attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm",
     "ffn.lin1", "ffn.lin2", "output_layer_norm"},
    nullptr,
    "pre_classifier",
    "classifier"};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  Description& model = config.description;
  model.head_dense = Activation::relu;
  config.layer_names = numbered_layers("distilbert.transformer.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"distilbert", "BertTokenizer"}};

}  // namespace

constinit const Family kDistilBertFamily = {kTypes, &read_config, &read_published_weights<kNames>,
                                            true};

}  // namespace headlight
