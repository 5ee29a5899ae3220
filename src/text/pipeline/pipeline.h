// The parts of a tokenizer. files/native_tokenizer.h and files/tokenizer_json.h assemble them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/word_model.h"
#include "text/normalizers/normalizer.h"
#include "text/pipeline/added_tokens.h"
#include "text/pipeline/post_processor.h"
#include "text/pipeline/text_cutter.h"
#include "text/pipeline/word_cache.h"
#include "text/splitters/splitter.h"
#include "text/tokenizer.h"

namespace headlight {

/// A token of a text. Small, because most tokens of a long text are discarded again.
struct FoundToken {
  TokenId id;
  Span origin;             // in the original text
  std::uint32_t spelling;  // one more than an index in FoundTokens; 0: that of the model
};

/// What is needed of the tokens: only ids (for the encoder), or also spellings (for display).
enum class Detail : std::uint8_t { ids, spellings };

/// The tokens of one text that may be kept. For a long text, only the beginning (or the end, if
/// truncation cuts the beginning) is stored; the rest is counted.
class FoundTokens {
 public:
  /// Keeps at most `most` tokens.
  FoundTokens(std::size_t most, bool cuts_left, Detail detail)
      : most_(most), cuts_left_(cuts_left), detail_(detail) {}

  /// Reserves memory for the tokens of a usual text of `characters`.
  void reserve(std::size_t characters);
  void add(TokenId id, Span origin) { add({id, origin, 0}); }
  /// Adds a token whose spelling differs from that in the model's vocabulary.
  void add_spelled(TokenId id, Span origin, std::u32string_view spelling);
  /// The same with the marks of an n-gram of characters.
  void add_marked(TokenId id, Span origin, std::u32string_view spelling, WordToken::Spelling marks);

  /// The number of all tokens that were added, also of those that are not kept.
  std::size_t count() const { return count_; }
  /// As if nothing had been added.
  void clear();
  /// Removes the tokens with this id of those that are kept.
  void leave_out(TokenId id);
  /// Keeps only `count` tokens, at most the constructor's `most`.
  void keep(std::size_t count);

  const std::vector<FoundToken>& tokens() const { return tokens_; }
  /// nullptr if it is that of the model's vocabulary.
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

/// The tokens that are kept of a text or of a pair.
struct FoundPair {
  FoundTokens first;
  FoundTokens second;
  std::size_t truncated = 0;

  const FoundTokens& of(Sequence sequence) const {
    return sequence == Sequence::first ? first : second;
  }
};

/// The stages in the order of work. No pointer is null. Immutable after construction.
struct Tokenizer::Pipeline {
  Normalizer normalizer;
  std::unique_ptr<const AddedTokens> added_tokens;
  Splitter splitter;
  std::unique_ptr<const WordModel> model;
  PostProcessor post_processor;
  std::optional<std::string> unk_token;  // as the folder names it, else the model's
  bool split_special_tokens = false;     // as if plain_text were set for every text
  bool cuts_left = false;                // truncation cuts the beginning, not the end
  bool may_be_empty = false;             // a text without tokens can be read
  std::optional<TokenId> left_out;       // no token of a text, but counted when it is cut
  /// Not 0: of a text that is cut to n tokens, at most n times this many code points are read.
  std::size_t characters_a_token = 0;
  TextCutter cutter{};       // see cut_texts()
  std::uint32_t number = 0;  // of words in a WordCache; the same

  /// From now on, cuts texts into words and remembers words, as the parts allow. Call it again
  /// after a change of a part.
  void cut_texts() {
    const bool remembers = model->ngrams() == 0;  // words with n-grams have too many tokens
    cutter = remembers ? TextCutter(normalizer, *added_tokens, splitter) : TextCutter();
    number = WordCache::next_tokenizer();
  }

  /// The tokens of a text or a pair after truncation, without the inserted special tokens.
  FoundPair find_tokens(std::string_view text, std::optional<std::string_view> pair,
                        const EncodeOptions& options, Detail detail) const;

  /// A hash of the words of a text, after `before`.
  std::uint64_t key_of(std::string_view text, std::uint64_t before) const;

  /// Throws Error{where, …} if a token of the model is too long to be searched for: the time would
  /// be that of the text times its length.
  void check_token_lengths(const std::string& where) const;

  /// Appends the data of a text's tokens for display.
  void append_shown(const FoundTokens& found, Sequence sequence, Encoding& encoding) const;

  /// nullptr if the tokenizer has no such token.
  const std::string* token(TokenId id) const;
  std::optional<TokenId> id(std::string_view token) const;

 private:
  std::size_t append_up_to(std::optional<std::size_t> max_length, std::string_view text,
                           bool plain_text, FoundTokens& found) const;
  void append_text(std::string_view text, bool plain_text, FoundTokens& found) const;
  bool append_parts(std::u32string_view characters, std::string_view text,
                    std::span<const TextPart> parts, FoundTokens& found) const;
  bool append_cut(std::string_view text, std::uint32_t begin, FoundTokens& found) const;
  bool append_word(std::string_view word, WordPlace place, std::uint32_t& begin, WordCache& cache,
                   FoundTokens& found) const;
  bool append_alone(std::string_view word, std::uint32_t& begin, FoundTokens& found) const;
  void append_added(const AddedToken& token, std::u32string_view text, Span origin,
                    FoundTokens& found) const;
  void append_normalized(NormalizedText text, bool plain_text, FoundTokens& found) const;
  void append_words(NormalizedText text, FoundTokens& found) const;
};

}  // namespace headlight
