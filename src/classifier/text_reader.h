// From a text to the encoder's tokens: length limit, special tokens, windows over long texts,
// padding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "classifier/text_classifier.h"
#include "model/model.h"
#include "text/encoding.h"
#include "text/pipeline/truncation.h"
#include "text/windows.h"

namespace headlight {

/// How texts with too many tokens for the model are handled: they are cut, refused, or split into
/// overlapping windows (see text/windows.h) whose logits are averaged.
enum class LongTexts : std::uint8_t { truncate, error, window };
inline constexpr std::array<Word<LongTexts>, 3> kLongTextsWords = {
    {{"truncate", LongTexts::truncate},
     {"error", LongTexts::error},
     {"window", LongTexts::window}}};

struct ReadingOptions {
  bool ids = false;         // all inputs have token ids; no vocabulary is needed
  bool plain_text = false;  // special tokens typed in a text are read as plain text
  std::optional<std::size_t> max_length;
  Truncation truncation = Truncation::longest_first;
  std::optional<LongTexts> long_texts;  // empty: as the model says
  std::optional<std::size_t> stride;  // tokens that two windows share; empty: a quarter of a window
  bool finds_equal = false;           // sets TextSize::key, which takes time
  /// reach_of() cuts words wherever a token ends; else only in scripts without blanks.
  bool tokens_are_words = false;
};

/// The maximum number of tokens that a model can read per text.
std::size_t token_limit(const Model& model, const ReadingOptions& options);
/// The same for a text without a pair, special tokens not counted.
std::size_t token_room(const Model& model, const ReadingOptions& options);
/// Whether texts with too many tokens are read in windows.
bool reads_windows(const Model& model, const ReadingOptions& options);
/// Throws Error if the inputs are texts and the model has no vocabulary.
void require_vocabulary(const Model& model, const ReadingOptions& options);

/// Throws TextError for a pair and for ids.
void require_one_text(const FeatureModel& model, const TextInput& input);

/// The error message for a text with too many tokens.
std::string too_long(std::size_t tokens, std::size_t limit);

/// Whether a model knows too few of its tokens to say what a text or texts mean: half are unknown.
/// `Size` has the fields of TextSize.
template <typename Size>
bool is_unreadable(const Size& size) {
  return size.unknown > 0 && 2 * size.unknown >= size.own;
}
/// Whether it knows next to nothing of them: nine of ten are unknown.
inline bool is_unknown(const TextSize& size) {
  return size.unknown > 0 && 10 * size.unknown >= 9 * size.own;
}
/// "38 % of the tokens are unknown to this model; …"; empty if they are at most a fifth.
std::string note_of_unknown(const TextSize& sum);

/// A text as input for the encoder.
struct ReadText {
  TextSize size;
  std::vector<TokenIds> windows;  // one, or several that overlap
};

/// A text as input for the encoder, with what shows where its tokens are.
struct ReadTokens {
  Encoding encoding;              // all tokens
  TokenWindows layout;            // of `windows`, without its ids if there is one window
  std::vector<TokenIds> windows;  // as in ReadText
};

/// The model must outlive it. Results have at least one token, but for models without layers whose
/// tokenizer may_be_empty(), and only ids that the model has
/// vectors for; otherwise TextError is thrown.
class TextReader {
 public:
  /// Throws Error as require_vocabulary() does.
  TextReader(const Model& model, const ReadingOptions& options);

  ReadText read(const TextInput& input) const;
  /// Throws TextError if the text cannot be read.
  void check(const TextInput& input) const;
  /// The same with the tokens' names and offsets.
  ReadTokens read_tokens(const TextInput& input) const;
  /// With the tokens' names and offsets, for one forward pass.
  Encoding encode(const TextInput& input) const;
  /// Tokens of the whole text, cut only at an explicit max_length; ids are not checked.
  Encoding encode_whole(const TextInput& input) const;
  /// As in TextClassifier.
  TextReaches reach_of(const TextInput& input) const;
  /// The tokens of an unfinished text: without final special tokens, possibly more than limit().
  ReadText read_beginning(const TextInput& input) const;

  /// Of tokens that it read, `own` of them of the text itself; with padding.
  TextSize size_of(const TokenIds& tokens, std::size_t own, std::size_t windows = 1) const;
  TextSize size_of(const Encoding& encoding, std::size_t windows = 1) const;

  std::size_t limit() const { return token_limit(model_, options_); }

  /// The vocabulary's token, or the id itself if there is no vocabulary.
  std::string token_name(TokenId id) const;

 private:
  std::uint64_t key_of(const TextInput& input, const TokenIds& tokens, bool is_whole) const;
  Encoding encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const;
  TokenIds ids_up_to(const TextInput& input, std::optional<std::size_t> limit) const;
  TokenWindows windows_of(const TextInput& input) const;
  EncodeOptions options_up_to(std::optional<std::size_t> limit) const;
  void check_length(const TextInput& input, const TokenIds& tokens) const;
  void check_ids(const TextInput& input, const TokenIds& tokens) const;
  void fill(TokenIds& tokens) const;
  void fill_names(Encoding& encoding) const;
  void add_cuts(const TextInput& input, const Encoding& tokens, TextReaches& reaches) const;

  const Model& model_;
  ReadingOptions options_;
  bool has_windows_;
  bool may_be_empty_ = false;       // a text without tokens has the vector 0
  std::optional<TokenId> unknown_;  // the token that only unknown words give
};

}  // namespace headlight
