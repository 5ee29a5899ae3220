// Replays files in the fuzz targets: fuzz_test TARGET FILE_OR_FOLDER…, or fuzz_test CORPUS
// [SECONDS], a folder with a folder for each target. With SECONDS each target then runs changed
// files for that long, always the same ones in the same order.
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
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

/// Runs changed files for `seconds`. Returns the number of inputs that went wrong; each is a file
/// in the working directory.
int run_changed(const Target& target, const std::vector<std::string>& files, double seconds) {
  std::vector<std::string> inputs;
  for (const std::string& file : files) inputs.push_back(content_of(file));
  Random random(1);  // NOLINT(cert-msc51-cpp): the same every time
  const auto begin = std::chrono::steady_clock::now();
  int wrong = 0;
  std::size_t runs = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
         seconds) {
    std::string input = inputs[random() % inputs.size()];
    for (std::size_t left = 1 + random() % 3; left > 0; --left) {
      auto other =
          random() % 2 == 0 ? with_other_json(input, target.structure, random) : std::nullopt;
      input = other ? std::move(*other) : with_other_bytes(input, random);
    }
    try {
      target.run(input);
    } catch (const std::exception& error) {
      const std::string name = std::string("found-") + target.name + '-' + std::to_string(++wrong);
      std::ofstream(name, std::ios::binary) << input;
      std::printf("%s: %s\n", name.c_str(), error.what());
    }
    ++runs;
  }
  std::printf("%s: %zu changed inputs, %d wrong\n", target.name, runs, wrong);
  return wrong;
}

int run(const std::vector<std::string>& arguments) {
  int wrong = 0;
  const bool has_seconds =
      arguments.size() == 2 && arguments[1].find_first_not_of("0123456789.") == std::string::npos;
  std::size_t replayed = 0;
  for (const Target& target : kTargets) {
    std::vector<std::string> files;
    if (arguments.size() == 1 || has_seconds) {
      files = files_in(fs::path(arguments[0]) / target.name);
    } else if (arguments[0] == target.name) {
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        for (std::string& file : files_in(arguments[i])) files.push_back(std::move(file));
      }
    }
    if (!files.empty()) wrong += replay(target, files);
    if (!files.empty() && has_seconds) wrong += run_changed(target, files, std::stod(arguments[1]));
    replayed += files.size();
  }
  return wrong == 0 && replayed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace headlight::fuzz

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a crash keeps the lines before it
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) return headlight::fuzz::run(arguments);
  std::puts("usage: fuzz_test TARGET FILE_OR_FOLDER..., or fuzz_test CORPUS [SECONDS]");
  return 2;
}
