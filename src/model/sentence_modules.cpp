#include "model/sentence_modules.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "model/families/config_fields.h"
#include "model/sentence_module_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// One entry of modules.json.
struct Entry {
  std::string type;    // the path of a Python class
  std::string name;    // of the class
  std::string folder;  // of the module's files
  std::string place;   // in modules.json, for errors
};

[[noreturn]] void fail_module(const std::string& where, const Entry& entry,
                              const std::string& what) {
  throw Error(where, entry.place + " (" + shortened(entry.type) + ") " + what);
}

std::vector<Entry> read_entries(const std::string& path) {
  const Json json = read_json_file(path);
  if (!json.is_array() || json.empty()) throw Error(path, "expected a list of modules");
  const fs::path root = fs::path(path).parent_path();
  std::vector<Entry> entries;
  for (const Json& module : json) {
    const std::string place = "module " + std::to_string(entries.size());
    if (!module.is_object()) throw Error(path, place + ": expected an object");
    Fields fields(module, path, place);
    Entry entry{fields.required_string("type"), "", "", place};
    const std::string inside = fields.required_string("path");
    if (!is_inside_folder(inside)) fields.fail("path", "a folder inside that of modules.json");
    entry.folder = (root / inside).lexically_normal().string();
    const std::size_t dot = entry.type.rfind('.');
    const bool known = entry.type.starts_with("sentence_transformers.");
    entry.name = known ? entry.type.substr(dot + 1) : "";
    entries.push_back(std::move(entry));
  }
  return entries;
}

void read_prompts(Fields& fields, SentenceModules& modules) {
  if (const Json* prompts = fields.find_value("prompts")) {
    if (!prompts->is_object()) fields.fail("prompts", "an object with a text for each name");
    for (const auto& [name, text] : prompts->items()) {
      const bool is_empty = text.is_null();
      if (!is_empty && !text.is_string()) {
        fields.fail("prompts", "a text for \"" + shortened(name) + '"');
      }
      modules.prompts[name] = is_empty ? "" : text.get<std::string>();
    }
  }
  modules.default_prompt = fields.nullable_string_or("default_prompt_name", std::nullopt);
  if (modules.default_prompt && !modules.prompts.contains(*modules.default_prompt)) {
    fields.fail("default_prompt_name", "a name in prompts");
  }
}

/// The prompts, the activation of a cross-encoder, and the number of a vector's first numbers that
/// are kept.
void read_settings(const fs::path& root, SentenceModules& modules) {
  const std::string path = (root / "config_sentence_transformers.json").string();
  if (!file_exists(path)) return;
  const Json json = read_json_file(path);
  Fields fields(json, path);
  read_prompts(fields, modules);
  modules.score_activation = read_torch_activation(fields, "activation_fn");
  if (fields.find_value("truncate_dim") != nullptr) {
    modules.width = std::min(modules.width, fields.required_size("truncate_dim", 1));
  }
}

void add_module(const Entry& entry, const std::string& where, SentenceModules& modules) {
  if (entry.name == "Dense") {
    modules.after.emplace_back(read_dense_module(entry.folder, modules));
  } else if (entry.name == "LayerNorm") {
    modules.after.emplace_back(read_norm_module(entry.folder, modules));
  } else if (entry.name == "Normalize") {
    check_normalize_module(entry.folder);
    modules.after.emplace_back(NormalizeModule());
  } else if (entry.name == "Pooling" || entry.name == "Transformer") {
    fail_module(where, entry, "is in the wrong place, expected Transformer, Pooling, and others");
  } else if (entry.name != "Dropout") {  // Dropout does nothing at inference
    fail_module(where, entry,
                "is not supported, expected Transformer, Pooling, Dense, Normalize, LayerNorm or "
                "Dropout");
  }
}

void read_pooling(const std::vector<Entry>& entries, const std::string& where,
                  SentenceModules& modules) {
  if (entries.size() < 2) {
    throw Error(where, "has no module Pooling, so a text has no single vector",
                "--pooling chooses one");
  }
  if (entries[1].name != "Pooling") {
    fail_module(where, entries[1], "is not supported there, expected Pooling");
  }
  read_pooling_module(entries[1].folder, modules);
}

void use_pooling(TokenPooling pooling, const Model& model, SentenceModules& modules) {
  modules.poolings = {pooling};
  modules.width = model.description.encoded_size();
}

