#include "model/model.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/adapter.h"
#include "model/families/family.h"
#include "model/feature_models.h"
#include "model/foreign_files.h"
#include "model/model_tokenizer.h"
#include "model/random_tensors.h"
#include "model/sparse_files.h"

namespace headlight {
namespace {

std::unique_ptr<FileTensors> open_weights(const ModelPlace& place) {
  if (place.weights.empty()) throw missing_weights(place);
  refuse_foreign_weights(place.weights);
  return std::make_unique<FileTensors>(place.weights);
}

// Tensors of a published file that the model does not use: most belong to heads from training, but
// some would change the result.

constexpr std::size_t kNamesInALine = 8;

/// Pretraining heads, poolers that classifiers do not use, counters that old versions saved, and
/// positions that DeBERTa does not add.
bool is_harmless(std::string_view name) {
  constexpr std::array<std::string_view, 12> kHeads = {"cls.",
                                                       "lm_head.",
                                                       "vocab_transform.",
                                                       "vocab_layer_norm.",
                                                       "vocab_projector.",
                                                       "predictions.",
                                                       "discriminator_predictions.",
                                                       "lm_predictions.",
                                                       "mask_predictions.",
                                                       "pooler.",
                                                       "head.",
                                                       "decoder."};
  constexpr std::array<std::string_view, 3> kCounters = {"position_ids", "token_type_ids",
                                                         "position_embeddings.weight"};
  const std::string_view inside = name.substr(name.find('.') + 1);  // without "bert."
  return std::any_of(kHeads.begin(), kHeads.end(),
                     [&](std::string_view head) { return name.starts_with(head); }) ||
         inside.starts_with("pooler.") ||
         std::any_of(kCounters.begin(), kCounters.end(), [&](std::string_view counter) {
           return name.ends_with(".embeddings." + std::string(counter)) ||
                  name == "embeddings." + std::string(counter);
         });
}

/// Constants that the reference computes, but that old versions saved inside their layers: the
/// causal mask of GPT-2 and the frequencies of rotary positions.
bool is_constant(std::string_view name) {
  constexpr std::array<std::string_view, 3> kConstants = {".attn.bias", ".attn.masked_bias",
                                                          ".rotary_emb.inv_freq"};
  return std::any_of(kConstants.begin(), kConstants.end(),
                     [&](std::string_view constant) { return name.ends_with(constant); });
}

/// Whether `name` is inside one of `layers`: "…layer.3.attention.adapter" in "…layer.3".
bool is_in_layer(std::string_view name, const std::set<std::string, std::less<>>& layers) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1)) {
    if (layers.contains(name.substr(0, dot))) return true;
  }
  return false;
}

/// Adds a remark about tensors that are known to be harmless and a warning about unknown ones.
/// Throws Error for an unused tensor inside a layer, for example an adapter.
void settle_leftovers(const FamilyConfig& config, Model& model) {
  const std::set<std::string, std::less<>> layers(config.layer_names.begin(),
                                                  config.layer_names.end());
  std::vector<std::string> harmless;
  std::vector<std::string> unknown;
  for (const auto& name : model.tensors->leftovers()) {
    const bool is_known = is_constant(name);
    if (!is_known && is_in_layer(name, layers)) {
      model.tensors->refuse(name,
                            "unknown tensor inside a layer; it would change the result of the "
                            "layer, and adapters are not supported");
    }
    (is_known || is_harmless(name) ? harmless : unknown).push_back(name);
  }
  if (!harmless.empty()) {
    model.remarks.push_back(model.place.weights +
                            ": ignored tensors of other heads: " + listed(harmless, kNamesInALine));
  }
  if (!unknown.empty()) {
    model.warnings.push_back(model.place.weights +
                             ": ignored unknown tensors: " + listed(unknown, kNamesInALine));
  }
}

