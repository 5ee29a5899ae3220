// The tokenizer of a native model, which its config.json describes in the field `tokenizer`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace headlight {

/// The `tokenizer` field of a native config.json, without its words.
struct TokenizerSettings {
  enum class Type : std::uint8_t { wordpiece, words, whitespace };
  Type type = Type::wordpiece;
  bool lowercase = false;
  std::optional<bool> strip_accents = false;  // nothing: as `lowercase`, which is BERT's rule
  bool remove_punctuation = false;
  std::optional<std::string> unk_token = "[UNK]";  // nothing: unknown words are left out
  std::optional<std::string> cls_token = "[CLS]";  // nothing: not put in
  std::optional<std::string> sep_token = "[SEP]";
  std::optional<bool> add_special_tokens;  // nothing: true for wordpiece, else false
};

/// The tokenizer over `vocabulary` (its index is the id; a repeated token keeps its last id).
/// Throws Error{where, …} where a special token that is to be put in is not a word.
Tokenizer make_native_tokenizer(const TokenizerSettings& settings,
                                std::vector<std::string> vocabulary, const std::string& where);

}  // namespace headlight
