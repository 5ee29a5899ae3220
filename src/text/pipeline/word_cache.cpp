#include "text/pipeline/word_cache.h"

#include <atomic>
#include <cstring>
#include <utility>

namespace headlight {
namespace {

template <typename Number>
std::uint64_t read(const char* bytes) {
  Number number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

/// Different for different words of `size` (1 to 8) bytes.
std::uint64_t read_short(const char* bytes, std::size_t size) {
  if (size == 8) return read<std::uint64_t>(bytes);
  if (size >= 4) {
    return read<std::uint32_t>(bytes) << 32U | read<std::uint32_t>(bytes + size - 4);
  }
  return read<std::uint8_t>(bytes) << 16U | read<std::uint8_t>(bytes + size / 2) << 8U |
         read<std::uint8_t>(bytes + size - 1);
}

}  // namespace

WordKey::WordKey(std::uint32_t number, std::string_view word, WordPlace place)
    : rest(std::uint64_t{number} << 8U | static_cast<std::uint64_t>(place) | word.size()) {
  const char* end = word.data() + word.size();
  bytes[0] = read_short(word.data(), word.size() < 8 ? word.size() : 8);
  if (word.size() > 8) bytes[1] = read<std::uint64_t>(word.size() < 16 ? end - 8 : &word[8]);
  if (word.size() > 16) bytes[2] = read<std::uint64_t>(end - 8);
}

WordCache& WordCache::of_thread() {
  thread_local WordCache cache;
  return cache;
}

std::uint32_t WordCache::next_tokenizer() {
  static std::atomic<std::uint32_t> tokenizers{0};
  return ++tokenizers;
}

KnownWord* WordCache::place_of(const WordKey& key) {
  // Knuth's multiplicative hashing, as in pair_map.h.
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = (key.bytes[0] ^ key.rest) * kMultiplier;
  hash = (hash ^ hash >> 32U ^ key.bytes[1]) * kMultiplier;
  hash = (hash ^ hash >> 32U ^ key.bytes[2]) * kMultiplier;
  return &words_[(hash >> 32U) & (words_.size() - 2)];
}

const KnownWord* WordCache::find(const WordKey& key) {
  KnownWord* place = place_of(key);
  if (place->is_same(key)) return place;
  if (!place[1].is_same(key)) return nullptr;
  std::swap(place[0], place[1]);
  return place;
}

void WordCache::put(const KnownWord& word) {
  KnownWord* place = place_of(word);
  place[place->rest == 0 ? 0 : 1] = word;
}

void WordCache::learn(const WordKey& key, const std::vector<WordToken>& found,
                      std::uint32_t characters) {
  if (found.size() > KnownWord::kMostTokens) return;
  if (2 * ++learned_ > words_.size() && words_.size() < kMostWords) {
    const auto before = std::exchange(words_, std::vector<KnownWord>(4 * words_.size()));
    for (const KnownWord& word : before) {
      if (word.rest != 0) put(word);
    }
  }
  KnownWord word{key};
  word.count = static_cast<std::uint8_t>(found.size());
  word.characters = static_cast<std::uint8_t>(characters);
  for (std::size_t i = 0; i < found.size(); ++i) {
    word.ids[i] = found[i].id;
    word.begins[i] = static_cast<std::uint8_t>(found[i].span.begin);
    word.ends[i] = static_cast<std::uint8_t>(found[i].span.end);
  }
  put(word);
}

}  // namespace headlight
