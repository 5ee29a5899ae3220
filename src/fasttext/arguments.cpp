#include "fasttext/arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace headlight {
namespace {

constexpr std::int32_t kMagic = 793712314;
constexpr std::int32_t kNewest = 12;
constexpr std::int32_t kOldest = 11;

/// The first bytes of a regular file; a pipe is not read.
std::string beginning_of(const std::string& path, std::size_t most) {
  std::error_code ignored;
  std::string bytes(most, '\0');
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return bytes;
}

std::int32_t integer(FileBytes& bytes, const char* name, std::int32_t least, std::int32_t most) {
  const auto value = bytes.number<std::int32_t>("arguments");
  bytes.require(value >= least && value <= most,
                "argument " + std::string(name) + " is " + std::to_string(value) +
                    ", expected a number from " + std::to_string(least) + " to " +
                    std::to_string(most));
  return value;
}

}  // namespace

bool is_fasttext_file(const std::string& path) {
  const std::string bytes = beginning_of(path, sizeof kMagic);
  return bytes.size() == sizeof kMagic && std::memcmp(bytes.data(), &kMagic, sizeof kMagic) == 0;
}

bool is_fasttext_vectors(const std::string& path) {
  constexpr std::size_t kEnough = 32;
  constexpr std::string_view kDigits = "0123456789";
  const std::string bytes = beginning_of(path, kEnough);
  const std::string line = bytes.substr(0, bytes.find('\n'));
  const std::size_t blank = line.find_first_not_of(kDigits);
  return line.size() < bytes.size() && blank != std::string::npos && blank > 0 &&
         line[blank] == ' ' && blank + 1 < line.size() &&
         line.find_first_not_of(kDigits, blank + 1) == std::string::npos;
}

FasttextArguments read_fasttext_arguments(FileBytes& bytes) {
  constexpr std::int32_t kAny = INT32_MAX;
  constexpr std::int32_t kWidest = 1 << 16;
  constexpr std::int32_t kLongest = 255;  // n of n-grams; a longer text takes n times as long
  bytes.number<std::int32_t>("head");
  FasttextArguments found;
  found.version = bytes.number<std::int32_t>("head");
  if (found.version < kOldest || found.version > kNewest) {
    bytes.refuse(
        "has version " + std::to_string(found.version) + " of fastText's format, expected 11 or 12",
        "save the model again with fastText 0.9");
  }
  found.dim = integer(bytes, "dim", 1, kWidest);
  found.ws = bytes.number<std::int32_t>("arguments");
  found.epoch = bytes.number<std::int32_t>("arguments");
  found.min_count = bytes.number<std::int32_t>("arguments");
  found.neg = bytes.number<std::int32_t>("arguments");
  found.word_ngrams = integer(bytes, "wordNgrams", 0, kLongest);
  found.loss = static_cast<FasttextLoss>(integer(bytes, "loss", 1, 4));
  found.kind = static_cast<FasttextKind>(integer(bytes, "model", 1, 3));
  found.bucket = static_cast<std::uint32_t>(integer(bytes, "bucket", 0, kAny));
  found.minn = integer(bytes, "minn", 0, kAny);
  found.maxn = integer(bytes, "maxn", 0, kLongest);
  found.rate_updates = bytes.number<std::int32_t>("arguments");
  found.sampling = bytes.number<double>("arguments");
  if (found.version == kOldest && found.kind == FasttextKind::supervised) found.maxn = 0;
  bytes.require(found.bucket > 0 || !found.has_ngrams(),
                "has n-grams (wordNgrams, maxn) but argument bucket is 0");
  return found;
}

}  // namespace headlight
