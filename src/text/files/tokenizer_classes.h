// The tokenizer classes (transformers) that a published folder may name, and what each adds to the
// files of the folder.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace headlight {

/// The named special tokens, in the order in which the reference adds them.
enum class SpecialName : std::uint8_t { bos, eos, unk, sep, pad, cls, mask };
inline constexpr std::array<const char*, 7> kSpecialNames = {
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

struct TokenizerClass {
  /// Which fields of tokenizer_config.json override tokenizer.json, and what is built from a
  /// vocabulary alone. as_given: only tokenizer.json is used.
  /// deberta: the same, but it can be built from a vocabulary.
  enum class Kind : std::uint8_t { as_given, bert, mpnet, roberta, deberta, gpt2, qwen2 };

  Kind kind = Kind::as_given;
  std::array<const char*, 7> specials{};  // by SpecialName, nullptr: none
  bool mask_takes_blank = false;          // the mask token takes the white space before it

  /// Whether the vocabulary is a vocab.json with a merges.txt.
  bool has_merges() const {
    return kind == Kind::roberta || kind == Kind::deberta || kind == Kind::gpt2 ||
           kind == Kind::qwen2;
  }
  const char* special(SpecialName name) const { return specials[static_cast<std::size_t>(name)]; }
};

/// `name` may end in "Fast". Unknown names are of the kind as_given. Throws Error{where, …} for
/// classes whose tokens a tokenizer.json cannot describe.
TokenizerClass find_tokenizer_class(std::string_view name, const std::string& where);

}  // namespace headlight
