// ERNIE (Sun et al. 2020, "ERNIE 2.0"): BERT with an embedding of the task. Texts that name no task
// have task 0, so its row is added to every token.
#include <array>

#include "base/fields.h"
#include "model/families/config_fields.h"
#include "model/families/families.h"
#include "model/families/published_config.h"
#include "model/families/published_weights.h"

namespace headlight {
namespace {

constexpr PublishedFields kFields = {.token_types = 2, .head_dense = Activation::tanh};

constexpr auto kTensors = std::to_array<TensorName>(
    {{"embeddings.task_type.weight", ".embeddings.task_type_embeddings.weight"}});
constexpr PublishedNames kNames = {
    .prefix = "ernie", .head_dense = ".pooler.dense", .tensors = kTensors};

FamilyConfig read_config(const Json& json, const std::string& where) {
  Fields fields(json, where);
  FamilyConfig config = read_published_config(fields, kFields);
  if (read_switch(fields, "use_task_id")) {
    config.task_types = fields.size_or("task_type_vocab_size", 3, 1);
  }
  return config;
}

constexpr std::array kTypes = {
    ModelType{"ernie", "BertTokenizer", "ErnieForSequenceClassification"}};

}  // namespace

constinit const Family kErnieFamily = {kTypes, &read_config, &read_published_weights<kNames>, true};

}  // namespace headlight
