#include "model/foreign_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

enum class Remedy : std::uint8_t { import_folder, import_file, save_again, other_checkpoint };

/// The file format that the ending of a name indicates.
struct Format {
  std::string_view ending;
  std::string_view name;
  Remedy remedy;
};

// Formats that are easier to import come first. The first ending that matches counts.
constexpr std::array<Format, 12> kFormats = {{
    {"pytorch_model.bin", "a PyTorch pickle file", Remedy::import_folder},
    {"pytorch_model.bin.index.json", "an index of PyTorch pickle files", Remedy::import_folder},
    {".bin", "a PyTorch pickle file", Remedy::import_file},
    {".pt", "a PyTorch pickle file", Remedy::import_file},
    {".pth", "a PyTorch pickle file", Remedy::import_file},
    {".ckpt", "a PyTorch pickle file", Remedy::import_file},
    {".h5", "a TensorFlow file", Remedy::save_again},
    {".msgpack", "a Flax file", Remedy::save_again},
    {".gguf", "a GGUF file", Remedy::other_checkpoint},
    {".onnx", "an ONNX file", Remedy::other_checkpoint},
    {".tflite", "a TensorFlow Lite file", Remedy::other_checkpoint},
    {".ot", "a file of rust-bert", Remedy::other_checkpoint},
}};

// Files that training programs save next to the weights.
constexpr std::array<std::string_view, 4> kNoWeights = {"training_args", "optimizer", "scheduler",
                                                        "rng_state"};

constexpr std::array<std::string_view, 4> kSentencePieces = {
    "sentencepiece.bpe.model", "spiece.model", "sentencepiece.model", "spm.model"};

/// The format that the name of a file indicates, or nullptr.
const Format* format_of(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  const auto begins = [&](std::string_view start) { return name.starts_with(start); };
  if (std::any_of(kNoWeights.begin(), kNoWeights.end(), begins)) return nullptr;
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return name.ends_with(format.ending);
  });
  return found == kFormats.end() ? nullptr : found;
}

std::string remedy_for(const Format& format, const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  switch (format.remedy) {
    case Remedy::import_folder:
      return "`scripts/import " + (folder.empty() ? "." : folder) + "` writes model.safetensors";
    case Remedy::import_file:
      return "`scripts/import " + path + " --map MAP.json -o DIR` converts a state dict to a model";
    case Remedy::save_again:
      return "save it as model.safetensors with save_pretrained() of transformers 4";
    case Remedy::other_checkpoint:
      break;
  }
  return "use the original checkpoint with its model.safetensors";
}

Error foreign_weights(const Format& format, const std::string& path) {
  return {path, "is " + std::string(format.name) + ", expected safetensors or weights.json",
          remedy_for(format, path)};
}

/// The file in `folder` that is easiest to import, the first by name; empty if there is none.
std::string find_foreign_weights(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (format_of(entry.path().string()) != nullptr) files.push_back(entry.path().string());
  }
  const auto better = [](const std::string& a, const std::string& b) {
    const Format* const left = format_of(a);
    const Format* const right = format_of(b);
    return left == right ? a < b : left < right;
  };
  const auto best = std::min_element(files.begin(), files.end(), better);
  return best == files.end() ? "" : *best;
}

}  // namespace

Error missing_weights(const ModelPlace& place) {
  if (place.directory.empty()) {
    const std::string stem = place.config.substr(0, place.config.rfind('.'));
    return {
        place.config,
        "has no weights beside it: no " + stem + ".safetensors or " + stem + ".weights.json",
        "--weights names a file, `headlight init " + place.config + " -o DIR` creates random ones"};
  }
  for (const char* below : {"", "/onnx"}) {
    const std::string found = find_foreign_weights(place.directory + below);
    if (!found.empty()) return foreign_weights(*format_of(found), found);
  }
  return {place.directory,
          "has no weights: no model.safetensors, model.safetensors.index.json or weights.json"};
}

void refuse_foreign_weights(const std::string& path) {
  const Format* const format = format_of(path);
  if (format != nullptr && file_exists(path)) throw foreign_weights(*format, path);
}

void refuse_foreign_folder(const std::string& folder) {
  const std::string found = find_foreign_weights(folder);
  if (!found.empty()) throw foreign_weights(*format_of(found), found);
}

Error missing_vocabulary(const ModelPlace& place) {
  const std::string ids = "use --ids to read token ids instead";
  for (const auto name : kSentencePieces) {
    const std::string path = place.directory + "/" + std::string(name);
    if (place.directory.empty() || !file_exists(path)) continue;
    return {path, "is a SentencePiece model, expected a tokenizer.json beside it",
            "`scripts/import " + place.directory + "` creates one, or " + ids};
  }
  return {place.path, "has no vocabulary", ids};
}

}  // namespace headlight
