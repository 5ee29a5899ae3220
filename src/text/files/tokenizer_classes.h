// The tokenizer classes of the training stack that a published folder may name, and what each adds
// to the folder's own files.
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
  /// Whose fields of tokenizer_config.json replace those of tokenizer.json, and what is built where
  /// there is only a vocabulary. as_given: tokenizer.json is all there is.
  enum class Kind : std::uint8_t { as_given, bert, mpnet, roberta };

  Kind kind = Kind::as_given;
  std::array<const char*, 7> specials{};  // by SpecialName, nullptr: none
  bool mask_takes_blank = false;          // the mask token swallows the white space before it

  const char* special(SpecialName name) const { return specials[static_cast<std::size_t>(name)]; }
};

/// `name` with or without the ending "Fast"; a name that is not known is taken as given. Throws
/// Error{where, …} for classes whose tokens no tokenizer.json can describe.
TokenizerClass find_tokenizer_class(std::string_view name, const std::string& where);

}  // namespace headlight
