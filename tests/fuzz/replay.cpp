// Replays files in the fuzz targets: fuzz_test TARGET FILE_OR_FOLDER…, or fuzz_test CORPUS, a
// folder with a folder for each target.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "fuzz/targets.h"

namespace headlight::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const fs::path& place) {
  if (!fs::is_directory(place)) return {place.string()};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  return files;
}

/// Returns the number of files that went wrong.
int replay(const Target& target, const std::vector<std::string>& files) {
  int wrong = 0;
  for (const std::string& file : files) {
    try {
      target.run(content_of(file));
    } catch (const std::exception& error) {
      std::printf("%s: %s: %s\n", target.name, file.c_str(), error.what());
      ++wrong;
    }
  }
  std::printf("%s: %zu files, %d wrong\n", target.name, files.size(), wrong);
  return wrong;
}

int run(const std::vector<std::string>& arguments) {
  int wrong = 0;
  std::size_t replayed = 0;
  for (const Target& target : kTargets) {
    std::vector<std::string> files;
    if (arguments.size() == 1) {
      files = files_in(fs::path(arguments[0]) / target.name);
    } else if (arguments[0] == target.name) {
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        for (std::string& file : files_in(arguments[i])) files.push_back(std::move(file));
      }
    }
    if (!files.empty()) wrong += replay(target, files);
    replayed += files.size();
  }
  return wrong == 0 && replayed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace headlight::fuzz

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) return headlight::fuzz::run(arguments);
  std::puts("usage: fuzz_test TARGET FILE_OR_FOLDER..., or fuzz_test CORPUS");
  return 2;
}
