// From a text to the tokens that the encoder reads: the model's limit, special tokens, windows over
// long texts, fillers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"
#include "model/model.h"
#include "text/encoding.h"
#include "text/pipeline/truncation.h"
#include "text/windows.h"

namespace headlight {

/// What happens to texts of more tokens than the model takes: they are cut, refused, or read
/// through overlapping windows (see text/windows.h) whose logits are averaged.
enum class LongTexts : std::uint8_t { truncate, error, window };

struct ReadingOptions {
  bool ids = false;         // all inputs have token ids, so that no vocabulary is needed
  bool plain_text = false;  // special tokens typed in a text are text
  std::optional<std::size_t> max_length;
  Truncation truncation = Truncation::longest_first;
  LongTexts long_texts = LongTexts::truncate;
  std::optional<std::size_t> stride;  // tokens that two windows share; empty: a quarter
};

/// The most tokens that a model can read of a text.
std::size_t token_limit(const Model& model, const ReadingOptions& options);
/// Tokens of a text alone that a model can read at once, special ones not counted.
std::size_t token_room(const Model& model, const ReadingOptions& options);
/// Throws Error if texts are to be read and the model has no vocabulary.
void require_vocabulary(const Model& model, const ReadingOptions& options);

/// The error of a text of more tokens than can be read.
std::string too_long(std::size_t tokens, std::size_t limit);

/// How much of a text is read.
struct TextSize {
  std::size_t tokens = 0;     // special ones and fillers included
  std::size_t truncated = 0;  // tokens cut
  std::size_t windows = 1;
};

/// A text as the encoder reads it.
struct ReadText {
  TextSize size;
  std::vector<TokenIds> windows;  // one, or several that overlap
};

/// The model must outlive it. What it returns has at least one token, and only ids that the model
/// has vectors for; else it throws TextError.
class TextReader {
 public:
  /// Throws Error as require_vocabulary() does.
  TextReader(const Model& model, ReadingOptions options);

  ReadText read(const TextInput& input) const;
  /// With the tokens' names and places, for one pass of the model.
  Encoding encode(const TextInput& input) const;
  /// Tokens of the whole text, cut only at an explicit max_length; ids are not checked.
  Encoding encode_whole(const TextInput& input) const;
  /// Tokens of a text that goes on: without those that end it, and also more than limit().
  TokenIds read_beginning(const TextInput& input) const;

  std::size_t limit() const { return token_limit(model_, options_); }

 private:
  Encoding encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const;
  TokenIds ids_up_to(const TextInput& input, std::optional<std::size_t> limit) const;
  TokenWindows windows_of(const TextInput& input) const;
  EncodeOptions options_up_to(std::optional<std::size_t> limit) const;
  void check_length(const TextInput& input, const TokenIds& tokens) const;
  void check_ids(const TextInput& input, const TokenIds& tokens) const;
  void fill(TokenIds& tokens) const;
  void fill_names(Encoding& encoding) const;
  std::string token_name(TokenId id) const;

  const Model& model_;
  ReadingOptions options_;
};

}  // namespace headlight
