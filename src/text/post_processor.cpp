#include "text/post_processor.h"

#include <algorithm>

namespace headlight {
namespace {

void add_special(Template& parts, const std::optional<SpecialToken>& token, TokenId type_id) {
  if (token) parts.push_back({Sequence::none, type_id, {token->token}, {token->id}});
}

void add_text(Template& parts, Sequence sequence, TokenId type_id) {
  parts.push_back({sequence, type_id, {}, {}});
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

}  // namespace headlight
