#include "model/init.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/output.h"
#include "model/families/family.h"
#include "model/json_weights.h"
#include "model/locate.h"
#include "model/random_tensors.h"

namespace headlight {
namespace {

/// Writes all of its files, or none if one of them already exists.
class FilesToMake {
 public:
  FilesToMake(std::filesystem::path folder, bool force)
      : folder_(std::move(folder)), force_(force) {}

  /// Throws Error if it exists and may not be replaced.
  void add(const char* name, std::string content) {
    files_.push_back(
        {std::make_unique<OutputFile>((folder_ / name).string(), force_), std::move(content)});
  }
  void write() {
    for (auto& [file, content] : files_) file->output().write(content);
    for (auto& [file, content] : files_) file->finish();
  }

 private:
  struct Planned {
    std::unique_ptr<OutputFile> file;
    std::string content;
  };
  std::filesystem::path folder_;
  bool force_;
  std::vector<Planned> files_;
};

/// A model with other files would otherwise become a mixture of two.
void refuse_model_in(const std::string& directory) {
  ModelPlace place;
  place.directory = directory;
  std::vector<std::string> files = files_of_folder(place);
  if (files.empty()) return;
  std::sort(files.begin(), files.end());
  throw Error(files.front(), "exists already", "--force replaces the model");
}

void ask_for_tensors(const ModelPlace& place, std::string_view text, TensorSource& source) {
  const Json json = parse_json(text, place.config);
  const Family& family = find_family(json, place.config).family;
  FamilyConfig family_config = read_family_config(family, json, place.config);
  // transformers also assumes two labels if a config names none.
  std::vector<std::string>& labels = family_config.description.labels;
  if (labels.empty()) labels = {"LABEL_0", "LABEL_1"};
  try {
    family.read_weights(family_config, source);
  } catch (const Error& error) {
    throw Error(place.config, error.line());
  }
}

}  // namespace

std::vector<std::pair<std::string, Shape>> tensors_of_config(const std::string& config) {
  const ModelPlace place = locate_model(config, "");
  RandomTensors random(0);
  ask_for_tensors(place, MappedFile(place.config).text(), random);
  std::vector<std::pair<std::string, Shape>> list;
  for (const NamedTensor& tensor : random.tensors()) list.emplace_back(tensor.name, tensor.shape);
  return list;
}

void init_model(const std::string& config, const std::string& directory, std::uint64_t seed,
                bool force, bool as_json) {
  const ModelPlace place = locate_model(config, "");
  const MappedFile text(place.config);
  RandomTensors random(seed);
  ask_for_tensors(place, text.text(), random);
  const std::string other = directory + (as_json ? "/model.safetensors" : "/weights.json");
  if (force && file_exists(other)) {
    throw Error(other, "would be read beside the new weights, or in place of them",
                "remove it, or choose another directory");
  }
  if (!force) refuse_model_in(directory);
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure) throw Error(directory, "cannot create this directory: " + failure.message());
  FilesToMake files(directory, force);
  files.add("config.json", std::string(text.text()));
  if (as_json) {
    files.add("weights.json", make_json_weights(random.tensors()));
  } else {
    files.add("model.safetensors", make_safetensors(random.tensors()));
  }
  for (const char* name : std::array{"vocab.txt", "tokenizer.json"}) {
    const std::filesystem::path beside = std::filesystem::path(place.directory) / name;
    if (!place.directory.empty() && std::filesystem::exists(beside, failure)) {
      files.add(name, std::string(MappedFile(beside.string()).text()));
    }
  }
  files.write();
}

}  // namespace headlight
