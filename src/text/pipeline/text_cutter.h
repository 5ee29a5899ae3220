// Cuts a text into words that can be tokenized alone, without an allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "text/normalizers/normalizer.h"
#include "text/pipeline/added_tokens.h"
#include "text/splitters/splitter.h"
#include "text/splitters/word_cuts.h"

namespace headlight {

class TextCutter {
 public:
  /// Cuts no text.
  TextCutter() = default;
  /// The added tokens must outlive it.
  TextCutter(const Normalizer& normalizer, const AddedTokens& added, const Splitter& splitter);

  /// Whether this text may be cut, as far as its size and its first characters tell.
  bool may_cut(std::string_view text) const;
  /// The end of the word that begins at byte `begin`, or nullopt if an added token may begin in it.
  std::optional<std::size_t> word_end(std::string_view text, std::size_t begin) const;
  /// Whether spaces are no part of a word, and never change it.
  bool removes_spaces() const { return removes_spaces_; }
  /// Whether an added token may begin at byte `begin`.
  bool may_be_added(std::string_view text, std::size_t begin) const {
    return kind(text, begin) >= kMayBeAdded && begins_added_token(text, begin);
  }
  /// Writes what normalizer and splitter make of a word to `out`, which has room for it, if that is
  /// one character for each byte, and they do not split it. Returns whether it is so.
  bool write(std::string_view word, char32_t* out) const;

 private:
  static constexpr std::uint8_t kMayBeAdded = 8;  // beside the index of the group

  std::uint8_t kind(std::string_view text, std::size_t at) const {
    return kinds_[static_cast<unsigned char>(text[at])];
  }
  void find_characters(const Normalizer& normalizer, const Splitter& splitter);
  bool begins_added_token(std::string_view text, std::size_t begin) const;

  WordCuts cuts_;
  bool removes_spaces_ = false;
  /// For each group of a byte the kinds of the next byte at which to stop: cuts, and kMayBeAdded.
  std::array<std::uint16_t, 8> stops_{};
  ByteGroups first_groups_ = group::kAll;      // of the first two bytes of a text
  std::array<std::uint8_t, 256> kinds_{};      // the index of a byte's group, and kMayBeAdded
  std::array<char32_t, 128> characters_{};     // what a byte becomes; 0: not one, or unknown
  const AddedTokens* added_tokens_ = nullptr;  // nullptr only without cuts
};

}  // namespace headlight
