// Text to ids, exactly as the reference tokenizer. START HERE in this room: encode() runs all
// stages (added tokens → normalizer → splitter → model → truncation → special tokens). encode_ids()
// does the same but returns only ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/encoding.h"
#include "text/pipeline/truncation.h"
#include "text/windows.h"

namespace headlight {

struct EncodeOptions {
  std::optional<std::size_t> max_length;  // tokens, special ones included
  bool plain_text = false;                // special tokens typed in a text are text
  Truncation truncation = Truncation::longest_first;
  /// For encode_windows(); nullopt: a quarter of the tokens that fit.
  std::optional<std::size_t> stride = std::nullopt;
};

/// Its const functions are thread-safe.
class Tokenizer {
 public:
  struct Pipeline;
  /// Called by the readers in text/files.
  explicit Tokenizer(std::unique_ptr<Pipeline> pipeline);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// From now on, texts are lower-cased before all other normalization.
  void lowercase_first();
  bool is_lowercased_first() const { return lowercased_first_; }

  /// The tokens of `text`, or of the pair (`text`, `*pair`). Throws TextError for bad UTF-8, or if
  /// a word needs an unknown token and the vocabulary has none.
  Encoding encode(std::string_view text, std::optional<std::string_view> pair,
                  const EncodeOptions& options) const;

  /// The same without the data for display. Replaces the content of `ids` and reuses its memory.
  void encode_ids(std::string_view text, std::optional<std::string_view> pair,
                  const EncodeOptions& options, TokenIds& ids) const;

  /// All tokens, in windows of at most `max_length`. Throws TextError, also if such windows are not
  /// possible (see window_size()).
  TokenWindows encode_windows(std::string_view text, std::optional<std::string_view> pair,
                              const EncodeOptions& options) const;

  /// The same for texts that the normalizer and the splitter make the same of, whatever their
  /// tokens. Throws TextError for bad UTF-8.
  std::uint64_t key_of(std::string_view text, std::optional<std::string_view> pair) const;

  /// The token of an id, or nullopt if the vocabulary has no such id.
  std::optional<std::string> token(TokenId id) const;
  std::optional<TokenId> id(std::string_view token) const;
  /// One more than the largest id that encode() can return.
  std::size_t vocabulary_size() const;
  /// How many of the last ids are of n-grams of characters.
  std::size_t character_ngrams() const;
  /// The number of tokens that are inserted around a single text (or a pair).
  std::size_t special_tokens(bool pair) const;
  /// How many of them follow a single text.
  std::size_t ending_tokens() const;
  /// Whether the token is a special or another added token, which is found before a text is split.
  bool is_added(TokenId id) const;
  /// Whether the id is inserted around a single text or a pair.
  bool inserts(TokenId id) const;
  /// Whether truncation keeps the first tokens of a text, and no token depends on words behind it,
  /// except as part of an added token. False if that is unknown.
  bool reads_forward() const;
  /// Whether tokens after the first of a word have a prefix in the vocabulary, such as ##.
  bool marks_continuations() const;
  /// The id of the unknown token that the tokenizer's files name, if there is one.
  std::optional<TokenId> unknown_id() const;
  /// Whether a text without tokens can be read, as that of a table of vectors: its mean is 0.
  bool may_be_empty() const;
  /// Whether the unknown token is no token of a text.
  bool leaves_out_unknown() const;
  /// The stages of the pipeline, for the user: {{"model", "WordPiece"}, …}.
  std::vector<std::pair<std::string, std::string>> describe() const;

 private:
  std::unique_ptr<Pipeline> pipeline_;
  bool lowercased_first_ = false;
};

}  // namespace headlight
