#include "text/pipeline/post_processor.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/splitters/byte_level.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

void add_special(Template& parts, const std::optional<SpecialToken>& token, TokenId type_id) {
  if (token) parts.push_back({Sequence::none, type_id, {token->token}, {token->id}});
}

void add_text(Template& parts, Sequence sequence, TokenId type_id) {
  parts.push_back({sequence, type_id, {}, {}});
}

bool is_blank(char32_t c) { return c == byte_character(' ') || is_white_space(c); }

template <typename Iterator>
std::size_t count_blanks(Iterator begin, Iterator end) {
  return static_cast<std::size_t>(std::find_if_not(begin, end, is_blank) - begin);
}

}  // namespace

std::size_t count_special_tokens(const Template& parts) {
  std::size_t count = 0;
  for (const TemplatePart& part : parts) count += part.ids.size();
  return count;
}

std::string to_string(const Template& parts) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  for (const TemplatePart& part : parts) {
    if (part.sequence != Sequence::none) add(part.sequence == Sequence::first ? "A" : "B");
    for (const std::string& token : part.tokens) add(token);
  }
  return text;
}

std::optional<TokenId> PostProcessor::largest_id() const {
  std::optional<TokenId> largest;
  for (const Template* parts : {&single, &pair}) {
    for (const TemplatePart& part : *parts) {
      for (const TokenId id : part.ids) largest = std::max(largest.value_or(0), id);
    }
  }
  return largest;
}

void PostProcessor::forget_segments() {
  for (Template* parts : {&single, &pair}) {
    for (TemplatePart& part : *parts) part.type_id = 0;
  }
}

void trim_offset(const OffsetTrim& trim, std::string_view token, bool is_first, Offset& offset) {
  const std::u32string characters = to_code_points(token);
  std::size_t leading = count_blanks(characters.begin(), characters.end());
  const std::size_t trailing = count_blanks(characters.rbegin(), characters.rend());
  // One space before a text counts as the inserted one, which covers nothing.
  const bool at_begin = is_first || offset.begin == 0;
  if (at_begin && trim.has_prefix_space && leading == 1) leading = 0;
  offset.begin = std::min(offset.begin + leading, offset.end);
  if (offset.end >= trailing) offset.end = std::max(offset.end - trailing, offset.begin);
}

PostProcessor plain_post_processor() { return bert_post_processor(std::nullopt, std::nullopt); }

PostProcessor bert_post_processor(const std::optional<SpecialToken>& cls,
                                  const std::optional<SpecialToken>& sep) {
  PostProcessor processor;
  for (Template* parts : {&processor.single, &processor.pair}) {
    add_special(*parts, cls, 0);
    add_text(*parts, Sequence::first, 0);
    add_special(*parts, sep, 0);
  }
  add_text(processor.pair, Sequence::second, 1);
  add_special(processor.pair, sep, 1);
  return processor;
}

PostProcessor roberta_post_processor(const SpecialToken& cls, const SpecialToken& sep) {
  PostProcessor processor = bert_post_processor(cls, std::nullopt);
  add_special(processor.single, sep, 0);
  processor.pair = processor.single;
  add_special(processor.pair, sep, 0);
  add_text(processor.pair, Sequence::second, 0);
  add_special(processor.pair, sep, 0);
  return processor;
}

}  // namespace headlight
