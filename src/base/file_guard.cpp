#include "base/file_guard.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "base/error.h"

namespace headlight {
namespace {

using Identity = std::pair<dev_t, ino_t>;

struct Guarded {
  std::multimap<Identity, std::string> inputs;  // with the paths that they were read from
  std::set<std::string> outputs;                // canonical paths
  std::map<std::string, std::string> hashes;    // of inputs, by name
};

// Global, because files are opened in many places and each must be guarded.
std::mutex guarding;
std::optional<Guarded> guarded;

std::optional<Identity> regular(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? regular(status) : std::nullopt;
}

std::optional<Identity> identity_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? regular(status) : std::nullopt;
}

void add(const std::optional<Identity>& identity, const std::string& path) {
  if (guarded && identity) guarded->inputs.emplace(*identity, path);
}

void refuse(const std::optional<Identity>& identity, const std::string& name) {
  if (!identity) return;
  const auto input = guarded->inputs.find(*identity);
  if (input == guarded->inputs.end()) return;
  throw Error(name,
              input->second == name ? "is read by this command, so it is never replaced"
                                    : "is the same file as " + input->second +
                                          ", which is read by this command and never replaced",
              "choose another output");
}

/// Empty if it is a pipe, a device or a directory, which several outputs may name.
std::string place_of(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return "";
  const auto absolute = std::filesystem::absolute(path, failure);
  const auto canonical = std::filesystem::weakly_canonical(absolute, failure);
  return failure ? absolute.string() : canonical.string();
}

}  // namespace

FileGuard::FileGuard() {
  const std::lock_guard lock(guarding);
  guarded.emplace();
}

FileGuard::~FileGuard() {
  const std::lock_guard lock(guarding);
  guarded.reset();
}

void guard_input(int descriptor, const std::string& path) {
  const std::lock_guard lock(guarding);
  add(identity_of(descriptor), path);
}

void guard_input(const std::string& path) {
  const std::lock_guard lock(guarding);
  add(identity_of(path), path);
}

void release_input(const std::string& path) {
  const std::lock_guard lock(guarding);
  if (!guarded) return;
  std::erase_if(guarded->inputs, [&](const auto& input) { return input.second == path; });
}

void release_output(const std::string& path) {
  const std::lock_guard lock(guarding);
  if (guarded) guarded->outputs.erase(place_of(path));
}

void remember_hash(const std::string& name, const std::string& hash) {
  const std::lock_guard lock(guarding);
  if (guarded) guarded->hashes[name] = hash;
}

std::string input_hash(const std::string& name) {
  const std::lock_guard lock(guarding);
  if (!guarded) return "";
  const auto found = guarded->hashes.find(name);
  return found == guarded->hashes.end() ? "" : found->second;
}

void claim_output(const std::string& path, std::initializer_list<const char*> suffixes) {
  const std::lock_guard lock(guarding);
  if (!guarded) return;
  refuse(identity_of(path), path);
  for (const char* suffix : suffixes) refuse(identity_of(path + suffix), path + suffix);
  const std::string place = place_of(path);
  if (!place.empty() && !guarded->outputs.insert(place).second) {
    throw Error(path, "is named as two outputs of this command", "give each a file of its own");
  }
}

void refuse_input(int descriptor, const std::string& name) {
  const std::lock_guard lock(guarding);
  if (guarded) refuse(identity_of(descriptor), name);
}

}  // namespace headlight
