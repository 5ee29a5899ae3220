// The parts of a tokenizer, as its two makers put them together: files/native_tokenizer.h and
// files/tokenizer_json.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/word_model.h"
#include "text/normalizers/normalizer.h"
#include "text/pipeline/added_tokens.h"
#include "text/pipeline/post_processor.h"
#include "text/splitters/splitter.h"
#include "text/tokenizer.h"

namespace headlight {

/// A token of a text; small, because of a long text most are cut off again.
struct FoundToken {
  TokenId id;
  Span origin;             // in the text as given
  std::uint32_t spelling;  // one more than an index in FoundTokens, 0: the model's for this id
};

/// Who will read the tokens: the encoder their ids, or people their spellings too.
enum class Detail : std::uint8_t { ids, spellings };

/// The tokens of one text, as far as they may stay: of a long text only the beginning (or the end,
/// where the beginning is cut) is held, and the rest counted.
class FoundTokens {
 public:
  /// At most `most` tokens stay.
  FoundTokens(std::size_t most, bool cuts_left, Detail detail)
      : most_(most), cuts_left_(cuts_left), detail_(detail) {}

  /// Room for the tokens of a text of `characters`, if it is an ordinary one.
  void reserve(std::size_t characters);
  void add(TokenId id, Span origin) { add({id, origin, 0}); }
  /// A token that the model's vocabulary spells otherwise than `spelling`.
  void add_spelled(TokenId id, Span origin, std::u32string_view spelling);

  /// Of all tokens that were added.
  std::size_t count() const { return count_; }
  /// Cuts down to `count` tokens, at most `most` of the constructor.
  void keep(std::size_t count);

  const std::vector<FoundToken>& tokens() const { return tokens_; }
  /// nullptr where the model's vocabulary has it.
  const std::string* spelling(const FoundToken& token) const {
    return token.spelling == 0 ? nullptr : &spellings_[token.spelling - 1];
  }

 private:
  void add(FoundToken token) {
    ++count_;
    if (cuts_left_ && tokens_.size() / 2 > most_) keep_last(most_);
    if (cuts_left_ || tokens_.size() < most_) tokens_.push_back(token);
  }
  void keep_last(std::size_t count);

  std::size_t most_;
  bool cuts_left_;
  Detail detail_;
  std::size_t count_ = 0;
  std::vector<FoundToken> tokens_;
  std::vector<std::string> spellings_;
};

/// What stays of a text or of a pair.
struct FoundPair {
  FoundTokens first;
  FoundTokens second;
  std::size_t truncated = 0;

  const FoundTokens& of(Sequence sequence) const {
    return sequence == Sequence::first ? first : second;
  }
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

  /// The tokens of a text or a pair after truncation, without what is put around them.
  FoundPair find_tokens(std::string_view text, std::optional<std::string_view> pair,
                        const EncodeOptions& options, Detail detail) const;

  /// What people are shown of a text's tokens.
  void append_shown(const FoundTokens& found, Sequence sequence, Encoding& encoding) const;

  /// nullptr where the tokenizer has no such token.
  const std::string* token(TokenId id) const;
  std::optional<TokenId> id(std::string_view token) const;

 private:
  void append_text(std::string_view text, bool plain_text, FoundTokens& found) const;
  void append_added(const AddedToken& token, std::u32string_view text, Span origin,
                    FoundTokens& found) const;
  void append_normalized(NormalizedText text, bool plain_text, FoundTokens& found) const;
  void append_words(NormalizedText text, FoundTokens& found) const;
};

}  // namespace headlight
