#include "text/pipeline/text_cutter.h"

#include <bit>

namespace headlight {
namespace {

/// Where normalizing alone leaves both sides as they are in the text, and the splitter cuts.
WordCuts cuts_of(const Normalizer& normalizer, const AddedTokens& added, const Splitter& splitter) {
  const bool in_normalized = !added.in_normalized_text().is_empty();
  const Reach reach = normalizer.reach();
  if (reach > Reach::word || (in_normalized && !normalizer.is_empty())) return {};
  const WordCuts cuts = splitter.cuts();
  return reach == Reach::word && cuts.any() ? WordCuts::at_single_spaces() : cuts;
}

}  // namespace

TextCutter::TextCutter(const Normalizer& normalizer, const AddedTokens& added,
                       const Splitter& splitter)
    : cuts_(cuts_of(normalizer, added, splitter)), added_tokens_(&added) {
  // If rules remove the first character of a text, all offsets move, as in the reference.
  if (normalizer.reach() == Reach::word) first_groups_ = group::kVisible | group::kSpace;
  removes_spaces_ = cuts_.removes_spaces() && splitter.is_single();
  for (unsigned group = 0; group < stops_.size(); ++group) {
    stops_[group] = static_cast<std::uint16_t>(0xFF00U | cuts_.behind(group));
  }
  for (unsigned byte = 0; byte < kinds_.size(); ++byte) {
    const bool may_be_added =
        added.in_raw_text().may_begin(byte) || added.in_normalized_text().may_begin(byte);
    kinds_[byte] =
        static_cast<std::uint8_t>(std::countr_zero(group_of(static_cast<unsigned char>(byte))) |
                                  (may_be_added ? kMayBeAdded : 0));
  }
  if (normalizer.reach() == Reach::character && splitter.is_single()) {
    find_characters(normalizer, splitter);
  }
}

void TextCutter::find_characters(const Normalizer& normalizer, const Splitter& splitter) {
  for (char32_t c = U' ' + 1; c < characters_.size(); ++c) {
    if (!cuts_.joins_in_words(kinds_[c] % kMayBeAdded)) continue;
    SplitText word{NormalizedText({U' ', c}, 1), {{0, 2}}};
    normalizer.apply(word.text);
    if (word.text.size() != 2) continue;
    splitter.apply(word);
    if (word.text.size() != 2) continue;
    if (!removes_spaces_) characters_[U' '] = word.text.characters[0];
    characters_[c] = word.text.characters[1];
  }
}

bool TextCutter::write(std::string_view word, char32_t* out) const {
  for (const char byte : word) {
    const auto c = static_cast<unsigned char>(byte);
    if (!is_ascii(c) || characters_[c] == 0) return false;
    if (c == ' ' && &byte != word.data()) return false;
    *out++ = characters_[c];
  }
  return word != " ";
}

bool TextCutter::may_cut(std::string_view text) const {
  // With the limit in pipeline.cpp, no text grows beyond that of check_growth().
  constexpr std::size_t kLongestText = std::size_t{1} << 26U;
  if (!cuts_.any() || text.size() > kLongestText) return false;
  for (const char byte : text.substr(0, 2)) {
    if ((group_of(static_cast<unsigned char>(byte)) & first_groups_) == 0) return false;
  }
  return first_groups_ == group::kAll || !text.starts_with("  ");
}

std::optional<std::size_t> TextCutter::word_end(std::string_view text, std::size_t begin) const {
  constexpr unsigned kSpace = 0;
  if (may_be_added(text, begin)) return std::nullopt;
  unsigned last = kind(text, begin) % kMayBeAdded;
  unsigned stops = stops_[last];
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    const unsigned next = kind(text, at);
    if ((stops >> next & 1U) != 0) {
      const unsigned group = next % kMayBeAdded;
      const bool is_end = at + 1 == text.size();
      const bool may_cut =
          group != kSpace ||
          (is_end ? removes_spaces_ : cuts_.behind_space(kind(text, at + 1) % kMayBeAdded));
      if (may_cut && cuts_.between(last, group)) return at;
      if (may_be_added(text, at)) return std::nullopt;
    }
    if (next == last) continue;
    last = next % kMayBeAdded;
    stops = stops_[last];
  }
  return text.size();
}

bool TextCutter::begins_added_token(std::string_view text, std::size_t begin) const {
  return added_tokens_->in_raw_text().may_match(text, begin) ||
         added_tokens_->in_normalized_text().may_match(text, begin);
}

}  // namespace headlight
