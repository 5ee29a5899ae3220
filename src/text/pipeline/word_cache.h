// Words whose tokens are known, because texts repeat words. A word is any part of a text that was
// tokenized alone, as it stands there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "text/encoding.h"
#include "text/models/word_model.h"

namespace headlight {

/// Where a word stands: the first one of a text, or of the rest behind an added token, may differ.
enum class WordPlace : std::uint8_t { within = 0, begins_rest = 0x40, begins_text = 0x80 };

/// The number of a tokenizer, a word of 1 to kLongest bytes, and its place, as numbers.
struct WordKey {
  static constexpr std::size_t kLongest = 24;

  WordKey() = default;
  WordKey(std::uint32_t number, std::string_view word, WordPlace place);

  bool is_same(const WordKey& other) const {
    return rest == other.rest && bytes[0] == other.bytes[0] && bytes[1] == other.bytes[1] &&
           bytes[2] == other.bytes[2];
  }

  std::array<std::uint64_t, 3> bytes{};
  std::uint64_t rest = 0;  // the tokenizer, the place and the length; 0: no word
};

/// In one line of the processor's cache.
struct alignas(64) KnownWord : WordKey {
  static constexpr std::size_t kMostTokens = 5;

  std::uint8_t count = 0;                          // of tokens
  std::uint8_t characters = 0;                     // code points of the word
  std::array<std::uint8_t, kMostTokens> begins{};  // of the code points that a token covers
  std::array<std::uint8_t, kMostTokens> ends{};
  std::array<TokenId, kMostTokens> ids{};
};
static_assert(sizeof(KnownWord) == 64);

/// Words that a thread used of late, of all tokenizers, in at most 2 MiB.
class WordCache {
 public:
  WordCache() : words_(kFirstWords) {}
  static WordCache& of_thread();
  /// A number for a tokenizer, which no other has had.
  static std::uint32_t next_tokenizer();

  /// nullptr if it is not known; valid until the next call.
  const KnownWord* find(const WordKey& key);
  /// Remembers the tokens of a word of some `characters`, if they are not too many.
  void learn(const WordKey& key, const std::vector<WordToken>& found, std::uint32_t characters);

  std::vector<WordToken> tokens;  // of a word that is learned; kept for its memory

 private:
  static constexpr std::size_t kFirstWords = 512;
  static constexpr std::size_t kMostWords = 32768;

  /// Two words, of which the first was found more recently.
  KnownWord* place_of(const WordKey& key);
  void put(const KnownWord& word);

  std::vector<KnownWord> words_;  // grows, so that a few words do not take the time of its memory
  std::size_t learned_ = 0;
};

}  // namespace headlight
