#include "text/pipeline/added_tokens.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

bool stands_alone(std::u32string_view text, Span span) {
  const bool joined_left = span.begin > 0 && is_word_character(text[span.begin - 1]);
  const bool joined_right = span.end < text.size() && is_word_character(text[span.end]);
  return !joined_left && !joined_right;
}

/// The span with the white space that the token takes. The text before `done` belongs to another
/// token; if that token took the white space up to `done`, it is taken again, as in the reference.
Span widened(std::u32string_view text, Span span, const AddedToken& token, std::uint32_t done) {
  if (token.lstrip) {
    while (span.begin > done && is_white_space(text[span.begin - 1])) --span.begin;
    span.begin = std::max(span.begin, done);
  }
  if (token.rstrip) {
    span.end = std::max(span.end, done);
    while (span.end < text.size() && is_white_space(text[span.end])) ++span.end;
  }
  return span;
}

}  // namespace

void LongestMatches::add(std::u32string_view string, std::uint32_t number) {
  std::uint32_t node = 0;
  for (std::size_t i = string.size(); i > 0; --i) {
    const auto character = static_cast<std::uint32_t>(string[i - 1]);
    if (const auto child = edges_.find(node, character)) {
      node = *child;
      continue;
    }
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    edges_.insert(node, character, child);
    nodes_.push_back({node, character, nodes_[node].depth + 1});
    node = child;
  }
  if (nodes_[node].number == kNone) nodes_[node].number = number;
}

void LongestMatches::finish() {
  std::vector<std::uint32_t> by_depth(nodes_.size());
  std::iota(by_depth.begin(), by_depth.end(), 0U);
  std::stable_sort(by_depth.begin(), by_depth.end(), [&](std::uint32_t a, std::uint32_t b) {
    return nodes_[a].depth < nodes_[b].depth;
  });
  for (const std::uint32_t at : by_depth) {
    Node& node = nodes_[at];
    if (node.depth > 1) node.shorter = next(nodes_[node.parent].shorter, node.last);
    if (node.number == kNone) node.number = nodes_[node.shorter].number;
  }
}

std::uint32_t LongestMatches::next(std::uint32_t node, std::uint32_t character) const {
  while (true) {
    if (const auto child = edges_.find(node, character)) return *child;
    if (node == 0) return 0;
    node = nodes_[node].shorter;
  }
}

std::vector<std::uint32_t> LongestMatches::find(std::u32string_view text) const {
  std::vector<std::uint32_t> found(text.size());
  std::uint32_t node = 0;
  for (std::size_t i = text.size(); i > 0; --i) {
    node = next(node, static_cast<std::uint32_t>(text[i - 1]));
    found[i - 1] = nodes_[node].number;
  }
  return found;
}

void AddedTokenMatcher::add(std::u32string_view spelling, const AddedToken& token) {
  if (spelling.empty()) return;
  (is_ascii(spelling[0]) ? begins_[spelling[0]] : begins_beyond_) = true;
  std::size_t node = 0;
  for (const char32_t c : spelling) {
    const auto [next, is_new] = nodes_[node].next.try_emplace(c, nodes_.size());
    node = next->second;
    if (is_new) nodes_.emplace_back();
  }
  if (nodes_[node].token != nullptr) return;
  nodes_[node].token = &token;
  longest_matches_.add(spelling, static_cast<std::uint32_t>(spellings_.size()));
  spellings_.push_back({&token, spelling.size()});
}

void AddedTokenMatcher::finish() { longest_matches_.finish(); }

std::optional<AddedTokenMatcher::Match> AddedTokenMatcher::match_at(std::u32string_view text,
                                                                    std::size_t begin,
                                                                    std::size_t& steps) const {
  std::optional<Match> longest;
  std::size_t node = 0;
  for (std::size_t at = begin; at < text.size(); ++at, ++steps) {
    const auto next = nodes_[node].next.find(text[at]);
    if (next == nodes_[node].next.end()) break;
    node = next->second;
    if (nodes_[node].token != nullptr) longest = Match{nodes_[node].token, at + 1};
  }
  return longest;
}

