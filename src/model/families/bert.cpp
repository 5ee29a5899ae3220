// BERT (Devlin et al. 2019): the classifier reads the first token after the pooler, a dense layer
// with tanh.
#include <array>

#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {.token_types = 2, .head_dense = Activation::tanh};

constexpr PublishedNames kNames = {.prefix = "bert", .head_dense = ".pooler.dense"};

constexpr std::array kTypes = {ModelType{"bert", "BertTokenizer", "BertForSequenceClassification"}};

}  // namespace

constinit const Family kBertFamily = {kTypes, &read_published_config<kFields>,
                                      &read_published_weights<kNames>, true};

}  // namespace headlight
