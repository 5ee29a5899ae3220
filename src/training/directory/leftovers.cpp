#include "training/directory/leftovers.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include <unistd.h>

#include "base/error.h"
#include "base/placing.h"
#include "training/directory/model_directory.h"
#include "training/head/text_vectors.h"
#include "training/whole/checkpoint.h"

namespace headlight {
namespace {

/// The endings of the files, and what each begins with.
constexpr std::array<std::pair<const char*, std::string_view>, 3> kFiles = {
    {{".vectors", kVectorMagic},
     {".checkpoint", kCheckpointMagic},
     {".checkpoint.new", kCheckpointMagic}}};

void refuse_file(const std::string& path, std::string_view magic, bool force) {
  const bool is_file = std::filesystem::is_regular_file(std::filesystem::symlink_status(path));
  if (!is_named(path) || (is_file && (force || begins_with(path, magic)))) return;
  throw Error(path, "exists, but was not written by headlight fit, which needs this name",
              is_file ? "rename it; --force replaces it" : "rename it");
}

}  // namespace

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
  refuse_partial_directory(directory);
  refuse_partial_directory(directory + ".start");
}

void remove_leftovers(const std::string& directory) {
  for (const auto& [ending, magic] : kFiles) {
    const std::string path = directory + ending;
    if (begins_with(path, magic)) ::unlink(path.c_str());
  }
}

}  // namespace headlight
