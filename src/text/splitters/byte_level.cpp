#include "text/splitters/byte_level.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr std::size_t kBytes = 256;

constexpr bool is_its_own_character(std::size_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

constexpr std::array<char32_t, kBytes> make_byte_characters() {
  std::array<char32_t, kBytes> characters{};
  char32_t next = kBytes;
  for (std::size_t byte = 0; byte < kBytes; ++byte) {
    characters[byte] = is_its_own_character(byte) ? static_cast<char32_t>(byte) : next++;
  }
  return characters;
}

constexpr std::array<char32_t, kBytes> kByteCharacters = make_byte_characters();

/// Appends the bytes of one character, all with its origin.
void append_bytes(char32_t c, std::uint32_t origin, NormalizedText& text) {
  if (c < 0x80U) {
    text.push_back(kByteCharacters[c], origin);
    return;
  }
  std::string bytes;
  append_utf8(bytes, c);
  for (const char byte : bytes) {
    text.push_back(byte_character(static_cast<unsigned char>(byte)), origin);
  }
}

/// The kinds of characters that the GPT-2 pattern distinguishes.
enum class CharacterKind : std::uint8_t { white_space, letter, number, other };

CharacterKind kind_of(char32_t c) {
  if (is_letter(c)) return CharacterKind::letter;
  if (is_white_space(c)) return CharacterKind::white_space;
  return is_number(c) ? CharacterKind::number : CharacterKind::other;
}

/// The end of the run of one kind that begins at `begin`.
std::size_t run_end(std::u32string_view text, std::size_t begin) {
  const CharacterKind kind = kind_of(text[begin]);
  std::size_t end = begin + 1;
  while (end < text.size() && kind_of(text[end]) == kind) ++end;
  return end;
}

/// The length of 's, 't, 're, 've, 'm, 'll or 'd at `begin`; 0: there is none.
std::size_t contraction_length(std::u32string_view text, std::size_t begin) {
  if (text[begin] != U'\'') return 0;
  const std::u32string_view rest = text.substr(begin + 1);
  for (const std::u32string_view ending : {U"s", U"t", U"re", U"ve", U"m", U"ll", U"d"}) {
    if (rest.starts_with(ending)) return 1 + ending.size();
  }
  return 0;
}

void cut_gpt2_words(SplitText& split) {
  std::vector<Span> words;
  for (const Span piece : split.pieces) {
    const std::u32string_view text = split.text.view(piece);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = gpt2_word_end(text, begin);
      words.push_back({piece.begin + static_cast<std::uint32_t>(begin),
                       piece.begin + static_cast<std::uint32_t>(end)});
      begin = end;
    }
  }
  split.pieces = std::move(words);
}

}  // namespace

char32_t byte_character(unsigned char byte) { return kByteCharacters[byte]; }

std::size_t gpt2_word_end(std::u32string_view text, std::size_t begin) {
  if (const std::size_t length = contraction_length(text, begin); length > 0) {
    return begin + length;
  }
  const std::size_t word = text[begin] == U' ' ? begin + 1 : begin;
  if (word < text.size() && kind_of(text[word]) != CharacterKind::white_space)
    return run_end(text, word);
  const std::size_t end = run_end(text, begin);
  // The last character of white space belongs to the next word, unless it is the only one.
  return end < text.size() && end - begin > 1 ? end - 1 : end;
}

WordCuts ByteLevelSplit::cuts() const {
  if (!cut_words_) return {};
  if (prefix_space_) return WordCuts::at_single_spaces();
  constexpr ByteGroups kWords = group::kLetters | group::kDigits;
  return WordCuts()
      .add(group::kAll, group::kSpace)
      .before(group::kVisible)
      .joins(group::kLetters | group::kDigits | group::kSymbols)
      .add(group::kVisible, group::kLineBlanks)
      .add(kWords, group::kPunctuation)
      .add(group::kLetters | group::kSymbols,
           group::kDigits)  // not behind an apostrophe, which may begin a contraction
      .add(group::kDigits | group::kSymbols, group::kLetters);
}

void ByteLevelSplit::apply(SplitText& split) const {
  if (prefix_space_) {
    prefix_pieces(split, U' ', [](std::uint32_t) { return true; });
  }
  if (cut_words_) cut_gpt2_words(split);
  auto& characters = split.text.characters;
  if (are_below(characters, 0x80)) {
    std::transform(characters.begin(), characters.end(), characters.begin(),
                   [](char32_t c) { return kByteCharacters[c]; });
    return;
  }
  rewrite_pieces(split, [](const NormalizedText& old, Span piece, NormalizedText& text) {
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      append_bytes(old.characters[i], old.origins[i], text);
    }
  });
}

void SpellBytes::apply(NormalizedText& text) const {
  NormalizedText bytes;
  bytes.begin = text.begin;
  for (std::size_t i = 0; i < text.size(); ++i) {
    append_bytes(text.characters[i], text.origins[i], bytes);
  }
  text = std::move(bytes);
}

}  // namespace headlight
