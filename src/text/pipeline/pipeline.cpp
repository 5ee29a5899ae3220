#include "text/pipeline/pipeline.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
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

void FoundTokens::add_marked(TokenId id, Span origin, std::u32string_view spelling,
                             WordToken::Spelling marks) {
  using Spelling = WordToken::Spelling;
  if (detail_ == Detail::ids) return add({id, origin, 0});
  const bool begins = marks == Spelling::begin || marks == Spelling::whole;
  const bool ends = marks == Spelling::end || marks == Spelling::whole;
  std::u32string marked(begins ? U"<" : U"");
  marked += spelling;
  if (ends) marked += U'>';
  add_spelled(id, origin, marked);
}

void FoundTokens::clear() {
  tokens_.clear();
  spellings_.clear();
  count_ = 0;
}

void FoundTokens::leave_out(TokenId id) {
  count_ -= std::erase_if(tokens_, [id](const FoundToken& token) { return token.id == id; });
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
  PairLengths lengths{0, 0};  // of the whole texts
  lengths.first = append_up_to(options.max_length, text, plain_text, found.first);
  if (pair) lengths.second = append_up_to(options.max_length, *pair, plain_text, found.second);
  if (options.max_length) {
    const std::size_t special = count_special_tokens(post_processor.parts(pair.has_value()));
    const std::size_t budget = *options.max_length - std::min(*options.max_length, special);
    PairLengths kept = truncate(options.truncation, lengths, budget);
    kept.first = std::min(kept.first, found.first.count());
    kept.second = std::min(kept.second, found.second.count());
    found.truncated = lengths.first + lengths.second - kept.first - kept.second;
    found.first.keep(kept.first);
    found.second.keep(kept.second);
  }
  if (left_out) {
    found.first.leave_out(*left_out);
    found.second.leave_out(*left_out);
  }
  return found;
}

/// Returns the number of tokens of the whole text.
std::size_t Tokenizer::Pipeline::append_up_to(std::optional<std::size_t> max_length,
                                              std::string_view text, bool plain_text,
                                              FoundTokens& found) const {
  const std::size_t read = max_length && characters_a_token > 0
                               ? bytes_of_characters(text, *max_length * characters_a_token)
                               : text.size();
  append_text(text.substr(0, read), plain_text, found);
  if (read == text.size()) return found.count();
  FoundTokens all(0, /*cuts_left=*/false, Detail::ids);
  append_text(text, plain_text, all);
  return all.count();
}

std::uint64_t Tokenizer::Pipeline::key_of(std::string_view text, std::uint64_t before) const {
  SplitText split{NormalizedText(to_code_points(text), 0), {}};
  normalizer.apply(split.text);
  if (split.text.size() == 0) return before;
  split.pieces.push_back({0, static_cast<std::uint32_t>(split.text.size())});
  splitter.apply(split);
  for (const Span piece : split.pieces) {
    const std::u32string_view word = split.text.view(piece);
    const auto* bytes = reinterpret_cast<const char*>(word.data());
    before = short_hash_of({bytes, sizeof(char32_t) * word.size()}, before);
  }
  return before;
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
  found.reserve(text.size());
  if (append_cut(text, 0, found)) return;
  found.clear();
  std::u32string characters = to_code_points(text);
  const auto parts = added_tokens->in_raw_text().cut(characters, plain_text);
  if (parts.size() == 1 && parts.front().token == nullptr) {
    append_normalized(NormalizedText(std::move(characters), 0), plain_text, found);
    return;
  }
  if (characters.size() == text.size() && append_parts(characters, text, parts, found)) return;
  found.clear();
  for (const auto& [span, token] : parts) {
    const auto part = std::u32string_view(characters).substr(span.begin, span.end - span.begin);
    if (token != nullptr) {
      append_added(*token, part, span, found);
    } else {
      append_normalized(NormalizedText(std::u32string(part), span.begin), plain_text, found);
    }
  }
}

/// The parts of a text of ASCII, in which what is no added token is appended by append_cut().
bool Tokenizer::Pipeline::append_parts(std::u32string_view characters, std::string_view text,
                                       std::span<const TextPart> parts, FoundTokens& found) const {
  return std::all_of(parts.begin(), parts.end(), [&](const TextPart& part) {
    const auto [begin, end] = part.span;
    if (part.token == nullptr) return append_cut(text.substr(begin, end - begin), begin, found);
    append_added(*part.token, characters.substr(begin, end - begin), part.span, found);
    return true;
  });
}

