#include "training/directory/model_directory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_guard.h"
#include "base/json.h"
#include "base/output.h"
#include "base/placing.h"
#include "model/families/family.h"
#include "model/families/native_writer.h"
#include "model/families/written_weights.h"
#include "training/course/checkpoint.h"
#include "training/head/text_vectors.h"
#include "training/row_influence.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using OrderedConfig = nlohmann::ordered_json;

constexpr std::string_view kWeightEnding = ".weight";
constexpr const char* kWeightsFile = "model.safetensors";

/// The files that say how text becomes tokens.
constexpr std::array<std::string_view, 7> kTokenizerFiles = {"tokenizer.json",
                                                             "tokenizer_config.json",
                                                             "special_tokens_map.json",
                                                             "added_tokens.json",
                                                             "vocab.txt",
                                                             "vocab.json",
                                                             "merges.txt"};

bool is_of_tokenizer(const std::string& name) {
  return std::ranges::find(kTokenizerFiles, name) != kTokenizerFiles.end() ||
         name.ends_with(".model");
}

/// Whether this program may have written the file, so that it may be replaced.
bool is_of_model(const std::string& name) {
  constexpr std::array<std::string_view, 10> kOthers = {
      "config.json", kWeightsFile,   "README.md", "calibration.json", "weights.json",
      kTrainingFile, "modules.json", "1_Pooling", "2_Dense",          kCascadeFile};
  return is_of_tokenizer(name) || std::ranges::find(kOthers, name) != kOthers.end();
}

/// Whether the file may be of a model, or one that this program did not complete.
bool is_of_partial(const std::string& name) {
  for (const std::string_view ending : {".partial", ".new"}) {
    const std::size_t end = name.rfind(ending);
    const bool ends_so =
        end != std::string::npos &&
        name.find_first_not_of("0123456789-", end + ending.size()) == std::string::npos;
    if (ends_so && is_of_model(name.substr(0, end))) return true;
  }
  return is_of_model(name);
}

/// The endings of the files, and what each begins with.
constexpr std::array<std::pair<const char*, std::string_view>, 9> kFiles = {
    {{".vectors", kVectorMagic},
     {kRowVectorsEnding, kVectorMagic},
     {kInfluenceEnding, kVectorMagic},
     {".checkpoint", kCheckpointMagic},
     {".checkpoint.partial", kCheckpointMagic},
     {".checkpoint-2", kCheckpointMagic},
     {".checkpoint-2.partial", kCheckpointMagic},
     {".checkpoint-3", kCheckpointMagic},
     {".checkpoint-3.partial", kCheckpointMagic}}};

void refuse_file(const std::string& path, std::string_view magic, bool force) {
  const bool is_file = fs::is_regular_file(fs::symlink_status(path));
  if (!is_named(path) || (is_file && (force || begins_with(path, magic)))) return;
  throw Error(path, "exists, but was not written by headlight fit, which needs this name",
              is_file ? "rename it; --force replaces it" : "rename it");
}

OrderedConfig ordered_config(const std::string& path) {
  const MappedFile file(path);
  parse_json(file.text(), path);  // checks what the parser below does not
  return OrderedConfig::parse(file.text());
}

/// The config, with the field `pairs`.
std::string with_pairs(std::string_view content, bool pairs) {
  OrderedConfig config = OrderedConfig::parse(content);
  if (config.value("pairs", false) == pairs) return std::string(content);
  config.erase("pairs");
  if (pairs) config["pairs"] = true;
  return config.dump(2) + "\n";
}

/// The numbers in the format of this dtype.
std::vector<std::byte> bytes_as(const std::string& dtype, std::span<const float> values) {
  return bytes_in(value_of(dtype, kNumberFormatWords).value_or(NumberFormat::f32), values);
}

}  // namespace

void refuse_directory(const std::string& path, bool force) {
  const Target target = target_at(path);
  if (target == Target::absent) return;
  if (target != Target::directory) throw Error(path, "exists and is not a directory");
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (!force) throw Error(path, "exists already", "--force replaces the model");
    if ((entry.is_directory() && name[0] > '9') || !is_of_partial(name)) {
      throw Error(path, "has files of other kinds, such as " + name, "choose another directory");
    }
  }
}

