// ERNIE (Sun et al. 2020, "ERNIE 2.0"): BERT with an embedding of the task. Texts that name no task
// have task 0, so its row is added to every token.
#include <array>

#include "base/fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr TensorNames kNames = {
    .prefix = "ernie.",
    .projection = nullptr,
    .layer = kBertLayer,
    .relative_bias = nullptr,
    .head_dense = "ernie.pooler.dense",
    .classifier = "classifier",
    .task_types = "ernie.embeddings.task_type_embeddings",
};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, {});
  Description& model = config.description;
  read_token_types(fields, model);
  if (fields.find_value("use_task_id") != nullptr && fields.flag_or("use_task_id", false)) {
    config.task_types = fields.size_or("task_type_vocab_size", 3, 1);
  }
  model.head_dense = Activation::tanh;
  config.layer_names = numbered_layers("ernie.encoder.layer", model.layers.size());
  return config;
}

constexpr std::array kTypes = {ModelType{"ernie", "BertTokenizer"}};

}  // namespace

constinit const Family kErnieFamily = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