bool AddedTokenMatcher::may_match(std::string_view text, std::size_t begin) const {
  constexpr std::size_t kFew = 16;
  const std::string_view rest = text.substr(begin, kFew);
  std::size_t node = 0;
  for (const char byte : rest) {
    const auto c = static_cast<unsigned char>(byte);
    if (!is_ascii(c) || nodes_[node].token != nullptr) return true;
    const auto next = nodes_[node].next.find(c);
    if (next == nodes_[node].next.end()) return false;
    node = next->second;
  }
  return rest.size() == kFew || nodes_[node].token != nullptr;
}

/// Follows the trie from each position, which is fast for usual texts. A text of long partial
/// matches would take the product of both lengths; then the automaton reads it once.
class AddedTokenMatcher::Search {
 public:
  Search(const AddedTokenMatcher& matcher, std::u32string_view text)
      : matcher_(matcher), text_(text), most_steps_(kStepsPerCharacter * (text.size() + 1)) {}

  std::optional<Match> match_at(std::size_t begin) {
    if (!longest_.empty()) return longest_at(begin);
    if (!matcher_.may_begin(text_[begin])) return std::nullopt;
    const auto match = matcher_.match_at(text_, begin, steps_);
    if (steps_ > most_steps_) longest_ = matcher_.longest_matches_.find(text_);
    return match;
  }

 private:
  static constexpr std::size_t kStepsPerCharacter = 16;

  std::optional<Match> longest_at(std::size_t begin) const {
    if (longest_[begin] == LongestMatches::kNone) return std::nullopt;
    const Match& spelling = matcher_.spellings_[longest_[begin]];
    return Match{spelling.token, begin + spelling.end};
  }

  const AddedTokenMatcher& matcher_;
  std::u32string_view text_;
  std::size_t most_steps_;
  std::size_t steps_ = 0;
  std::vector<std::uint32_t> longest_;  // of the automaton, once it is used
};

std::vector<TextPart> AddedTokenMatcher::cut(std::u32string_view text, bool plain_text) const {
  std::vector<TextPart> parts;
  const auto size = static_cast<std::uint32_t>(text.size());
  std::uint32_t done = 0;
  Search search(*this, text);
  for (std::uint32_t at = 0; at < size && nodes_.size() > 1;) {
    const auto match = search.match_at(at);
    if (!match) {
      ++at;
      continue;
    }
    const Span found{at, static_cast<std::uint32_t>(match->end)};
    at = found.end;  // a rejected match is skipped as a whole, as in the reference
    if (plain_text && match->token->special) continue;
    if (match->token->single_word && !stands_alone(text, found)) continue;
    const Span span = widened(text, found, *match->token, done);
    if (done < span.begin) parts.push_back({{done, span.begin}, nullptr});
    parts.push_back({span, match->token});
    done = span.end;
  }
  if (done < size) parts.push_back({{done, size}, nullptr});
  return parts;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer& normalizer)
    : tokens_(std::move(tokens)) {
  // If two tokens have the same normalized spelling, special ones come first.
  std::stable_partition(tokens_.begin(), tokens_.end(),
                        [](const AddedToken& token) { return token.special; });
  for (const AddedToken& token : tokens_) {
    NormalizedText spelling(to_code_points(token.content), 0);
    if (token.normalized) normalizer.apply(spelling);
    (token.normalized ? normalized_ : raw_).add(spelling.characters, token);
    by_id_.emplace(token.id, &token);
    by_content_.emplace(token.content, &token);
  }
  raw_.finish();
  normalized_.finish();
}

const AddedToken* AddedTokens::find(TokenId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const AddedToken* AddedTokens::find(std::string_view content) const {
  const auto found = by_content_.find(content);
  return found == by_content_.end() ? nullptr : found->second;
}

std::size_t AddedTokens::id_limit() const {
  return by_id_.empty() ? 0 : std::size_t{by_id_.rbegin()->first} + 1;
}

}  // namespace headlight
