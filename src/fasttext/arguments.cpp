#include "fasttext/arguments.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace headlight {
namespace {

constexpr std::int32_t kMagic = 793712314;
constexpr std::int32_t kNewest = 12;
constexpr std::int32_t kOldest = 11;

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
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe is not read
  std::int32_t magic = 0;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(&magic), sizeof magic);
  return magic == kMagic;
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
