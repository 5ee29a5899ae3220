// The tokenizer of a native model, from the field `tokenizer` of its config.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/ngram_words.h"
#include "text/tokenizer.h"

namespace headlight {

/// The `tokenizer` field of a native config.json, without its words.
struct TokenizerSettings {
  enum class Type : std::uint8_t { wordpiece, words, whitespace };
  Type type = Type::wordpiece;
  bool lowercase = false;
  std::optional<bool> strip_accents = false;  // nullopt: as `lowercase`, which is BERT's rule
  bool remove_punctuation = false;
  std::optional<std::string> unk_token = "[UNK]";  // nullopt: unknown words are omitted
  std::optional<std::string> cls_token = "[CLS]";  // nullopt: not inserted
  std::optional<std::string> sep_token = "[SEP]";
  std::optional<bool> add_special_tokens;           // nullopt: true for wordpiece, else false
  std::optional<CharacterNgrams> character_ngrams;  // beside words, not word pieces
};

/// The tokenizer for `vocabulary`. The index of a token is its id; a repeated token has its last
/// id. Throws Error{where, …} if a special token to insert is not in the vocabulary.
Tokenizer make_native_tokenizer(const TokenizerSettings& settings,
                                std::vector<std::string> vocabulary, const std::string& where);

/// The words of `text` that the tokenizer of these settings looks up in its vocabulary, or cuts
/// into word pieces. Throws TextError for bad UTF-8.
std::vector<std::u32string> native_words(const TokenizerSettings& settings, std::string_view text);

}  // namespace headlight
