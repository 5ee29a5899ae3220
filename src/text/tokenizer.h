// Text to ids, as the reference tokenizer does it to the code point. START HERE in this room:
// encode() is the whole order of work (added tokens → normalizer → splitter → model → truncation →
// special tokens), and encode_ids() the same for those who read no more than ids.
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

struct EncodeOptions {
  std::optional<std::size_t> max_length;  // tokens, special ones included
  bool plain_text = false;                // special tokens typed in a text are text
  Truncation truncation = Truncation::longest_first;
  /// Of encode_windows; nothing: a quarter of what fits.
  std::optional<std::size_t> stride = std::nullopt;
};

struct TokenizerPlan;

/// Thread-safe once made.
class Tokenizer {
 public:
  /// A native tokenizer over `vocabulary` (its index is the id; a repeated token keeps its last
  /// id). Throws Error{where, …} where a special token that is to be put in is not a word.
  static Tokenizer from_settings(const TokenizerSettings& settings,
                                 std::vector<std::string> vocabulary, const std::string& where);
  /// A tokenizer.json. Throws Error naming the component that is not supported, or what is broken.
  static Tokenizer from_file(const std::string& path);
  /// What both a tokenizer.json and the files of a published folder come down to. Throws Error.
  static Tokenizer from_plan(TokenizerPlan plan);

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
  struct Pipeline;
  explicit Tokenizer(std::unique_ptr<Pipeline> pipeline);
  std::unique_ptr<const Pipeline> pipeline_;
};

/// The words of a vocab.txt, one a line: white space at a line's end is not part of the token,
/// blank lines count. Throws Error where the file cannot be read, is not UTF-8 or has no words.
std::vector<std::string> read_vocabulary(const std::string& path);

}  // namespace headlight