/// The same for a text without added tokens that begins at code point `begin`, word by word.
/// Returns false if the text has to be read as a whole; some tokens may have been added then.
bool Tokenizer::Pipeline::append_cut(std::string_view text, std::uint32_t begin,
                                     FoundTokens& found) const {
  if (!cutter.may_cut(text)) return false;
  WordCache& cache = WordCache::of_thread();
  WordPlace place = begin == 0 ? WordPlace::begins_text : WordPlace::begins_rest;
  try {
    for (std::size_t at = 0, words = 0; at < text.size(); ++words) {
      if (cutter.removes_spaces()) {
        place = WordPlace::within;
        for (; at < text.size() && text[at] == ' '; ++at, ++begin) {
          if (cutter.may_be_added(text, at)) return false;
        }
        if (at == text.size()) break;
      }
      if (words % kPiecesBetweenStops == 0) check_stopped();
      const auto end = cutter.word_end(text, at);
      if (!end || !append_word(text.substr(at, *end - at), place, begin, cache, found))
        return false;
      place = WordPlace::within;
      at = *end;
    }
  } catch (const TextError&) {
    return false;  // the message names the place in the whole text
  }
  return true;
}

/// `begin` is the code point of the text at which the word begins, and becomes that of the next.
bool Tokenizer::Pipeline::append_word(std::string_view word, WordPlace place, std::uint32_t& begin,
                                      WordCache& cache, FoundTokens& found) const {
  if (word.size() > WordKey::kLongest) return append_alone(word, begin, found);
  const WordKey key(number, word, place);
  if (const KnownWord* known = cache.find(key)) {
    for (std::size_t i = 0; i < known->count; ++i) {
      found.add(known->ids[i], {begin + known->begins[i], begin + known->ends[i]});
    }
    begin += known->characters;
    return true;
  }
  std::vector<WordToken>& tokens = cache.tokens;
  tokens.clear();
  std::uint32_t end = begin;
  std::array<char32_t, WordKey::kLongest> characters;
  if (place == WordPlace::within && cutter.write(word, characters.data())) {
    model->tokenize({characters.data(), word.size()}, tokens);
    end += static_cast<std::uint32_t>(word.size());
  } else {
    FoundTokens alone(SIZE_MAX, /*cuts_left=*/false, Detail::spellings);
    alone.reserve(word.size());
    if (!append_alone(word, end, alone)) return false;
    for (const auto& [id, origin, spelling] : alone.tokens()) {
      const auto kind = spelling == 0 ? WordToken::Spelling::token : WordToken::Spelling::word;
      tokens.push_back({id, {origin.begin - begin, origin.end - begin}, kind});
    }
  }
  const auto is_spelled = [](const WordToken& token) {
    return token.spelling == WordToken::Spelling::word;
  };
  if (std::any_of(tokens.begin(), tokens.end(), is_spelled)) {
    return append_alone(word, begin, found);
  }
  cache.learn(key, tokens, end - begin);
  for (const WordToken& token : tokens) {
    found.add(token.id, {begin + token.span.begin, begin + token.span.end});
  }
  begin = end;
  return true;
}

bool Tokenizer::Pipeline::append_alone(std::string_view word, std::uint32_t& begin,
                                       FoundTokens& found) const {
  constexpr std::size_t kMostGrowth = 4;
  NormalizedText text(to_code_points(word), begin);
  const std::size_t characters = text.size();
  normalizer.apply(text);
  if (text.size() > kMostGrowth * characters) return false;
  if (text.size() > 0) append_words(std::move(text), found);
  begin += static_cast<std::uint32_t>(characters);
  return true;
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
  std::vector<WordToken> word;
  std::size_t pieces = 0;
  for (const Span piece : split.pieces) {
    if (pieces++ % kPiecesBetweenStops == 0) check_stopped();
    word.clear();
    model->tokenize(split.text.view(piece), word);
    for (const auto& [id, span, spelled] : word) {
      const Span in_text{piece.begin + span.begin, piece.begin + span.end};
      const Span origin = to_span(split.text.offset(in_text));
      if (spelled != WordToken::Spelling::token) {
        found.add_marked(id, origin, split.text.view(in_text), spelled);
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