void refuse_partial_directory(const std::string& path) {
  const std::string partial = path + ".partial";
  if (!is_named(partial)) return;
  const auto refuse = [&](const std::string& what) {
    throw Error(partial, what + ", so headlight fit did not write it, but it needs this name",
                "rename it");
  };
  if (!fs::is_directory(fs::symlink_status(partial))) refuse("is not a directory");
  for (const auto& entry : fs::recursive_directory_iterator(partial)) {
    const std::string name = entry.path().filename().string();
    // A folder such as 1_Pooling is a module of sentence-transformers.
    const bool is_module = fs::is_directory(entry.symlink_status()) && name[0] <= '9';
    if (!(is_module || entry.is_regular_file()) || !is_of_partial(name)) refuse("has " + name);
  }
}

bool begins_with(const std::string& path, std::string_view magic) {
  std::string found(magic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  found.resize(static_cast<std::size_t>(file.gcount()));
  return magic.starts_with(found);
}

void refuse_foreign_files(const std::string& directory, bool force) {
  for (const auto& [ending, magic] : kFiles) refuse_file(directory + ending, magic, force);
}

void remove_leftovers(const std::string& directory) {
  for (const auto& [ending, magic] : kFiles) {
    const std::string path = directory + ending;
    if (begins_with(path, magic)) ::unlink(path.c_str());
  }
}

ModelDirectory::ModelDirectory(std::string path, bool force) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  refuse_directory(path_, force);
  refuse_partial_directory(path_);
  partial_ = path_ + ".partial";
  std::error_code failure;
  fs::remove_all(partial_, failure);
  fs::create_directories(partial_, failure);
  if (failure) throw Error(partial_, "cannot create this directory: " + failure.message());
}

ModelDirectory::~ModelDirectory() {
  std::error_code ignored;
  if (!is_placed_) fs::remove_all(partial_, ignored);
}

std::string ModelDirectory::file(const std::string& name) {
  claim_output(path_ + "/" + name, {});
  fs::create_directories(fs::path(partial_ + "/" + name).parent_path());
  return partial_ + "/" + name;
}

void ModelDirectory::write(const std::string& name, std::string_view content) {
  write_whole(file(name), name == "config.json" && pairs_ ? with_pairs(content, *pairs_)
                                                          : std::string(content));
}

void ModelDirectory::write_weights(const std::vector<SafetensorsEntry>& tensors,
                                   const std::string& name) {
  OutputFile weights(file(name), /*force=*/true);
  write_safetensors([&](std::string_view bytes) { weights.output().write(bytes); }, tensors);
  weights.finish();
}

void ModelDirectory::write_weights(WrittenTensors tensors, NumberFormat format) {
  std::deque<std::vector<std::byte>> narrow;  // a deque, because the entries are views of it
  for (SafetensorsEntry& tensor : tensors.entries) {
    if (format != NumberFormat::f16 || tensor.dtype != "F32" || tensor.shape.size() < 2) continue;
    const std::span<const float> values(reinterpret_cast<const float*>(tensor.bytes.data()),
                                        tensor.bytes.size() / sizeof(float));
    tensor.dtype = word_for(format, kNumberFormatWords);
    tensor.bytes = narrow.emplace_back(bytes_in(format, values));
  }
  write_weights(tensors.entries);
}

void ModelDirectory::place() {
  place_directory(partial_, path_);
  is_placed_ = true;
}

std::string tokenizer_folder(const Model& model) {
  if (model.tokenizer_file.empty() || model.place.directory.empty()) return model.place.directory;
  return fs::path(model.tokenizer_file).parent_path().string();
}

