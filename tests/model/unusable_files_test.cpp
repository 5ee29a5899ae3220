// Files of a model that are missing, or that are not what they should be.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/temporary_folder.h"
#include "model/model_files.h"
#include "model/refused_model.h"

namespace headlight::unusable_files_test {
namespace {

namespace fs = std::filesystem;

/// In a folder with the model "toy" and the file "plain", which is none.
struct FileCase {
  std::string name;
  void (*prepare)(const fs::path& folder);
  std::string model;
  std::string weights;  // empty: those beside the config
  std::string reason;
};

void make_pipe(const fs::path& path) {
  fs::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
}

void make_folder(const fs::path& path) {
  fs::remove(path);
  fs::create_directory(path);
}

const std::vector<FileCase> kFiles = {
    {"a model below a file", nullptr, "plain/toy", "", "plain/toy"},
    {"a model that is no config", nullptr, "plain", "", "plain: |JSON"},
    {"a folder without weights", [](const auto& p) { fs::remove(p / "toy/model.safetensors"); },
     "toy", "", "toy: has no weights|model.safetensors"},
    {"other weights that are pickled",
     [](const auto& p) { fs::copy(p / "toy/model.safetensors", p / "w.bin"); }, "toy", "w.bin",
     "w.bin: is a PyTorch pickle file|scripts/import"},
    {"words in a SentencePiece model",
     [](const auto& p) {
       Folder folder = toy_folder();
       edit_config(folder, [](OrderedJson& config) { config.erase("tokenizer"); });
       std::ofstream(p / "toy/config.json") << folder["config.json"];
       std::ofstream(p / "toy/spiece.model") << "";
     },
     "toy", "", "toy/spiece.model: is a SentencePiece model|tokenizer.json|`scripts/import"},
    {"a bare config without weights",
     [](const auto& p) { fs::copy(p / "toy/config.json", p / "bare.json"); }, "bare.json", "",
     "bare.json: has no weights|bare.safetensors|headlight init"},
    {"a config that is a folder", [](const auto& p) { make_folder(p / "toy/config.json"); }, "toy",
     "", "toy/config.json: is a directory"},
    {"weights that are a folder", [](const auto& p) { make_folder(p / "toy/model.safetensors"); },
     "toy", "", "toy/model.safetensors: is a directory"},
    {"weights that are a pipe", [](const auto& p) { make_pipe(p / "toy/model.safetensors"); },
     "toy", "", "toy/model.safetensors: is not a regular file"},
    {"a link in a circle",
     [](const auto& p) {
       fs::remove(p / "toy/config.json");
       fs::create_symlink("config.json", p / "toy/config.json");
     },
     "toy", "", "toy/config.json: Too many levels"},
    {"words that are a folder", [](const auto& p) { make_folder(p / "toy/vocab.txt"); }, "toy", "",
     "toy/vocab.txt: is a directory"},
    {"a tokenizer that is a pipe", [](const auto& p) { make_pipe(p / "toy/tokenizer.json"); },
     "toy", "", "toy/tokenizer.json: is not a regular file"},
    {"other weights that are not there", nullptr, "toy", "w.safetensors",
     "w.safetensors: No such file"},
    {"other weights below a file", nullptr, "toy", "plain/w", "plain/w: Not a directory"},
    {"other weights that are none", nullptr, "toy", "plain", "plain: found a header"},
};

TEST_CASE("files of a model that cannot be used are refused by name") {
  for (const FileCase& broken : kFiles) {
    INFO("case: " << broken.name);
    const TemporaryFolder folder;
    folder.write_folder("toy", toy_folder());
    folder.write("plain", "not a model");
    if (broken.prepare != nullptr) broken.prepare(folder.path());
    const std::string weights = broken.weights.empty() ? "" : folder / broken.weights;
    check_parts(refusal_of(folder / broken.model, weights), broken.reason);
  }
}

}  // namespace
}  // namespace headlight::unusable_files_test