/// The config, as an adapter changes it.
Json config_of(const ModelPlace& place) {
  Json json = read_json_file(place.config);
  if (!place.adapter.empty()) adapt_config(place.adapter, json);
  return json;
}

/// `made`: makes tensors that are missing; nullptr: none may be.
Model load_tensors(const ModelPlace& place, const Json& json, const FilesRead& files,
                   std::unique_ptr<TensorSource> made) {
  const auto& [family, type] = find_family(json, place.config);
  FamilyConfig config = read_family_config(family, json, place.config);
  Model model;
  model.place = place;
  model.family = type.name;
  model.architecture = config.architecture;
  model.contradictions = config.contradictions;
  model.tensors = open_weights(place);
  if (!place.adapter.empty()) merge_adapter(place.adapter, *model.tensors);
  model.tensors->fill_missing(std::move(made));
  model.tensors->defer_missing();
  model.weights = family.read_weights(config, *model.tensors);
  model.tensors->refuse_missing();
  model.description = config.description;
  model.classifier_tensor = config.classifier_tensor;
  model.layout = config.layout;
  model.encoder_limit = model.description.max_positions;
  model.tensors->check_finite(model.weights.embeddings.token, [&, &family = family, &type = type] {
    model.calibration = read_calibration(place, model.description);
    if (family.has_extras) {
      settle_leftovers(config, model);
    } else {
      model.tensors->refuse_leftovers();
    }
    open_tokenizer(model, type, config);
  });
  model.files = files.paths();
  return model;
}

}  // namespace

Model load_model(const ModelPlace& place) {
  const FilesRead files;
  if (place.is_fasttext) return load_fasttext(place, files);
  const Json json = config_of(place);
  if (is_sparse_config(json)) return load_sparse_model(place, json, files);
  return load_tensors(place, json, files, nullptr);
}

std::optional<Model> with_new_head(const Model& bare, std::uint64_t seed) {
  if (bare.weights.classifier || !bare.layout || !bare.place.modules.empty()) return std::nullopt;
  const FilesRead files;
  Json json = config_of(bare.place);
  const std::string_view text_class = find_family(json, bare.place.config).type.text_class;
  if (text_class.empty()) return std::nullopt;
  json["architectures"] = {text_class};
  for (const char* name : {"num_labels", "label2id", "id2label"}) json.erase(name);
  const std::size_t rows = bare.tensors->rows_of(bare.classifier_tensor).value_or(1);
  for (std::size_t i = 0; i < rows; ++i) {
    json["id2label"][std::to_string(i)] = "LABEL_" + std::to_string(i);
  }
  Model model = load_tensors(bare.place, json, files, std::make_unique<RandomTensors>(seed));
  model.head_seed = seed;
  model.description.reads_windows = bare.description.reads_windows;
  return model;
}

Model describe_model(const ModelPlace& place) {
  const Json json = config_of(place);
  const auto& [family, type] = find_family(json, place.config);
  Model model;
  model.place = place;
  model.family = type.name;
  model.description = read_family_config(family, json, place.config).description;
  return model;
}

Model with_own_reading(const Model& model) {
  const Json json = config_of(model.place);
  const auto& [family, type] = find_family(json, model.place.config);
  Model other;
  other.place = model.place;
  other.family = model.family;
  other.architecture = model.architecture;
  other.description = model.description;
  other.encoder_limit = model.encoder_limit;
  other.calibration = model.calibration;
  other.weights = model.weights;
  open_tokenizer(other, type, read_family_config(family, json, model.place.config));
  return other;
}

std::vector<std::string> read_labels_only(const ModelPlace& place) {
  if (place.is_fasttext) return {};  // they are at the end of a file that may be large
  const Json json = config_of(place);
  if (is_sparse_config(json)) return describe_sparse(json, place.config).labels;
  const Family& family = find_family(json, place.config).family;
  return read_family_config(family, json, place.config).description.labels;
}

}  // namespace headlight
