// The parts of a tokenizer, as its two makers put them together: from_settings in
// native_tokenizer.cpp, from_plan in tokenizer_json.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/added_tokens.h"
#include "text/normalizer.h"
#include "text/post_processor.h"
#include "text/splitter.h"
#include "text/tokenizer.h"
#include "text/word_model.h"

namespace headlight {

/// A token of a text; small, because of a long text most are cut off again.
struct FoundToken {
  TokenId id;
  Span origin;             // in the text as given
  std::uint32_t spelling;  // index in FoundTokens::spellings, 0: the model's for this id
};

/// All tokens of one text, before truncation.
struct FoundTokens {
  std::vector<FoundToken> tokens;
  std::vector<std::string> spellings = {
      ""};  // of tokens that the model's vocabulary spells otherwise

  /// The index of `spelling`, for FoundToken::spelling.
  std::uint32_t add_spelling(std::string spelling);
};

/// In the order of work. None of the pointers is null, and nothing changes once it is made.
struct Tokenizer::Pipeline {
  Normalizer normalizer;
  std::unique_ptr<const AddedTokens> added_tokens;
  Splitter splitter;
  std::unique_ptr<const WordModel> model;
  PostProcessor post_processor;
  bool split_special_tokens = false;  // as if every text were asked for as plain text
  bool cuts_left = false;             // truncation takes the beginning, not the end

  FoundTokens find_tokens(std::string_view text, bool plain_text) const;

  /// What stands of a text after truncation.
  void append_text(const FoundTokens& found, const TemplatePart& part, Encoding& encoding) const;

  /// nullptr where the tokenizer has no such token.
  const std::string* token(TokenId id) const;
  std::optional<TokenId> id(std::string_view token) const;

 private:
  void append_added(const AddedToken& token, std::u32string_view text, Span origin,
                    FoundTokens& found) const;
  void append_normalized(NormalizedText text, bool plain_text, FoundTokens& found) const;
  void append_words(NormalizedText text, FoundTokens& found) const;
};

}  // namespace headlight
