#include "model/not_a_model.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/nearest_name.h"
#include "base/utf8.h"
#include "fasttext/arguments.h"
#include "model/foreign_files.h"
#include "model/hub_cache.h"
#include "model/locate.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kWeights = {".safetensors", ".bin", ".pt", ".pth",
                                                      ".ckpt"};
// JSON files of a model's folder that are not its config.
constexpr std::array<std::string_view, 11> kOtherJson = {"weights.json",
                                                         kCascadeFile,
                                                         "model.safetensors.index.json",
                                                         "tokenizer.json",
                                                         "tokenizer_config.json",
                                                         "calibration.json",
                                                         "special_tokens_map.json",
                                                         "vocab.json",
                                                         "modules.json",
                                                         "sentence_bert_config.json",
                                                         "config_sentence_transformers.json"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, const fs::path& name) {
  return std::find(names.begin(), names.end(), name.native()) != names.end();
}

bool is_folder_at(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  constexpr std::size_t kMostEntries = 1000;
  std::vector<fs::path> entries;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    entries.push_back(entry->path());
    if (entries.size() == kMostEntries) break;
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// At most `most` paths, whole so that they can be copied.
std::string first_paths(const std::vector<std::string>& paths, std::size_t most) {
  std::string text = joined(std::span(paths).first(std::min(paths.size(), most)));
  if (paths.size() <= most) return text;
  return text + " and " + std::to_string(paths.size() - most) + " more";
}

/// Adds the folders with a config.json that are at most `depth` levels below `folder`, and files of
/// fastText. In the cache of the Hugging Face Hub a model is in snapshots/REVISION.
void add_models_below(const fs::path& folder, int depth, std::vector<std::string>& models) {
  for (const fs::path& entry : sorted_entries(folder)) {
    const bool is_folder = is_folder_at(entry);
    if (is_folder ? is_model_folder(entry.string()) : is_fasttext_file(entry.string())) {
      models.push_back(entry.string());
    } else if (is_folder && depth > 1) {
      add_models_below(entry, depth - 1, models);
    }
  }
}

void refuse_folder_of_models(const fs::path& folder) {
  constexpr int kDepth = 3;
  constexpr std::size_t kShown = 3;
  if (is_model_folder(folder.string())) return;
  std::vector<std::string> models;
  add_models_below(folder, kDepth, models);
  if (models.empty()) return refuse_foreign_folder(folder.string());
  throw Error(
      folder.string(), "is not a model, it has no config.json",
      (models.size() == 1 ? "use the model below it: -m " : "use one of the models below it: -m ") +
          first_paths(models, kShown));
}

/// What to give -m instead of `file`.
std::string model_of(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (is_model_folder(folder.string())) return "use the model's folder: -m " + folder.string();
  std::string name = file.filename().string();
  name = name.substr(0, name.find('.'));
  const std::string config = (file.parent_path() / (name + ".json")).string();
  if (file_exists(config)) return "use the model's config: -m " + config;
  return "-m takes a folder with config.json and model.safetensors, or a config with its weights "
         "beside it";
}

/// The models beside the path `given`, as paths.
std::vector<std::string> models_beside(const fs::path& given) {
  std::vector<std::string> models;
  if (!given.has_parent_path()) return models;
  for (const fs::path& entry : sorted_entries(given.parent_path())) {
    if (is_model_folder(entry.string())) models.push_back(entry.string());
  }
  return models;
}

}  // namespace

void refuse_parts_of_models(const std::string& path) {
  const fs::path given = path;
  if (is_folder_at(given)) return refuse_folder_of_models(given);
  const fs::path name = given.filename();
  const fs::path ending = name.extension();
  if (ending == ".vec") throw Error(path, "has vectors of words as text", "use the .bin beside it");
  if (is_among(kWeights, ending) || name.string().ends_with(".weights.json")) {
    throw Error(path, "is a file of weights, not a model", model_of(given));
  }
  refuse_foreign_weights(path);
  const fs::path folder = given.has_parent_path() ? given.parent_path() : fs::path(".");
  if (is_model_folder(folder.string()) && (ending != ".json" || is_among(kOtherJson, name))) {
    throw Error(path, "is not the config of a model", model_of(given));
  }
}

void fail_unknown_model(const std::string& given, const std::vector<std::string>& folders) {
  const bool below_something = file_exists(given.substr(0, given.find('/')));
  std::vector<std::string> known = models_beside(given);
  for (const auto& place : list_models(folders)) known.push_back(place.name);
  std::string hint = did_you_mean(given, known);
  if (const std::string hub = hub_name(given); !hub.empty() && !below_something && hint.empty()) {
    const std::string name = hub.substr(hub.find('/') + 1);  // all of an old name
    throw Error("", "no model \"" + given + "\": no such path, and headlight downloads nothing",
                "to get it from the Hugging Face Hub, run `hf download " + hub + " --local-dir " +
                    name + "`, then use -m ./" + name);
  }
  if (hint.empty()) {
    hint = known.empty() ? "HEADLIGHT_MODELS can name folders of models"
                         : "`headlight models` lists the names";
  }
  throw Error("",
              "no model \"" + given + "\": no such path, and no such name in " +
                  (folders.empty() ? "any folder of models" : joined(folders)),
              hint);
}

}  // namespace headlight
