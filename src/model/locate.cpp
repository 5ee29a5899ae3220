#include "model/locate.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "fasttext/arguments.h"
#include "model/adapter.h"
#include "model/families/family.h"
#include "model/hub_cache.h"
#include "model/not_a_model.h"
#include "model/sentence_module_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModules = "modules.json";

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void add_folder(const fs::path& folder, std::vector<std::string>& folders) {
  if (is_folder(folder)) folders.push_back(folder.lexically_normal().string());
}

std::string program_folder() {
  std::error_code ignored;
  fs::path program = fs::read_symlink("/proc/self/exe", ignored);
#ifdef __linux__
  // A root without /proc, such as an empty one: what the system was asked to start.
  if (program.empty()) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    if (started != nullptr) program = fs::canonical(started, ignored);
  }
#endif
  return program.parent_path().string();
}

/// The path of the first of `names` that exists in `folder`, or empty.
std::string first_existing(const fs::path& folder, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    if (file_exists((folder / name).string())) return (folder / name).string();
  }
  return "";
}

/// The folder of the encoder: that of the first module, if modules.json names one. Other commands
/// than embed do not need this file, so its errors are left to embed.
fs::path encoder_folder(const fs::path& directory, const std::string& modules) {
  if (modules.empty()) return directory;
  try {
    const Json json = read_json_file(modules);
    const std::string inside = json.at(0).at("path").get<std::string>();
    if (is_inside_folder(inside)) return inside.empty() ? directory : directory / inside;
  } catch (const std::exception&) {
    return directory;
  }
  return directory;
}

/// A table of vectors of sentence-transformers has modules.json in place of a config.
bool lacks_config(const fs::path& config, const std::string& modules) {
  if (modules.empty() || file_exists(config.string())) return false;
  try {
    find_family(read_json_file(modules), modules);
    return true;
  } catch (const Error&) {
    return false;
  }
}

ModelPlace directory_place(const fs::path& directory, const std::string& name) {
  const std::string modules = first_existing(directory, {kModules});
  const fs::path folder = encoder_folder(directory, modules);
  const fs::path config = folder / "config.json";
  return {
      name,
      directory.string(),
      lacks_config(config, modules) ? modules : config.string(),
      first_existing(folder, {"model.safetensors", "model.safetensors.index.json", "weights.json"}),
      folder.string(),
      modules};
}

ModelPlace bare_place(const fs::path& config) {
  const std::string stem = config.stem().string();
  return {stem, config.string(), config.string(),
          first_existing(config.parent_path(), {stem + ".safetensors", stem + ".weights.json"}),
          ""};
}

/// An adapter and its base model, by the name of the adapter.
ModelPlace adapter_place(const fs::path& directory, const std::string& name) {
  const std::string config = (directory / kAdapterConfig).string();
  ModelPlace place = directory_place(base_of_adapter(config), name);
  place.path = directory.string();
  place.adapter = config;
  return place;
}

ModelPlace folder_place(const fs::path& folder, const std::string& name) {
  const bool is_adapter = first_existing(folder, {"config.json"}).empty() &&
                          !first_existing(folder, {kAdapterConfig}).empty();
  return is_adapter ? adapter_place(folder, name) : directory_place(folder, name);
}

/// A file of fastText, whose name is the whole file name.
ModelPlace fasttext_place(const fs::path& file) {
  const std::string path = file.string();
  return {file.filename().string(), path, path, path, "", "", "", /*is_fasttext=*/true};
}

ModelPlace path_place(const fs::path& path) {
  if (!is_folder(path)) {
    if (is_fasttext_file(path.string())) return fasttext_place(path);
    if (path.filename() != "config.json") return bare_place(path);
    return path_place(path.has_parent_path() ? path.parent_path() : fs::path("."));
  }
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(path, ignored);
  return folder_place(path, whole.filename().string());
}

/// In a list, an adapter without its base must not hide the other models.
ModelPlace listed_place(const fs::path& entry, const std::string& name) {
  if (!is_folder(entry)) return fasttext_place(entry);
  try {
    return folder_place(entry, name);
  } catch (const Error&) {
    return directory_place(entry, name);
  }
}

/// A model in the cache of the Hugging Face Hub, whose name is that of its repository.
ModelPlace cached_place(const std::string& given, const std::vector<std::string>& folders) {
  const std::string snapshot = hub_snapshot(given);
  if (snapshot.empty()) fail_unknown_model(given, folders);
  const fs::path file = fs::path(snapshot) / "model.bin";  // of repositories of fastText
  const bool is_fasttext = is_fasttext_file(file.string());
  if (!is_fasttext) refuse_parts_of_models(snapshot);
  ModelPlace place = is_fasttext ? fasttext_place(file) : path_place(snapshot);
  const std::string name = given.substr(0, given.find('@'));
  place.name = name.substr(name.rfind('/') + 1);
  return place;
}

}  // namespace

