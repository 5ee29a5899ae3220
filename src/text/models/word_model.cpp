#include "text/models/word_model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kShownCharacters = 40;

std::string excerpt_of(std::u32string_view word) {
  const bool whole = word.size() <= kShownCharacters;
  return to_utf8(word.substr(0, kShownCharacters)) + (whole ? "" : "…");
}

TokenIndex continuations_of(const Vocabulary& vocabulary, const std::string& prefix) {
  const auto& entries = vocabulary.entries();
  const auto continues = [&](const auto& entry) { return entry.token.starts_with(prefix); };
  TokenIndex index(
      static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), continues)));
  for (const auto& [token, id] : entries) {
    if (!token.starts_with(prefix) || vocabulary.id(token) != id) continue;
    index.insert(std::string_view(token).substr(prefix.size()), id);
  }
  return index;
}

}  // namespace

WordModel::WordModel(Vocabulary vocabulary, std::optional<std::string> unk_token)
    : vocabulary_(std::move(vocabulary)), unk_token_(std::move(unk_token)) {
  if (unk_token_) unk_id_ = vocabulary_.id(*unk_token_);
}

TokenId WordModel::unknown_id(std::u32string_view word) const {
  if (unk_id_) return *unk_id_;
  throw TextError("\"" + excerpt_of(word) + "\" is not in the vocabulary, and neither is \"" +
                  *unk_token_ + "\", the token for unknown words");
}

void WordModel::append_unknown(std::u32string_view word, std::vector<WordToken>& tokens) const {
  if (!unk_token_) return;
  tokens.push_back({unknown_id(word), {0, static_cast<std::uint32_t>(word.size())}});
}

WordPiece::WordPiece(Vocabulary vocabulary, std::optional<std::string> unk_token,
                     const std::string& continuation, std::size_t longest_word)
    : WordModel(std::move(vocabulary), std::move(unk_token)),
      continuations_(continuations_of(this->vocabulary(), continuation)),
      marks_continuations_(!continuation.empty()),
      longest_word_(longest_word) {}

std::size_t WordPiece::longest_searched() const {
  const std::size_t longest = vocabulary().index().longest();
  return longest_word_ < longest / kLongestUtf8 ? longest_word_ * kLongestUtf8 : longest;
}

void WordPiece::tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const {
  if (word.size() > longest_word_) {
    append_unknown(word, tokens);
    return;
  }
  const std::size_t before = tokens.size();
  const Utf8Word bytes(word);
  std::string_view rest = bytes.view();
  const bool is_ascii = rest.size() == word.size();
  std::uint32_t begin = 0;
  while (!rest.empty()) {
    const TokenIndex& index = begin == 0 ? vocabulary().index() : continuations_;
    const auto piece = index.find_longest_prefix(rest);
    if (!piece) {
      tokens.resize(before);
      append_unknown(word, tokens);
      return;
    }
    const std::size_t covered =
        is_ascii ? piece->bytes : count_characters(rest.substr(0, piece->bytes));
    const std::uint32_t end = begin + static_cast<std::uint32_t>(covered);
    tokens.push_back({piece->id, {begin, end}});
    rest.remove_prefix(piece->bytes);
    begin = end;
  }
}

void WordLevel::tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const {
  if (const auto id = vocabulary().id(Utf8Word(word).view())) {
    tokens.push_back({*id, {0, static_cast<std::uint32_t>(word.size())}});
  } else {
    append_unknown(word, tokens);
  }
}

}  // namespace headlight
