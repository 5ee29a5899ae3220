// Text to ids, as the reference tokenizer does it to the code point. START HERE in this room:
// encode() is the whole order of work (added tokens → normalizer → splitter → model → truncation →
// special tokens), and encode_ids() the same for those who read no more than ids.
#pragma once

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
  /// Of encode_windows; nothing: a quarter of what fits.
  std::optional<std::size_t> stride = std::nullopt;
};

/// Thread-safe once made.
class Tokenizer {
 public:
  struct Pipeline;
  /// The readers in text/files make it.
  explicit Tokenizer(std::unique_ptr<const Pipeline> pipeline);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// Tokens of `text`, or of the pair (`text`, `*pair`). Throws TextError: bad UTF-8, or a word
  /// that needs an unknown token the vocabulary does not have.
  Encoding encode(std::string_view text, std::optional<std::string_view> pair,
                  const EncodeOptions& options) const;

  /// The same without what only people read; makes `ids` anew, and uses its memory again.
  void encode_ids(std::string_view text, std::optional<std::string_view> pair,
                  const EncodeOptions& options, TokenIds& ids) const;

  /// All tokens, as windows of at most `max_length`. Throws TextError, also where there are no such
  /// windows (see window_size).
  TokenWindows encode_windows(std::string_view text, std::optional<std::string_view> pair,
                              const EncodeOptions& options) const;

  /// The token of an id, or nothing where the vocabulary has none there.
  std::optional<std::string> token(TokenId id) const;
  std::optional<TokenId> id(std::string_view token) const;
  /// One more than the largest id that encode() can give.
  std::size_t vocabulary_size() const;
  /// Tokens that are put around a single text (or a pair).
  std::size_t special_tokens(bool pair) const;
  /// Those of them that end a single text.
  std::size_t ending_tokens() const;
  /// What the pipeline is, stage by stage, for people: {{"model", "WordPiece"}, …}.
  std::vector<std::pair<std::string, std::string>> describe() const;

 private:
  std::unique_ptr<const Pipeline> pipeline_;
};

}  // namespace headlight
