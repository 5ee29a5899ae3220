// RoBERTa-PreLayerNorm: RoBERTa with the norms before attention and feed-forward, and one after the
// last layer (fairseq's --encoder-normalize-before).
#include <array>

#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 50265},
    .token_types = 2,
    .skips_pads = true,
    .norm_order = NormOrder::pre,
    .head_dense = Activation::tanh,
};

constexpr auto kTensors = std::to_array<TensorName>({
    {"attention.norm", "attention.LayerNorm"},
    {"feed_forward.norm", "intermediate.LayerNorm"},
    {"final_norm", ".LayerNorm"},
});
constexpr PublishedNames kNames = {.prefix = "roberta_prelayernorm",
                                   .head_dense = "classifier.dense",
                                   .classifier = "classifier.out_proj",
                                   .tensors = kTensors};

constexpr std::array kTypes = {ModelType{"roberta-prelayernorm", "RobertaTokenizer",
                                         "RobertaPreLayerNormForSequenceClassification"}};

}  // namespace

constinit const Family kRobertaPreLayerNormFamily = {kTypes, &read_published_config<kFields>,
                                                     &read_published_weights<kNames>, true};

}  // namespace headlight
