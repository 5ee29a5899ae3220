#include "training/leftovers.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "base/placing.h"
#include "training/checkpoint.h"
#include "training/model_directory.h"
#include "training/text_vectors.h"

namespace headlight {
namespace {

/// Whether the file begins with `magic`, or is shorter and agrees with it so far.
bool begins_with(const std::string& path, std::string_view magic) {
  std::string found(magic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  found.resize(static_cast<std::size_t>(file.gcount()));
  return magic.starts_with(found);
}

void refuse_file(const std::string& path, std::string_view magic, bool force) {
  const bool is_file = std::filesystem::is_regular_file(std::filesystem::symlink_status(path));
  if (!is_named(path) || (is_file && (force || begins_with(path, magic)))) return;
  throw Error(path, "exists, but was not written by headlight fit, which needs this name",
              is_file ? "rename it; --force replaces it" : "rename it");
}

}  // namespace

void refuse_foreign_files(const std::string& directory, bool force) {
  refuse_file(directory + ".vectors", kVectorMagic, force);
  refuse_file(directory + ".checkpoint", kCheckpointMagic, force);
  refuse_file(directory + ".checkpoint.new", kCheckpointMagic, force);
  refuse_partial_directory(directory);
  refuse_partial_directory(directory + ".start");
}

}  // namespace headlight
