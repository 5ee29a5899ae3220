#include "fasttext/dictionary.h"

#include <algorithm>
#include <bit>
#include <string>

namespace headlight {
namespace {

constexpr const char* kPart = "dictionary";

/// Places for open addressing, at most half of them used.
std::size_t places_for(std::size_t count) { return std::bit_ceil(2 * count + 1); }

}  // namespace

FasttextDictionary::FasttextDictionary(FileBytes& bytes, const FasttextArguments& arguments) {
  const auto count = bytes.number<std::int32_t>(kPart);
  const auto words = bytes.number<std::int32_t>(kPart);
  const auto labels = bytes.number<std::int32_t>(kPart);
  bytes.require(words >= 0 && labels >= 0 && std::int64_t{words} + labels == count,
                "has " + std::to_string(count) + " entries of the dictionary, expected " +
                    std::to_string(words) + " words and " + std::to_string(labels) + " labels");
  words_ = static_cast<std::size_t>(words);
  // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): the parts are read in order
  tokens_ = bytes.number<std::int64_t>(kPart);
  const auto kept = bytes.number<std::int64_t>(kPart);
  read_names(bytes, static_cast<std::uint32_t>(count));
  if (kept < 0) {
    rows_ = words_ + (arguments.has_ngrams() ? arguments.bucket : 0);
  } else {
    read_kept(bytes, kept, arguments.bucket);
  }
}

void FasttextDictionary::read_names(FileBytes& bytes, std::uint32_t count) {
  constexpr std::size_t kLeast = 10;  // bytes of an entry: NUL, count, type
  constexpr std::size_t kMostTries = 10000;
  constexpr std::int64_t kMost = 1LL << 40;  // sums of all counts stay below the tree's 1e15
  if (count > bytes.left() / kLeast) bytes.many(UINT64_MAX, 1, kPart);
  names_.reserve(count);
  places_.resize(places_for(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view name = names_.emplace_back(bytes.name(kPart));
    const auto occurrences = bytes.number<std::int64_t>(kPart);
    const bool is_label = bytes.number<std::int8_t>(kPart) != 0;
    bytes.require(is_label == (i >= words_),
                  "has a label before a word, or a word after a label, in entry " +
                      std::to_string(i) + " of the dictionary");
    if (is_label) {
      bytes.require(occurrences >= 0 && occurrences <= kMost,
                    "label " + std::to_string(i - words_) + " occurred " +
                        std::to_string(occurrences) + " times, expected 0 or more");
      label_counts_.push_back(occurrences);
    }
    const std::uint32_t hash = fasttext_hash(name);
    std::size_t place = hash & (places_.size() - 1);
    for (std::size_t tries = 0;
         places_[place].next != 0 && names_[places_[place].next - 1] != name;) {
      bytes.require(++tries < kMostTries, "has too many words with the same hash");
      place = (place + 1) & (places_.size() - 1);
    }
    places_[place] = {hash, i + 1};  // of equal words the last one
  }
}

void FasttextDictionary::read_kept(FileBytes& bytes, std::int64_t count, std::uint32_t buckets) {
  constexpr std::size_t kEntry = 2 * sizeof(std::int32_t);
  const auto size = static_cast<std::uint64_t>(count);
  if (size > bytes.left() / kEntry) bytes.many(UINT64_MAX, 1, kPart);
  pruned_ = static_cast<std::size_t>(size);
  rows_ = words_;
  kept_.resize(places_for(*pruned_));
  filter_.resize(kept_.size() / 16 + 1);  // four bits for each place
  filter_mask_ = std::bit_floor(filter_.size() * 64) - 1;
  for (std::uint64_t i = 0; i < size; ++i) {
    const auto bucket = bytes.number<std::uint32_t>(kPart);
    const auto row = bytes.number<std::int32_t>(kPart);
    bytes.require(bucket < buckets && row >= 0 && row < count,
                  "keeps bucket " + std::to_string(bucket) + " as row " + std::to_string(row) +
                      ", expected less than " + std::to_string(buckets) + " and " +
                      std::to_string(count));
    std::size_t place = mixed_bits(bucket) & (kept_.size() - 1);
    while (kept_[place].row != UINT32_MAX && kept_[place].bucket != bucket) {
      place = (place + 1) & (kept_.size() - 1);
    }
    filter_[(bucket & filter_mask_) / 64] |= std::uint64_t{1} << (bucket & filter_mask_) % 64;
    kept_[place] = {bucket, static_cast<std::uint32_t>(words_ + static_cast<std::uint32_t>(row))};
    rows_ = std::max<std::uint64_t>(rows_, kept_[place].row + 1);
  }
}

std::optional<std::uint32_t> FasttextDictionary::find(std::string_view word,
                                                      std::uint32_t hash) const {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t i = hash & mask; places_[i].next != 0; i = (i + 1) & mask) {
    const std::uint32_t number = places_[i].next - 1;
    if (places_[i].hash == hash && names_[number] == word) return number;
  }
  return std::nullopt;
}

}  // namespace headlight
