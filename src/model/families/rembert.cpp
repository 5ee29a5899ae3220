// RemBERT (Chung et al. 2021, "Rethinking Embedding Coupling"): BERT with a narrow embedding that
// is always projected.
#include <array>

#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .vocab_size = {"vocab_size", 250300},
    .hidden_size = {"hidden_size", 1152},
    .layers = {"num_hidden_layers", 32},
    .heads = {"num_attention_heads", 18},
    .intermediate_size = {"intermediate_size", 4608},
    .token_types = 2,
    .embedding_size = {"input_embedding_size", 256},
    .is_projected = true,
    .head_dense = Activation::tanh,
};

constexpr auto kTensors =
    std::to_array<TensorName>({{"embeddings.projection", ".encoder.embedding_hidden_mapping_in"}});
constexpr PublishedNames kNames = {
    .prefix = "rembert", .head_dense = ".pooler.dense", .tensors = kTensors};

constexpr std::array kTypes = {
    ModelType{"rembert", "RemBertTokenizer", "RemBertForSequenceClassification"}};

}  // namespace

constinit const Family kRemBertFamily = {kTypes, &read_published_config<kFields>,
                                         &read_published_weights<kNames>, true};

}  // namespace headlight
