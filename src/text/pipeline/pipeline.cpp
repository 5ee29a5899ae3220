#include "text/pipeline/pipeline.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/utf8.h"

namespace headlight {
namespace {

// About a millisecond of work.
constexpr std::size_t kPiecesBetweenStops = 4096;

Span to_span(Offset offset) {
  return {static_cast<std::uint32_t>(offset.begin), static_cast<std::uint32_t>(offset.end)};
}

}  // namespace

void FoundTokens::reserve(std::size_t characters) {
  constexpr std::size_t kCharactersAToken = 4;
  tokens_.reserve(tokens_.size() + std::min(most_, characters / kCharactersAToken + 1));
}

void FoundTokens::add_spelled(TokenId id, Span origin, std::u32string_view spelling) {
  const bool is_held = cuts_left_ || tokens_.size() < most_;
  if (detail_ == Detail::ids || !is_held) {
    add({id, origin, 0});
    return;
  }
  if (std::string utf8 = to_utf8(spelling); spellings_.empty() || spellings_.back() != utf8) {
    spellings_.push_back(std::move(utf8));
  }
  add({id, origin, static_cast<std::uint32_t>(spellings_.size())});
}

void FoundTokens::keep(std::size_t count) {
  if (count >= tokens_.size()) return;
  if (cuts_left_) {
    keep_last(count);
  } else {
    tokens_.resize(count);
  }
}

void FoundTokens::keep_last(std::size_t count) {
  tokens_.erase(tokens_.begin(), tokens_.end() - static_cast<std::ptrdiff_t>(count));
}

FoundPair Tokenizer::Pipeline::find_tokens(std::string_view text,
                                           std::optional<std::string_view> pair,
                                           const EncodeOptions& options, Detail detail) const {
  const bool plain_text = options.plain_text || split_special_tokens;
  // No text keeps more than this, whatever the length of the other.
  const FoundTokens none(options.max_length.value_or(SIZE_MAX), cuts_left, detail);
  FoundPair found{none, none};
  append_text(text, plain_text, found.first);
  if (pair) append_text(*pair, plain_text, found.second);
  if (!options.max_length) return found;
  const std::size_t special = count_special_tokens(post_processor.parts(pair.has_value()));
  const std::size_t budget = *options.max_length - std::min(*options.max_length, special);
  const PairLengths lengths{found.first.count(), found.second.count()};
  const PairLengths kept = truncate(options.truncation, lengths, budget);
  found.truncated = lengths.first + lengths.second - kept.first - kept.second;
  found.first.keep(kept.first);
  found.second.keep(kept.second);
  return found;
}

void Tokenizer::Pipeline::check_token_lengths(const std::string& where) const {
  constexpr std::size_t kMost = 512;
  const std::size_t longest = model->longest_searched();
  if (longest <= kMost) return;
  throw Error(where, "the " + model->name() + " vocabulary has a token of " +
                         std::to_string(longest) + " bytes, expected at most " +
                         std::to_string(kMost));
}

void Tokenizer::Pipeline::append_text(std::string_view text, bool plain_text,
                                      FoundTokens& found) const {
  std::u32string characters = to_code_points(text);
  const std::u32string_view all = characters;
  const auto parts = added_tokens->in_raw_text().cut(all, plain_text);
  if (parts.size() == 1 && parts.front().token == nullptr) {
    append_normalized(NormalizedText(std::move(characters), 0), plain_text, found);
    return;
  }
  for (const auto& [span, token] : parts) {
    const auto part = all.substr(span.begin, span.end - span.begin);
    if (token != nullptr) {
      append_added(*token, part, span, found);
    } else {
      append_normalized(NormalizedText(std::u32string(part), span.begin), plain_text, found);
    }
  }
}

void Tokenizer::Pipeline::append_added(const AddedToken& token, std::u32string_view text,
                                       Span origin, FoundTokens& found) const {
  const std::string* known = model->vocabulary().token(token.id);
  if (known != nullptr && Utf8Word(text).view() == *known) {
    found.add(token.id, origin);
  } else {
    found.add_spelled(token.id, origin, text);
  }
}

void Tokenizer::Pipeline::append_normalized(NormalizedText text, bool plain_text,
                                            FoundTokens& found) const {
  normalizer.apply(text);
  const auto parts = added_tokens->in_normalized_text().cut(text.characters, plain_text);
  if (parts.size() == 1 && parts.front().token == nullptr) {
    append_words(std::move(text), found);
    return;
  }
  for (const auto& [span, token] : parts) {
    if (token != nullptr) {
      append_added(*token, text.view(span), to_span(text.offset(span)), found);
    } else {
      append_words(text.part(span), found);
    }
  }
}

void Tokenizer::Pipeline::append_words(NormalizedText text, FoundTokens& found) const {
  SplitText split{std::move(text), {}};
  split.pieces.push_back({0, static_cast<std::uint32_t>(split.text.size())});
  splitter.apply(split);
  found.reserve(split.text.size());
  std::vector<WordToken> word;
  std::size_t pieces = 0;
  for (const Span piece : split.pieces) {
    if (pieces++ % kPiecesBetweenStops == 0) check_stopped();
    word.clear();
    model->tokenize(split.text.view(piece), word);
    for (const auto& [id, span, spelled] : word) {
      const Span in_text{piece.begin + span.begin, piece.begin + span.end};
      const Span origin = to_span(split.text.offset(in_text));
      if (spelled == WordToken::Spelling::word) {
        found.add_spelled(id, origin, split.text.view(in_text));
      } else {
        found.add(id, origin);
      }
    }
  }
}

void Tokenizer::Pipeline::append_shown(const FoundTokens& found, Sequence sequence,
                                       Encoding& encoding) const {
  bool is_first = true;
  for (const FoundToken& token : found.tokens()) {
    const std::string* spelling = found.spelling(token);
    encoding.tokens.push_back(spelling == nullptr ? *model->vocabulary().token(token.id)
                                                  : *spelling);
    encoding.offsets.push_back({token.origin.begin, token.origin.end});
    encoding.sequences.push_back(sequence);
    for (const OffsetTrim& trim : post_processor.trims) {
      trim_offset(trim, encoding.tokens.back(), is_first, encoding.offsets.back());
    }
    is_first = false;
  }
}

const std::string* Tokenizer::Pipeline::token(TokenId id) const {
  const AddedToken* added = added_tokens->find(id);
  return added != nullptr ? &added->content : model->vocabulary().token(id);
}

std::optional<TokenId> Tokenizer::Pipeline::id(std::string_view token) const {
  const AddedToken* added = added_tokens->find(token);
  return added != nullptr ? added->id : model->vocabulary().id(token);
}

}  // namespace headlight
