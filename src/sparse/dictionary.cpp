#include "sparse/dictionary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace headlight {
namespace {

/// Chance gives a place a dozen terms at most; more make the search slow.
constexpr std::size_t kMostAlike = 64;
/// So many hashes, and each so many-th of the others, are computed again: all would take half of
/// the start of a large model. A term with another hash is not found, and does no other harm.
constexpr std::size_t kChecked = 64;

}  // namespace

std::uint32_t murmur_hash(std::string_view bytes) {
  const auto mixed = [](std::uint32_t block) {
    return std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U;
  };
  std::uint32_t hash = 0;
  const char* at = bytes.data();
  for (std::size_t left = bytes.size(); left >= 4; left -= 4, at += 4) {
    std::uint32_t block = 0;
    std::memcpy(&block, at, 4);
    hash = std::rotl(hash ^ mixed(block), 13) * 5 + 0xE6546B64U;
  }
  std::uint32_t tail = 0;
  std::memcpy(&tail, at, bytes.size() % 4);
  hash ^= mixed(tail);
  hash ^= static_cast<std::uint32_t>(bytes.size());
  hash = (hash ^ hash >> 16U) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13U) * 0xC2B2AE35U;
  return hash ^ hash >> 16U;
}

SparseDictionary::SparseDictionary(std::span<const std::uint32_t> hashes,
                                   std::span<const std::uint32_t> ends, std::string_view terms,
                                   const std::string& where)
    : hashes_(hashes), ends_(ends), terms_(terms) {
  const auto require = [&](bool holds, std::size_t number, const char* problem) {
    if (holds) return;
    throw Error(where, "term " + std::to_string(number) + " of the dictionary " + problem,
                "the file is damaged; import the model again");
  };
  const auto bits = static_cast<unsigned>(std::bit_width(hashes.size()));
  shift_ = 32U - std::clamp(bits, 1U, 32U);
  starts_.assign((std::size_t{1} << (32U - shift_)) + 1, 0);
  std::size_t filled = 0;  // the first of the places that has no start yet
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const std::uint32_t begin = i == 0 ? 0 : ends[i - 1];
    require(begin <= ends[i] && ends[i] <= terms.size(), i, "ends outside of the terms");
    if (i < kChecked || i % kChecked == 0) {
      require(murmur_hash(term(i)) == hashes[i], i, "has another hash");
    }
    require(i == 0 || hashes[i - 1] <= hashes[i], i, "is not in the order of hashes");
    while (filled <= hashes[i] >> shift_) starts_[filled++] = static_cast<std::uint32_t>(i);
    require(i - starts_[filled - 1] < kMostAlike, i, "has a hash like too many others");
    for (std::size_t j = i; j > 0 && hashes[j - 1] == hashes[i]; --j) {
      require(term(j - 1) != term(i), i, "is there twice");
    }
  }
  while (filled < starts_.size()) starts_[filled++] = static_cast<std::uint32_t>(hashes.size());
  const std::size_t used = hashes.empty() ? 0 : ends.back();
  require(used == terms.size(), hashes.size(), "is missing");
}

}  // namespace headlight
