// What a model of words does: one piece of the splitter in, ids out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"
#include "text/normalizers/normalized_text.h"

namespace headlight {

/// A token of a word and the characters of the word it covers.
struct WordToken {
  enum class Spelling { token, word };

  TokenId id;
  Span span;
  Spelling spelling = Spelling::token;  // as the vocabulary has it, or as the word does
};

class WordModel {
 public:
  /// Nothing for `unk_token`: unknown words are left out.
  WordModel(Vocabulary vocabulary, std::optional<std::string> unk_token);
  WordModel(const WordModel&) = delete;
  WordModel& operator=(const WordModel&) = delete;
  virtual ~WordModel() = default;

  /// Appends the tokens of `word`, which is not empty. Throws TextError where the word needs an
  /// unknown token that the vocabulary lacks.
  virtual void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const = 0;
  virtual std::string name() const = 0;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const std::optional<std::string>& unk_token() const { return unk_token_; }

 protected:
  /// The unknown token, for some part of `word`. There must be an unk_token(); throws TextError
  /// where the vocabulary lacks it.
  TokenId unknown_id(std::u32string_view word) const;

  /// The unknown token over the whole word.
  void append_unknown(std::u32string_view word, std::vector<WordToken>& tokens) const;

 private:
  Vocabulary vocabulary_;
  std::optional<std::string> unk_token_;
  std::optional<TokenId> unk_id_;
};

/// Greedy longest match from the left; a word that has no such pieces is unknown as a whole.
/// (Schuster and Nakajima 2012; google-research/bert, tokenization.py)
///
///     "unaffable" → un, ##aff, ##able
class WordPiece : public WordModel {
 public:
  /// Pieces after the first carry `continuation`. A word of more than `longest_word` characters is
  /// unknown.
  WordPiece(Vocabulary vocabulary, std::optional<std::string> unk_token,
            const std::string& continuation = "##", std::size_t longest_word = 100);

  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "WordPiece"; }

 private:
  TokenIndex continuations_;  // the tokens that carry the prefix, without it
  std::size_t longest_word_;
};

/// A word is one token, or unknown.
class WordLevel : public WordModel {
 public:
  using WordModel::WordModel;

  void tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const override;
  std::string name() const override { return "WordLevel"; }
};

}  // namespace headlight
