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
#include "model/hub_cache.h"

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
  std::string bare = name.substr(name.find('.') + 1);
  if (base.has(bare)) return bare;
  for (const SafetensorsEntry& entry : base.entries()) {
    if (entry.name.substr(entry.name.find('.') + 1) == name) return entry.name;
  }
  return name;
}

/// How an adapter adds B A.
struct Scaling {
  float alpha;
  bool by_root;    // divided by the root of the rank, else by the rank
  bool is_turned;  // the base has [in, out]
};

constexpr std::string_view kA = ".lora_A.weight";
constexpr std::string_view kB = ".lora_B.weight";

/// W + B A · scale in the place of W; `entry` is A [r, in].
void add_product(const SafetensorsEntry& entry, const Scaling& scaling, FileTensors& tensors,
                 FileTensors& base) {
  const std::string whole = entry.name.substr(0, entry.name.size() - kA.size());
  const std::string linear = stored_name(name_in_base(whole, tensors.where()) + ".weight", base);
  const auto out = tensors.rows_of(whole + std::string(kB));
  if (entry.shape.size() != 2 || entry.shape[0] == 0 || !out) {
    tensors.refuse(entry.name, "expected a matrix, and one called lora_B");
  }
  if (!base.has(linear)) {
    tensors.refuse(entry.name, "the base model has no tensor " + shortened(linear));
  }
  const std::size_t r = entry.shape[0];
  const std::size_t in = entry.shape[1];
  const auto rank = static_cast<float>(r);
  const float scale = scaling.alpha / (scaling.by_root ? std::sqrt(rank) : rank);
  Buffer product;
  const Matrix delta = product.shape(*out, in);
  multiply(tensors.matrix(whole + std::string(kB), *out, r), tensors.matrix(entry.name, r, in),
           delta);
  const Shape shape = scaling.is_turned ? Shape{in, *out} : Shape{*out, in};
  const std::span<const float> old = base.floats(linear, shape);
  std::vector<float> merged(old.begin(), old.end());
  for (std::size_t i = 0; i < *out; ++i) {
    for (std::size_t j = 0; j < in; ++j) {
      merged[scaling.is_turned ? j * *out + i : i * in + j] += scale * delta.row(i)[j];
    }
  }
  base.replace(linear, shape, merged);
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
  if (std::string snapshot = hub_snapshot(given); !snapshot.empty()) return snapshot;
  throw Error(
      adapter,
      "base_model_name_or_path: no folder \"" + shortened(given) +
          "\", neither from here nor beside the adapter nor in the cache of the Hugging Face Hub",
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
  const Scaling scaling = {read_float(fields, "lora_alpha").value_or(8.0F),
                           read_switch(fields, "use_rslora"),
                           read_switch(fields, "fan_in_fan_out")};
  FileTensors tensors(tensors_of(adapter));
  for (const SafetensorsEntry& entry : tensors.entries()) {
    const bool is_replaced = entry.name.find(".original_module.") != std::string::npos;
    if (is_replaced || entry.name.ends_with(kB)) continue;
    if (entry.name.ends_with(kA)) {
      add_product(entry, scaling, tensors, base);
      continue;
    }
    if (entry.name.find("lora_") != std::string::npos) {
      tensors.refuse(entry.name, "is of a kind of adapter that is not supported");
    }
    const std::string name = stored_name(name_in_base(entry.name, tensors.where()), base);
    base.replace(name, entry.shape, tensors.floats(entry.name, entry.shape));
  }
}

}  // namespace headlight
