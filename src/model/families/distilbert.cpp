// DistilBERT (Sanh et al. 2019): BERT without token types and with other names. The dense layer of
// the head has relu. The config has no epsilon.
#include <array>

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
    .head_dense = Activation::relu,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"attention.query", "attention.q_lin"},
    {"attention.key", "attention.k_lin"},
    {"attention.value", "attention.v_lin"},
    {"attention.output", "attention.out_lin"},
    {"attention.norm", "sa_layer_norm"},
    {"feed_forward.up", "ffn.lin1"},
    {"feed_forward.down", "ffn.lin2"},
    {"feed_forward.norm", "output_layer_norm"},
});
constexpr PublishedNames kNames = {.prefix = "distilbert",
                                   .layers = ".transformer.layer",
                                   .head_dense = "pre_classifier",
                                   .tensors = kTensors};

constexpr std::array kTypes = {
    ModelType{"distilbert", "BertTokenizer", "DistilBertForSequenceClassification"}};

}  // namespace

constinit const Family kDistilBertFamily = {kTypes, &read_published_config<kFields>,
                                            &read_published_weights<kNames>, true};

}  // namespace headlight
