#include "text/pipeline.h"

#include <utility>

#include "base/utf8.h"

namespace headlight {
namespace {

Span to_span(Offset offset) {
  return {static_cast<std::uint32_t>(offset.begin), static_cast<std::uint32_t>(offset.end)};
}

}  // namespace

std::uint32_t FoundTokens::add_spelling(std::string spelling) {
  if (spellings.back() != spelling) spellings.push_back(std::move(spelling));
  return static_cast<std::uint32_t>(spellings.size() - 1);
}

FoundTokens Tokenizer::Pipeline::find_tokens(std::string_view text, bool plain_text) const {
  FoundTokens found;
  const std::u32string characters = to_code_points(text);
  const std::u32string_view all = characters;
  for (const auto& [span, token] : added_tokens->in_raw_text().cut(all, plain_text)) {
    const auto part = all.substr(span.begin, span.end - span.begin);
    if (token != nullptr) {
      append_added(*token, part, span, found);
    } else {
      append_normalized(NormalizedText(part, span.begin), plain_text, found);
    }
  }
  return found;
}

void Tokenizer::Pipeline::append_added(const AddedToken& token, std::u32string_view text,
                                       Span origin, FoundTokens& found) const {
  const std::string* known = model->vocabulary().token(token.id);
  std::uint32_t spelling = 0;
  if (std::string as_found = to_utf8(text); known == nullptr || as_found != *known) {
    spelling = found.add_spelling(std::move(as_found));
  }
  found.tokens.push_back({token.id, origin, spelling});
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
  for (const Span piece : split.pieces) {
    word.clear();
    model->tokenize(split.text.view(piece), word);
    for (const auto& [id, span, spelled] : word) {
      const Span in_text{piece.begin + span.begin, piece.begin + span.end};
      const bool as_word = spelled == WordToken::Spelling::word;
      const auto spelling = as_word ? found.add_spelling(to_utf8(split.text.view(in_text))) : 0;
      found.tokens.push_back({id, to_span(split.text.offset(in_text)), spelling});
    }
  }
}

void Tokenizer::Pipeline::append_text(const FoundTokens& found, const TemplatePart& part,
                                      Encoding& encoding) const {
  const std::size_t first = encoding.size();
  for (const auto& [id, origin, spelling] : found.tokens) {
    encoding.tokens.push_back(spelling == 0 ? *model->vocabulary().token(id)
                                            : found.spellings[spelling]);
    encoding.ids.push_back(id);
    encoding.type_ids.push_back(part.type_id);
    encoding.offsets.push_back({origin.begin, origin.end});
    encoding.sequences.push_back(part.sequence);
    const bool is_first = encoding.size() == first + 1;
    for (const OffsetTrim& trim : post_processor.trims) {
      trim_offset(trim, encoding.tokens.back(), is_first, encoding.offsets.back());
    }
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
