// ELECTRA (Clark et al. 2020): BERT whose embedding may be narrower than its layers. The dense
// layer of the head always has gelu.
#include <array>

#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .hidden_size = {"hidden_size", 256},
    .heads = {"num_attention_heads", 4},
    .intermediate_size = {"intermediate_size", 1024},
    .token_types = 2,
    .embedding_size = {"embedding_size", 128},
    .head_dense = Activation::gelu,
};

constexpr auto kTensors =
    std::to_array<TensorName>({{"embeddings.projection", ".embeddings_project"}});
constexpr PublishedNames kNames = {.prefix = "electra",
                                   .head_dense = "classifier.dense",
                                   .classifier = "classifier.out_proj",
                                   .tensors = kTensors};

constexpr std::array kTypes = {
    ModelType{"electra", "BertTokenizer", "ElectraForSequenceClassification"}};

}  // namespace

constinit const Family kElectraFamily = {kTypes, &read_published_config<kFields>,
                                         &read_published_weights<kNames>, true};

}  // namespace headlight