std::string beside_config(const ModelPlace& place, const std::string& name) {
  fs::path path = place.config;
  if (!place.directory.empty()) return path.replace_filename(name).string();
  return path.replace_extension(name).string();
}

std::vector<std::string> files_of_folder(const ModelPlace& place) {
  constexpr std::array<std::string_view, 18> kEndings = {"config.json",
                                                         kCascadeFile,
                                                         "calibration.json",
                                                         "modules.json",
                                                         "weights.json",
                                                         ".index.json",
                                                         "tokenizer.json",
                                                         "special_tokens_map.json",
                                                         "added_tokens.json",
                                                         "vocab.txt",
                                                         "vocab.json",
                                                         "merges.txt",
                                                         ".model",
                                                         ".safetensors",
                                                         ".bin",
                                                         ".pt",
                                                         ".pth",
                                                         ".onnx"};
  std::vector<std::string> files;
  if (place.directory.empty()) return files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(place.directory, ignored)) {
    const std::string name = entry.path().filename().string();
    const auto ends_name = [&](std::string_view ending) { return name.ends_with(ending); };
    if (std::any_of(kEndings.begin(), kEndings.end(), ends_name)) {
      files.push_back(entry.path().string());
    }
  }
  return files;
}

std::vector<std::string> data_folders(const std::string& name, const std::string& place) {
  std::vector<std::string> folders;
  if (place.empty()) return folders;
  // Of PREFIX/bin and PREFIX/lib, and of a folder in PREFIX/lib.
  for (const char* beside : {"", "../share/headlight", "../../share/headlight"}) {
    add_folder(fs::path(place) / beside / name, folders);
  }
  return folders;
}

std::vector<std::string> data_folders(const std::string& name) {
  return data_folders(name, program_folder());
}

std::vector<std::string> model_folders(const std::string& place) {
  std::vector<std::string> folders;
  // Read once before any thread starts.
  if (const char* list = std::getenv("HEADLIGHT_MODELS")) {  // NOLINT(concurrency-mt-unsafe)
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ':');) {
      if (!part.empty()) add_folder(part, folders);
    }
  }
  for (std::string& folder : data_folders("models", place)) folders.push_back(std::move(folder));
  return folders;
}

std::vector<std::string> model_folders() { return model_folders(program_folder()); }

bool is_model_folder(const std::string& path) {
  return !first_existing(path, {"config.json", kModules, kAdapterConfig}).empty();
}

std::vector<ModelPlace> list_models(const std::vector<std::string>& folders) {
  std::vector<ModelPlace> places;
  for (const auto& folder : folders) {
    std::error_code ignored;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const std::string path = entry.path().string();
      if (is_model_folder(path) || is_fasttext_file(path)) entries.push_back(entry.path());
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& entry : entries) {
      const std::string name = entry.filename().string();
      const auto same = [&](const ModelPlace& place) { return place.name == name; };
      if (std::none_of(places.begin(), places.end(), same)) {
        places.push_back(listed_place(entry, name));
      }
    }
  }
  return places;
}

std::uintmax_t bytes_of_files(const ModelPlace& place) {
  std::error_code ignored;
  if (!fs::is_directory(place.path, ignored)) {
    const std::uintmax_t size = fs::file_size(place.path, ignored);
    return ignored ? 0 : size;
  }
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(place.path, ignored)) {
    if (entry.is_regular_file(ignored)) bytes += entry.file_size(ignored);
  }
  return bytes;
}

ModelPlace locate_model(const std::string& given, const std::string& weights,
                        const std::vector<std::string>& folders) {
  ModelPlace place;
  if (!given.empty() && file_exists(given)) {
    if (!is_fasttext_file(given)) refuse_parts_of_models(given);
    place = path_place(given);
  } else {
    const auto places = list_models(folders);
    const auto found = std::find_if(places.begin(), places.end(),
                                    [&](const auto& known) { return known.name == given; });
    if (found == places.end()) {
      place = cached_place(given, folders);
    } else {  // a folder again, to say what an adapter lacks
      place = is_folder(found->path) ? folder_place(found->path, found->name) : *found;
    }
  }
  if (weights.empty()) return place;
  if (place.is_fasttext) throw Error(place.path, "has its own weights", "leave out --weights");
  place.weights = weights;
  return place;
}

}  // namespace headlight