std::vector<std::string> tokenizer_files(const std::string& folder) {
  std::vector<std::string> names;
  if (folder.empty()) return names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    std::string name = entry.path().filename().string();
    if (is_of_tokenizer(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void copy_tokenizer(const Model& model, ModelDirectory& directory) {
  const std::string folder = tokenizer_folder(model);
  for (const std::string& name : tokenizer_files(folder)) {
    directory.write(name, MappedFile(folder + "/" + name).text());
  }
}

void write_labels(const Description& model, nlohmann::ordered_json& config) {
  OrderedConfig names = OrderedConfig::object();
  for (std::size_t i = 0; i < model.labels.size(); ++i) names[std::to_string(i)] = model.labels[i];
  config["id2label"] = names;
  config["problem_type"] = word_for(model.problem_type, kProblemTypeWords);
}

void write_reading(const Description& model, nlohmann::ordered_json& config) {
  config.erase("long");
  if (model.reads_windows) config["long"] = word_for(true, kReadsWindowsWords);
}

OrderedConfig config_with_labels(const Model& model) {
  OrderedConfig config = ordered_config(model.place.config);
  const bool published = model.family != "headlight";
  for (const char* name : {"num_labels", "_num_labels", "label2id",
                           "sbert_ce_default_activation_function", "sentence_transformers"}) {
    if (published) config.erase(name);
  }
  if (!published) config.erase("output");
  write_labels(model.description, config);
  write_reading(model.description, config);
  if (published) {
    OrderedConfig numbers = OrderedConfig::object();
    for (std::size_t i = 0; i < model.description.labels.size(); ++i) {
      numbers[model.description.labels[i]] = i;
    }
    config["label2id"] = numbers;
  }
  return config;
}

void write_with_new_head(const Model& model, ModelDirectory& directory) {
  const Linear& head = *model.weights.classifier;
  directory.write("config.json", config_with_labels(model).dump(2) + "\n");
  copy_tokenizer(model, directory);
  std::vector<SafetensorsEntry> tensors = model.tensors->entries();
  const auto named = [&](const std::string& name) {
    return std::ranges::find(tensors, name, &SafetensorsEntry::name);
  };
  const std::string& name = model.classifier_tensor;
  const auto weight = named(name);
  if (weight == tensors.end() || !name.ends_with(kWeightEnding))
    throw Error(model.tensors->where(), "has no tensor of the classifier");
  const std::size_t c = head.weight.rows;
  const std::size_t d = head.weight.cols;
  const std::span<const float> values(reinterpret_cast<const float*>(head.weight.bytes), c * d);
  const std::vector<std::byte> weight_bytes = bytes_as(weight->dtype, values);
  weight->shape = {c, d};
  weight->bytes = weight_bytes;
  std::vector<std::byte> bias_bytes;
  const std::string bias_name = name.substr(0, name.size() - kWeightEnding.size()) + ".bias";
  if (const auto bias = named(bias_name); bias != tensors.end()) {
    bias_bytes = bytes_as(bias->dtype, head.bias);
    bias->shape = {c};
    bias->bytes = bias_bytes;
  }
  directory.write_weights(tensors);
}

std::string native_config_text(const Model& model) {
  const std::string& where = model.place.config;
  OrderedConfig config = native_config_of(model.description, where);
  const Json old = read_json_file(where);
  const auto& [family, type] = find_family(old, where);
  if (model.family == "headlight") {
    if (old.contains("tokenizer")) config["tokenizer"] = ordered_config(where)["tokenizer"];
  } else if (model.tokenizer) {
    const FamilyConfig published = read_family_config(family, old, where);
    const bool is_named = !published.tokenizer_class.empty();
    config["tokenizer"]["class"] =
        is_named ? published.tokenizer_class : std::string(type.tokenizer_class);
    if (model.tokenizer->is_lowercased_first()) config["tokenizer"]["lowercase"] = true;
  }
  return config.dump(2) + "\n";
}

void write_native(const Model& model, ModelDirectory& directory, NumberFormat format) {
  directory.write("config.json", native_config_text(model));
  copy_tokenizer(model, directory);
  write_native_weights(model, directory, format);
}

void write_native_weights(const Model& model, ModelDirectory& directory, NumberFormat format) {
  directory.write_weights(native_tensors(model.description, model.weights, model.place.config),
                          format);
}

}  // namespace headlight
