#include "model/model.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "model/families/family.h"
#include "model/foreign_files.h"

namespace headlight {
namespace {

bool stands(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::unique_ptr<FileTensors> open_weights(const ModelPlace& place) {
  if (place.weights.empty()) throw missing_weights(place);
  refuse_foreign_weights(place.weights);
  return std::make_unique<FileTensors>(place.weights);
}

/// Labels by number where the config names none, and a check against the classifier's rows.
void settle_labels(Model& model, const FamilyConfig& config) {
  const auto rows = model.tensors->rows_of(config.classifier_tensor);
  std::vector<std::string>& labels = model.description.labels;
  if (labels.empty()) {
    for (std::size_t i = 0; i < rows.value_or(0); ++i)
      labels.push_back("LABEL_" + std::to_string(i));
  }
  if (rows && *rows != labels.size()) {
    throw Error(model.place.config, "id2label has " + std::to_string(labels.size()) +
                                        " labels, but tensor " + config.classifier_tensor +
                                        " has " + std::to_string(*rows) + " rows");
  }
  if (labels.empty()) {
    throw Error(model.place.weights,
                "tensor " + config.classifier_tensor + ": missing, expected a row a label");
  }
}

/// tokenizer.json, then vocab.txt, then the config's own words; what else stands by and says
/// otherwise is a contradiction.
void open_tokenizer(Model& model, const FamilyConfig& config, bool has_field) {
  const std::string& folder = model.place.directory;
  const std::string json = folder + "/tokenizer.json";
  const std::string words = folder + "/vocab.txt";
  const bool has_json = !folder.empty() && stands(json);
  const bool has_words = !folder.empty() && stands(words);
  if (has_json) {
    model.tokenizer = Tokenizer::from_file(json);
    model.tokenizer_file = json;
    if (has_field) {
      model.contradictions.emplace_back(
          "tokenizer.json is used, and the tokenizer field of config.json is not");
    }
  } else if (has_words) {
    auto vocabulary = read_vocabulary(words);
    if (!config.vocabulary.empty() && config.vocabulary != vocabulary) {
      model.contradictions.emplace_back(
          "vocab.txt is used, and the different tokenizer.vocabulary of config.json is not");
    }
    model.tokenizer = Tokenizer::from_settings(config.tokenizer, std::move(vocabulary), words);
    model.tokenizer_file = words;
  } else if (!config.vocabulary.empty()) {
    model.tokenizer =
        Tokenizer::from_settings(config.tokenizer, config.vocabulary, model.place.config);
    model.tokenizer_file = model.place.config;
  }
}

void check_vocabulary(Model& model) {
  if (!model.tokenizer) return;
  const std::size_t words = model.tokenizer->vocabulary_size();
  const std::size_t rows = model.description.vocab_size;
  const std::string counts =
      std::to_string(words) + " words, but vocab_size is " + std::to_string(rows);
  if (words > rows) throw Error(model.tokenizer_file, "has " + counts);
  if (words < rows) model.contradictions.push_back("the vocabulary has " + counts);
}

}  // namespace

Model load_model(const ModelPlace& place) {
  const Json json = read_json_file(place.config);
  const Family& family = find_family(json, place.config);
  FamilyConfig config = family.read_config(json, place.config);
  Model model;
  model.place = place;
  model.family = family.model_type;
  model.description = std::move(config.description);
  model.tensors = open_weights(place);
  settle_labels(model, config);
  model.weights = family.read_weights(model.description, *model.tensors);
  model.tensors->refuse_leftovers();
  open_tokenizer(model, config, json.contains("tokenizer"));
  check_vocabulary(model);
  return model;
}

std::vector<std::string> read_labels_only(const ModelPlace& place) {
  const Json json = read_json_file(place.config);
  return find_family(json, place.config).read_config(json, place.config).description.labels;
}

}  // namespace headlight
