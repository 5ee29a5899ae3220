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

void Trie::insert(std::u32string_view token, TokenId id) {
  Node node = kRoot;
  for (const char32_t c : token) {
    if (const auto next = child(node, c)) {
      node = *next;
      continue;
    }
    const auto next = static_cast<Node>(tokens_.size());
    edges_.insert(node, c, next);
    tokens_.emplace_back();
    node = next;
  }
  tokens_[node] = id;
}

Unigram::Unigram(const std::vector<Piece>& pieces, std::optional<TokenId> unk_id,
                 bool byte_fallback)
    : WordModel(vocabulary_of(pieces), text_of(pieces, unk_id)), unk_id_(unk_id) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& [text, score] : pieces) {
    trie_.insert(to_code_points(text), static_cast<TokenId>(scores_.size()));
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
  std::vector<Path> paths(word.size() + 1);
  for (std::uint32_t begin = 0; begin < word.size(); ++begin) {
    const double before = paths[begin].score;
    const auto is_better = [&](const Path& known, double score) {
      return !known.is_reached || score > known.score;
    };
    std::optional<Trie::Node> node = Trie::kRoot;
    bool has_single = false;  // the character itself is a piece
    for (std::uint32_t end = begin; end < word.size();) {
      node = trie_.child(*node, word[end++]);
      if (!node) break;
      const auto id = trie_.token(*node);
      if (!id) continue;
      has_single = has_single || end == begin + 1;
      const double score = scores_[*id] + before;
      if (is_better(paths[end], score)) paths[end] = {score, begin, *id, true};
    }
    const double score = unknown_score_ + before;
    if (!has_single && is_better(paths[begin + 1], score)) {
      paths[begin + 1] = {score, begin, unknown_token(word.substr(begin, 1)), true};
    }
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
