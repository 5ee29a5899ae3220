// The interface of a word model: one piece of the splitter → ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"
#include "text/normalizers/normalized_text.h"

namespace headlight {

/// A token of a word and the characters of the word that it covers.
struct WordToken {
  /// That of the vocabulary, or of the word, with < or > where it begins or ends.
  enum class Spelling : std::uint8_t { token, word, begin, end, whole };

  TokenId id;
  Span span;
  Spelling spelling = Spelling::token;
};

/// Of an n-gram of characters.
constexpr WordToken::Spelling marked_spelling(bool begins, bool ends) {
  using Spelling = WordToken::Spelling;
  if (begins) return ends ? Spelling::whole : Spelling::begin;
  return ends ? Spelling::end : Spelling::word;
}

class WordModel {
 public:
  /// Without `unk_token`, unknown words are omitted.
  WordModel(Vocabulary vocabulary, std::optional<std::string> unk_token);
  WordModel(const WordModel&) = delete;
  WordModel& operator=(const WordModel&) = delete;
  virtual ~WordModel() = default;

  /// Appends the tokens of `word`, which must not be empty. Throws TextError if the word needs an
  /// unknown token and the vocabulary does not have it.
  virtual void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const = 0;
  virtual std::string name() const = 0;
  /// The length in bytes of the longest token that may be compared with the text at each position.
  virtual std::size_t longest_searched() const { return 0; }
  /// Whether tokens after the first of a word have a prefix in the vocabulary, such as ##.
  virtual bool marks_continuations() const { return false; }

  /// The number of tokens as the reference counts them: ids of added tokens begin here.
  virtual std::size_t size() const { return vocabulary_.index().size(); }

  /// How many ids behind those of the vocabulary are of n-grams of characters.
  virtual std::size_t ngrams() const { return 0; }

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const std::optional<std::string>& unk_token() const { return unk_token_; }

 protected:
  /// The id of the unknown token, for some part of `word`. Requires unk_token(). Throws TextError
  /// if the vocabulary does not have it.
  TokenId unknown_id(std::u32string_view word) const;

  /// Appends the unknown token for the whole word.
  void append_unknown(std::u32string_view word, std::vector<WordToken>& tokens) const;

 private:
  Vocabulary vocabulary_;
  std::optional<std::string> unk_token_;
  std::optional<TokenId> unk_id_;
};

/// Greedy longest match from the left. If no piece matches somewhere, the whole word is unknown.
/// (Schuster and Nakajima 2012; google-research/bert, tokenization.py)
///
///     "unaffable" → un, ##aff, ##able
class WordPiece : public WordModel {
 public:
  /// Pieces after the first have the prefix `continuation`. A word of more than `longest_word`
  /// characters is unknown.
  WordPiece(Vocabulary vocabulary, std::optional<std::string> unk_token,
            const std::string& continuation = "##", std::size_t longest_word = 100);

  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "WordPiece"; }
  std::size_t longest_searched() const override;
  bool marks_continuations() const override { return marks_continuations_; }

 private:
  TokenIndex continuations_;  // the tokens that have the prefix, without it
  bool marks_continuations_;
  std::size_t longest_word_;
};

/// A word is a single token, or unknown.
class WordLevel : public WordModel {
 public:
  using WordModel::WordModel;

  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "WordLevel"; }
};

}  // namespace headlight
