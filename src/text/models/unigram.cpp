#include "text/models/unigram.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// How far the score of an unknown character is below that of the worst piece.
constexpr double kUnknownPenalty = 10;

Vocabulary vocabulary_of(const std::vector<Unigram::Piece>& pieces) {
  std::vector<std::string> tokens;
  tokens.reserve(pieces.size());
  for (const Unigram::Piece& piece : pieces) tokens.push_back(piece.text);
  return Vocabulary(std::move(tokens));
}

std::optional<std::string> text_of(const std::vector<Unigram::Piece>& pieces,
                                   std::optional<TokenId> id) {
  return id ? std::optional(pieces[*id].text) : std::nullopt;
}

}  // namespace

Unigram::Unigram(const std::vector<Piece>& pieces, std::optional<TokenId> unk_id,
                 bool byte_fallback)
    : WordModel(vocabulary_of(pieces), text_of(pieces, unk_id)),
      trie_(vocabulary()),
      unk_id_(unk_id) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& [text, score] : pieces) {
    scores_.push_back(score);
    lowest = std::min(lowest, score);
  }
  unknown_score_ = lowest - kUnknownPenalty;
  if (byte_fallback) bytes_.emplace(vocabulary());
}

void Unigram::tokenize(std::u32string_view word, std::vector<WordToken>& tokens) const {
  const std::vector<Path> paths = best_paths(word);
  std::vector<WordToken> parts;  // adjacent unknown parts are joined
  for (auto end = static_cast<std::uint32_t>(word.size()); end > 0;) {
    const Path& path = paths[end];
    if (path.id == unk_id_ && !parts.empty() && parts.back().id == unk_id_) {
      parts.back().span.begin = path.begin;
    } else {
      parts.push_back({path.id, {path.begin, end}});
    }
    end = path.begin;
  }
  std::reverse(parts.begin(), parts.end());
  for (const WordToken& part : parts) {
    if (part.id == unk_id_) {
      append_unknown_part(word, part.span, tokens);
    } else {
      tokens.push_back(part);
    }
  }
}

/// One element per position between characters. Of equal paths, the first is kept: the one whose
/// last token begins further left.
std::vector<Unigram::Path> Unigram::best_paths(std::u32string_view word) const {
  const Utf8Word utf8(word);
  const std::string_view bytes = utf8.view();
  std::vector<Path> paths(word.size() + 1);
  std::size_t first = 0;  // byte of the character at `begin`
  for (std::uint32_t begin = 0; begin < word.size(); ++begin) {
    const double before = paths[begin].score;
    const auto is_better = [&](const Path& known, double score) {
      return known.begin == kNone || score > known.score;
    };
    std::optional<TokenTrie::Node> node = TokenTrie::kRoot;
    bool has_single = false;  // the character itself is a piece
    std::uint32_t end = begin;
    for (std::size_t at = first; at < bytes.size(); ++at) {
      node = trie_.child(*node, bytes[at]);
      if (!node) break;
      if (!continues_character(bytes[at])) ++end;
      const auto id = trie_.token(*node);
      if (!id) continue;
      has_single = has_single || end == begin + 1;
      const double score = scores_[*id] + before;
      if (is_better(paths[end], score)) paths[end] = {score, begin, *id};
    }
    const double score = unknown_score_ + before;
    if (!has_single && is_better(paths[begin + 1], score)) {
      paths[begin + 1] = {score, begin, unknown_token(word.substr(begin, 1))};
    }
    ++first;
    while (first < bytes.size() && continues_character(bytes[first])) ++first;
  }
  return paths;
}

TokenId Unigram::unknown_token(std::u32string_view character) const {
  if (unk_id_) return *unk_id_;
  throw TextError("\"" + to_utf8(character) + "\" is not in the vocabulary, and there is no " +
                  "token for unknown characters");
}

/// Several unknown characters together may be a piece, or spell the unknown token.
void Unigram::append_unknown_part(std::u32string_view word, Span span,
                                  std::vector<WordToken>& tokens) const {
  const std::string text = to_utf8(word.substr(span.begin, span.end - span.begin));
  if (const auto id = vocabulary().id(text)) {
    tokens.push_back({*id, span});
    return;
  }
  const auto bytes = bytes_ ? bytes_->find(text) : std::nullopt;
  if (!bytes) {
    tokens.push_back({*unk_id_, span, WordToken::Spelling::word});
    return;
  }
  for (const TokenId id : *bytes) tokens.push_back({id, span});
}

}  // namespace headlight
