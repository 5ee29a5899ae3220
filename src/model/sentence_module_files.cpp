#include "model/sentence_module_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr const char* kSentenceVector = "sentence_embedding";

/// A mode as `pooling_mode` spells it, and the flag that older versions write for it. In the order
/// in which the vectors of flagged modes are joined.
struct PoolingMode {
  const char* name;
  const char* flag;
  TokenPooling pooling;
};
constexpr std::array<PoolingMode, 6> kPoolingModes = {{
    {"cls", "pooling_mode_cls_token", TokenPooling::cls},
    {"max", "pooling_mode_max_tokens", TokenPooling::max},
    {"mean", "pooling_mode_mean_tokens", TokenPooling::mean},
    {"mean_sqrt_len_tokens", "pooling_mode_mean_sqrt_len_tokens", TokenPooling::mean_sqrt_length},
    {"weightedmean", "pooling_mode_weightedmean_tokens", TokenPooling::weighted_mean},
    {"lasttoken", "pooling_mode_lasttoken", TokenPooling::last},
}};

constexpr std::array<std::pair<std::string_view, Activation>, 9> kActivationClasses = {{
    {"Identity", Activation::linear},
    {"Tanh", Activation::tanh},
    {"ReLU", Activation::relu},
    {"ReLU6", Activation::relu6},
    {"GELU", Activation::gelu},
    {"SiLU", Activation::silu},
    {"Mish", Activation::mish},
    {"Sigmoid", Activation::sigmoid},
    {"LeakyReLU", Activation::leaky_relu},
}};

std::string file_in(const std::string& folder, const char* name) {
  return (std::filesystem::path(folder) / name).string();
}

/// Refuses a field that must be absent, null, empty, or `expected`.
void refuse_other(Fields& fields, const char* name, const std::string& expected) {
  const Json* value = fields.find_value(name);
  if (value == nullptr || (value->is_structured() && value->empty())) return;
  if (value->is_string() && value->get<std::string>() == expected) return;
  fields.fail(name, expected.empty() ? "none, as others are not supported"
                                     : '"' + expected + "\", as others are not supported");
}

/// The only method that gives the vectors of a text's tokens.
void check_modalities(Fields& fields) {
  const Json* modalities = fields.find_value("modality_config");
  if (modalities == nullptr) return;
  const Json expected = {{"method", "forward"}, {"method_output_name", "last_hidden_state"}};
  const auto text = modalities->is_object() ? modalities->find("text") : modalities->end();
  if (text == modalities->end() || *text != expected) {
    fields.fail("modality_config", "text: " + excerpt(expected));
  }
}

TokenPooling read_pooling_mode(Fields& fields, const Json& value) {
  for (const PoolingMode& mode : kPoolingModes) {
    if (value.is_string() && value.get<std::string>() == mode.name) return mode.pooling;
  }
  fields.fail("pooling_mode",
              "one or a list of " + joined(kPoolingModes, ", ", &PoolingMode::name));
}

/// Requests the flags of older versions. They count only if there is no pooling_mode.
std::vector<TokenPooling> read_pooling_flags(Fields& fields) {
  std::vector<TokenPooling> poolings;
  for (const PoolingMode& mode : kPoolingModes) {
    if (fields.find_value(mode.flag) != nullptr && fields.flag_or(mode.flag, false)) {
      poolings.push_back(mode.pooling);
    }
  }
  if (poolings.empty()) poolings.push_back(TokenPooling::mean);
  return poolings;
}

Activation read_activation_class(Fields& fields) {
  constexpr const char* kName = "activation_function";
  if (fields.find(kName) == nullptr) return Activation::tanh;
  const std::string path = fields.required_string(kName);
  for (const auto& [name, activation] : kActivationClasses) {
    if (path.starts_with("torch.nn.") && path.ends_with('.' + std::string(name))) return activation;
  }
  const auto name_of = [](const auto& known) { return known.first; };
  fields.fail(kName, "a class of torch.nn: " + joined(kActivationClasses, ", ", name_of));
}

/// The tensors of a module, which become part of `modules`.
FileTensors& open_tensors(const std::string& folder, SentenceModules& modules) {
  const std::string path = file_in(folder, "model.safetensors");
  if (!file_exists(path)) {
    const std::string pickle = file_in(folder, "pytorch_model.bin");
    if (!file_exists(pickle)) throw Error(folder, "has no weights: no model.safetensors");
    throw Error(pickle, "is a PyTorch pickle file, expected model.safetensors",
                "`scripts/import " + folder + "` writes model.safetensors");
  }
  return *modules.tensors.emplace_back(std::make_unique<FileTensors>(path));
}

void check_tensors(const FileTensors& tensors) {
  tensors.check_finite();
  tensors.refuse_leftovers();
}

}  // namespace