void read_folder(const Model& model, std::optional<TokenPooling> pooling,
                 SentenceModules& modules) {
  const std::string& where = model.place.modules;
  const fs::path root = fs::path(where).parent_path();
  const std::vector<Entry> entries = read_entries(where);
  const bool is_table = entries.front().name == "StaticEmbedding";  // reads and pools
  if (entries.front().name != "Transformer" && !is_table) {
    fail_module(where, entries.front(),
                "is not supported as the first, expected Transformer or StaticEmbedding");
  }
  if (!is_table) read_transformer_module(entries.front().folder, modules);
  if (pooling) {
    read_settings(root, modules);
    return use_pooling(*pooling, model, modules);
  }
  if (is_table) {
    use_pooling(TokenPooling::mean, model, modules);
  } else {
    read_pooling(entries, where, modules);
    modules.width = modules.poolings.size() * model.description.encoded_size();
  }
  for (auto entry = entries.begin() + (is_table ? 1 : 2); entry != entries.end(); ++entry) {
    add_module(*entry, where, modules);
  }
  read_settings(root, modules);
}

/// Without a modules.json, which says the same.
void read_model2vec(const Model& model, SentenceModules& modules) {
  use_pooling(TokenPooling::mean, model, modules);
  const Json json = read_json_file(model.place.config);
  Fields fields(json, model.place.config);
  if (fields.find_value("normalize") != nullptr && fields.flag_or("normalize", false)) {
    modules.after.emplace_back(NormalizeModule());
  }
}

/// Neither a native config nor a classification head says how the vectors of tokens are pooled.
bool lacks_pooling(const Model& model) {
  return model.family != "headlight" && !model.weights.classifier && !model.features;
}

TokenPooling usual_pooling(const Description& model) {
  const bool causal =
      !model.layers.empty() && model.layers.front().heads.mask == AttentionMask::causal;
  return causal ? TokenPooling::last : TokenPooling::mean;
}

TokenPooling own_pooling(const Model& model) {
  const Description& description = model.description;
  switch (description.pooling) {
    case Pooling::cls:
      return TokenPooling::cls;
    case Pooling::last:
      return TokenPooling::last;
    case Pooling::mean:
      return TokenPooling::mean;
    case Pooling::max:
      return TokenPooling::max;
    default:
      break;
  }
  throw Error(model.place.config, "has no pooling that gives one vector per text",
              "--pooling cls, mean, max or last chooses one");
}

}  // namespace

SentenceModules read_sentence_modules(const Model& model, std::optional<TokenPooling> pooling) {
  const FilesRead files;
  SentenceModules modules;
  if (model.features && !model.features->gives_vectors()) {
    throw Error(
        model.place.path,
        std::string("is a model of ") + model.features->kind() + ", without vectors of texts",
        "classify, batch, evaluate, explain, tokenize and inspect read such models");
  }
  if (model.features && pooling) {
    throw Error(model.place.path, "has one vector for each text", "leave out --pooling");
  }
  if (!model.place.modules.empty()) {
    read_folder(model, pooling, modules);
  } else if (model.family == "model2vec" && !pooling) {
    read_model2vec(model, modules);
  } else if (!pooling && lacks_pooling(model)) {
    const TokenPooling usual = usual_pooling(model.description);
    modules.note = std::string("the model says nothing of pooling: ") +
                   (usual == TokenPooling::last ? "the last token's vector is used"
                                                : "the mean of the tokens' vectors is used") +
                   "; --pooling chooses another";
    use_pooling(usual, model, modules);
  } else {
    use_pooling(pooling ? *pooling : own_pooling(model), model, modules);
    if (!pooling && model.description.normalize) modules.after.emplace_back(NormalizeModule());
  }
  modules.files = files.paths();
  return modules;
}

SentenceModules read_cross_encoder(const Model& model) {
  const FilesRead files;
  SentenceModules modules;
  const std::string& where = model.place.modules;
  if (!where.empty()) read_settings(fs::path(where).parent_path(), modules);
  modules.files = files.paths();
  return modules;
}

void apply_reading(const SentenceModules& modules, Model& model) {
  if (modules.max_tokens) {
    model.description.max_positions = std::min(model.encoder_limit, *modules.max_tokens);
  }
  if (modules.lowercase && model.tokenizer) model.tokenizer->lowercase_first();
}

std::string prompt_of(const SentenceModules& modules, const std::optional<std::string>& name,
                      const ModelPlace& place) {
  const std::optional<std::string>& wanted = name ? name : modules.default_prompt;
  if (!wanted) return "";
  const auto found = modules.prompts.find(*wanted);
  if (found != modules.prompts.end()) return found->second;
  if (modules.prompts.empty()) throw Error(place.path, "has no prompts", "leave out --prompt");
  std::vector<std::string> names;
  for (const auto& prompt : modules.prompts) names.push_back('"' + prompt.first + '"');
  throw Error(place.path,
              "has no prompt \"" + shortened(*wanted) + "\", only " + listed(names, names.size()));
}

}  // namespace headlight
