#include "model/adapter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/utf8.h"
#include "math/products.h"
#include "model/families/config_fields.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "base_model.model.";
constexpr std::string_view kSaved = ".modules_to_save";
constexpr std::string_view kBaseLayer = ".base_layer";

/// The tensors beside the config.
std::string tensors_of(const std::string& adapter) {
  fs::path path = adapter;
  path.replace_filename("adapter_model.safetensors");
  if (file_exists(path.string())) return path.string();
  throw Error(path.string(), "is missing, expected the tensors of the adapter",
              "save it with safe_serialization");
}

/// The kinds that change more than W + B A · scale.
void refuse_other_kinds(Fields& fields) {
  const std::string kind = fields.required_string("peft_type");
  if (kind != "LORA") {
    fields.complain("peft_type", "\"" + shortened(kind) + "\" is not supported, expected LORA");
  }
  for (const char* const name : {"use_dora", "lora_bias"}) {
    if (read_switch(fields, name)) fields.complain(name, "true is not supported: expected false");
  }
  for (const char* const name :
       {"alpha_pattern", "layer_replication", "trainable_token_indices", "target_parameters",
        "use_qalora", "alora_invocation_tokens", "megatron_config", "arrow_config", "kasa_config",
        "use_bdlora", "monteclora_config"}) {
    const Json* value = fields.find_value(name);
    const bool is_unused = value == nullptr || value->empty() || *value == false;
    if (!is_unused) fields.complain(name, "is not supported in an adapter");
  }
}

/// "base_model.model.x.modules_to_save.weight" → "x.weight"
std::string name_in_base(const std::string& name, const std::string& where) {
  if (!name.starts_with(kPrefix)) {
    throw Error(where, "tensor " + shortened(name) + ": expected a name that begins with " +
                           std::string(kPrefix));
  }
  std::string own = name.substr(kPrefix.size());
  for (const std::string_view inside : {kSaved, kBaseLayer}) {
    const std::size_t at = own.find(inside);
    if (at != std::string::npos) own.erase(at, own.rfind('.') - at);
  }
  return own;
}

/// The classes with a head whose number of rows is the number of labels.
constexpr std::array<std::string_view, 4> kHeads = {"classifier.weight",
                                                    "classifier.out_proj.weight", "score.weight",
                                                    "classification_head.out_proj.weight"};

/// The name as the base has it: the file of either may have a prefix that the other has not.
std::string stored_name(const std::string& name, const FileTensors& base) {
  if (base.has(name)) return name;
  const std::string bare = name.substr(name.find('.') + 1);
  if (base.has(bare)) return bare;
  for (const SafetensorsEntry& entry : base.entries()) {
    if (entry.name.substr(entry.name.find('.') + 1) == name) return entry.name;
  }
  return name;
}

}  // namespace

std::string base_of_adapter(const std::string& adapter) {
  const Json json = read_json_file(adapter);
  Fields fields(json, adapter);
  const std::string given = fields.required_string("base_model_name_or_path");
  for (const fs::path& path : {fs::path(given), fs::path(adapter).parent_path() / given}) {
    std::error_code ignored;
    if (!given.empty() && fs::is_directory(path, ignored)) return path.string();
  }
  throw Error(adapter,
              "base_model_name_or_path: no folder \"" + shortened(given) +
                  "\", neither from here nor beside the adapter",
              "put the path of the base model's folder there");
}

void adapt_config(const std::string& adapter, Json& config) {
  const Json json = read_json_file(adapter);
  Fields fields(json, adapter);
  refuse_other_kinds(fields);
  FileTensors tensors(tensors_of(adapter));
  std::optional<std::size_t> rows;
  for (const SafetensorsEntry& entry : tensors.entries()) {
    const std::string name = name_in_base(entry.name, tensors.where());
    if (std::ranges::find(kHeads, name) != kHeads.end()) rows = tensors.rows_of(entry.name);
  }
  if (!rows || !config.is_object()) return;
  const bool labels_tokens = fields.nullable_string_or("task_type", std::nullopt) == "TOKEN_CLS";
  const Json names = config.value("architectures", Json::array());
  if (names.is_array() && !names.empty() && names[0].is_string()) {
    std::string name = names[0].get<std::string>();
    name.resize(std::min(name.find("For"), name.rfind("Model")));
    config["architectures"] = {
        name + (labels_tokens ? "ForTokenClassification" : "ForSequenceClassification")};
  }
  const auto labels = config.find("id2label");
  if (labels == config.end() || labels->size() == *rows) return;
  for (const char* const name : {"id2label", "label2id", "num_labels"}) config.erase(name);
}

void refuse_adapter(const ModelPlace& place, const std::string& task) {
  if (place.adapter.empty()) return;
  throw Error(place.path, "is an adapter of another model, of which " + task + " is not supported",
              "merge_and_unload() of peft makes one model of both");
}

void merge_adapter(const std::string& adapter, FileTensors& base) {
  const Json json = read_json_file(adapter);
  Fields fields(json, adapter);
  const bool is_turned = read_switch(fields, "fan_in_fan_out");
  const bool by_root = read_switch(fields, "use_rslora");
  const float alpha = read_float(fields, "lora_alpha").value_or(8.0F);
  FileTensors tensors(tensors_of(adapter));
  constexpr std::string_view kA = ".lora_A.weight";
  constexpr std::string_view kB = ".lora_B.weight";
  for (const SafetensorsEntry& entry : tensors.entries()) {
    const std::string name = name_in_base(entry.name, tensors.where());
    if (name.ends_with(kB)) continue;
    if (!name.ends_with(kA)) {
      if (name.find("lora_") != std::string::npos) {
        tensors.refuse(entry.name, "is of a kind of adapter that is not supported");
      }
      const std::size_t count = tensors.floats(entry.name, entry.shape).size();
      base.replace(stored_name(name, base), entry.shape,
                   {tensors.floats(entry.name, entry.shape).data(), count});
      continue;
    }
    const std::string whole = entry.name.substr(0, entry.name.size() - kA.size());
    const std::string linear =
        stored_name(name.substr(0, name.size() - kA.size()) + ".weight", base);
    const auto stored = base.rows_of(linear);
    const auto out = tensors.rows_of(whole + std::string(kB));
    if (entry.shape.size() != 2 || !out) {
      tensors.refuse(entry.name, "expected a matrix, and one called lora_B");
    }
    if (!stored) tensors.refuse(entry.name, "the base model has no tensor " + shortened(linear));
    const std::size_t r = entry.shape[0];
    const std::size_t in = entry.shape[1];
    const ConstMatrix a = tensors.matrix(entry.name, r, in);
    const ConstMatrix b = tensors.matrix(whole + std::string(kB), *out, r);
    const float rank = static_cast<float>(r);
    const float scale = alpha / (by_root ? std::sqrt(rank) : rank);
    Buffer product;
    const Matrix delta = product.shape(*out, in);
    multiply(b, a, delta);
    const Shape shape = is_turned ? Shape{in, *out} : Shape{*out, in};
    const std::span<const float> old = base.floats(linear, shape);
    std::vector<float> merged(old.begin(), old.end());
    for (std::size_t i = 0; i < *out; ++i) {
      for (std::size_t j = 0; j < in; ++j) {
        merged[is_turned ? j * *out + i : i * in + j] += scale * delta.row(i)[j];
      }
    }
    base.replace(linear, shape, merged);
  }
}

}  // namespace headlight
