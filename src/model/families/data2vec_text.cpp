// Data2VecText (Baevski et al. 2022): RoBERTa with other names.
#include <array>

#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {
    .token_types = 2, .skips_pads = true, .head_dense = Activation::tanh};

constexpr PublishedNames kNames = {.prefix = "data2vec_text",
                                   .head_dense = "classifier.dense",
                                   .classifier = "classifier.out_proj"};

constexpr std::array kTypes = {
    ModelType{"data2vec-text", "RobertaTokenizer", "Data2VecTextForSequenceClassification"}};

}  // namespace

constinit const Family kData2VecTextFamily = {kTypes, &read_published_config<kFields>,
                                              &read_published_weights<kNames>, true};

}  // namespace headlight