bool is_inside_folder(const std::string& path) {
  const std::filesystem::path inside = path;
  return !inside.is_absolute() &&
         std::none_of(inside.begin(), inside.end(), [](const auto& part) { return part == ".."; });
}

void read_transformer_module(const std::string& folder, SentenceModules& modules) {
  constexpr std::array<const char*, 7> kNames = {
      "sentence_bert_config.json",       "sentence_roberta_config.json",
      "sentence_distilbert_config.json", "sentence_camembert_config.json",
      "sentence_albert_config.json",     "sentence_xlm-roberta_config.json",
      "sentence_xlnet_config.json"};
  const auto* name = std::find_if(kNames.begin(), kNames.end(), [&](const char* one) {
    return file_exists(file_in(folder, one));
  });
  if (name == kNames.end()) return;
  const std::string path = file_in(folder, *name);
  const Json json = read_json_file(path);
  Fields fields(json, path);
  if (fields.find_value("max_seq_length") != nullptr) {
    modules.max_tokens = fields.required_size("max_seq_length", 1);
  }
  modules.lowercase =
      fields.find_value("do_lower_case") != nullptr && fields.flag_or("do_lower_case", false);
  refuse_other(fields, "transformer_task", "feature-extraction");
  refuse_other(fields, "module_output_name", "token_embeddings");
  check_modalities(fields);
  for (const char* other :
       {"processing_kwargs", "model_args", "model_kwargs", "config_args", "config_kwargs",
        "tokenizer_args", "processor_kwargs", "tokenizer_name_or_path"}) {
    refuse_other(fields, other, "");
  }
  // These do not change the vectors of plain texts.
  for (const char* idle : {"unpad_inputs", "query_length", "document_length", "query_expansion"}) {
    fields.find(idle);
  }
  fields.refuse_unknown();
}

void read_pooling_module(const std::string& folder, SentenceModules& modules) {
  const std::string path = file_in(folder, "config.json");
  const Json json = read_json_file(path);
  Fields fields(json, path);
  modules.poolings = read_pooling_flags(fields);
  if (const Json* mode = fields.find_value("pooling_mode")) {
    const bool one = !mode->is_array();
    if (!one && mode->empty()) fields.fail("pooling_mode", "at least one mode");
    modules.poolings.clear();
    for (const Json& value : one ? Json::array({*mode}) : *mode) {
      modules.poolings.push_back(read_pooling_mode(fields, value));
    }
  }
  modules.pools_prompt = fields.flag_or("include_prompt", true);
  for (const char* size : {"embedding_dimension", "word_embedding_dimension"}) fields.find(size);
  fields.refuse_unknown();
}

DenseModule read_dense_module(const std::string& folder, SentenceModules& modules) {
  const std::string path = file_in(folder, "config.json");
  const Json json = read_json_file(path);
  Fields fields(json, path);
  const std::size_t in = fields.required_size("in_features", 1);
  const std::size_t out = fields.required_size("out_features", 1);
  if (in != modules.width) {
    fields.fail("in_features", std::to_string(modules.width) + ", the size of its input");
  }
  refuse_other(fields, "module_input_name", kSentenceVector);
  refuse_other(fields, "module_output_name", kSentenceVector);
  DenseModule dense;
  dense.activation = read_activation_class(fields);
  dense.residual = fields.flag_or("use_residual", false);
  FileTensors& tensors = open_tensors(folder, modules);
  dense.linear.weight = tensors.weight("linear.weight", out, in);
  if (fields.flag_or("bias", true)) dense.linear.bias = tensors.floats("linear.bias", {out});
  if (dense.residual && in != out) {
    dense.projection = Linear{tensors.weight("residual.weight", out, in), {}};
  }
  check_tensors(tensors);
  modules.width = out;
  return dense;
}

LayerNorm read_norm_module(const std::string& folder, SentenceModules& modules) {
  const std::string path = file_in(folder, "config.json");
  const Json json = read_json_file(path);
  Fields fields(json, path);
  const std::size_t size = fields.required_size("dimension", 1);
  if (size != modules.width) {
    fields.fail("dimension", std::to_string(modules.width) + ", the size of its input");
  }
  FileTensors& tensors = open_tensors(folder, modules);
  const LayerNorm norm{tensors.floats("norm.weight", {size}), tensors.floats("norm.bias", {size})};
  check_tensors(tensors);
  return norm;
}

void check_normalize_module(const std::string& folder) {
  const std::string path = file_in(folder, "config.json");
  if (!file_exists(path)) return;
  const Json json = read_json_file(path);
  Fields fields(json, path);
  refuse_other(fields, "module_input_name", kSentenceVector);
  refuse_other(fields, "module_output_name", kSentenceVector);
}

}  // namespace headlight
