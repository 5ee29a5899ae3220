#include "training/directory/published_model.h"

#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "model/families/family.h"

namespace headlight {
namespace {

using ConfigJson = nlohmann::ordered_json;

constexpr std::string_view kTextClass = "ForSequenceClassification";

/// Sets the fields of these names that the config has; if it has none, the first.
void set_field(ConfigJson& config, const std::array<const char*, 3>& names, std::size_t value) {
  bool found = false;
  for (const char* name : names) {
    if (!config.contains(name) || config[name].is_null()) continue;
    config[name] = value;
    found = true;
  }
  if (!found) config[names.front()] = value;
}

/// Sets the sizes that a smaller start changed.
void set_sizes(const Description& start, const Description& model, ConfigJson& config) {
  const auto inner = [](const Description& of) {
    return of.layers.empty() ? 0 : of.layers.front().intermediate_size;
  };
  if (model.layers.size() != start.layers.size()) {
    set_field(config, {"num_hidden_layers", "n_layers", "n_layer"}, model.layers.size());
  }
  if (inner(model) != inner(start)) {
    set_field(config, {"intermediate_size", "hidden_dim", "n_inner"}, inner(model));
  }
  if (model.vocab_size == start.vocab_size) return;
  config["vocab_size"] = model.vocab_size;
  if (config.contains("pad_token_id")) config["pad_token_id"] = model.pad_token_id;
}

/// What `model` has and a model that is read from the config does not; empty: nothing.
std::string difference(const Description& model, Description read) {
  // A classifier keeps to the limit of its tokenizer, and a directory says whether it reads pairs.
  read.max_positions = model.max_positions;
  read.reads_pairs = model.reads_pairs;
  read.pad_token_id = model.pad_token_id;
  if (read == model) return "";
  if (read.pooling != model.pooling || read.head_dense != model.head_dense) {
    return "it has no counterpart of the pooling \"" +
           std::string(word_for(model.pooling, kPoolingWords)) + '"' +
           (read.head_dense && !model.head_dense ? " without a dense layer" : "");
  }
  return "it has no counterpart of what was changed";
}

}  // namespace

bool has_published_class(const Model& model) {
  if (!model.layout) return false;
  const std::string& where = model.place.config;
  return !find_family(read_json_file(where), where).type.text_class.empty();
}

PublishedConfig published_config(const Model& model) {
  const std::string& where = model.place.config;
  const Json start = read_json_file(where);
  const auto& [family, type] = find_family(start, where);
  if (!has_published_class(model)) return {"", "none is written for the family " + model.family};
  ConfigJson config = config_with_labels(model);
  const FamilyConfig before = read_family_config(family, start, where);
  if (!before.architecture.ends_with(kTextClass)) config["architectures"] = {type.text_class};
  config.erase("torch_dtype");
  config["dtype"] = "float32";
  set_sizes(before.description, model.description, config);
  std::string text = config.dump(2) + '\n';
  try {
    const FamilyConfig read = read_family_config(family, Json::parse(text), where);
    return {text, difference(model.description, read.description)};
  } catch (const Error& error) {
    return {"", error.what()};
  }
}

void write_published(const Model& model, ModelDirectory& directory, NumberFormat format) {
  directory.write("config.json", published_config(model).text);
  copy_tokenizer(model, directory);
  directory.write_weights(published_tensors(*model.layout, model.description, model.weights),
                          format);
}

}  // namespace headlight
