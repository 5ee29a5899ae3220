#include "text/normalizer.h"

#include <algorithm>

#include "text/character_classes.h"
#include "text/decomposition.h"

namespace headlight {
namespace {

constexpr char32_t kCapitalDottedI = 0x0130;
constexpr char32_t kCombiningDot = 0x0307;

}  // namespace

void Normalizer::apply(NormalizedText& text) const {
  for (const auto& step : steps_) step->apply(text);
}

std::string Normalizer::name() const {
  std::string names;
  for (const auto& step : steps_) names += (names.empty() ? "" : ", ") + step->name();
  return names;
}

void add_bert_steps(Normalizer& normalizer, const BertNormalizerSettings& settings) {
  if (settings.clean_text) normalizer.add(std::make_unique<CleanText>());
  if (settings.handle_chinese_chars) normalizer.add(std::make_unique<SpaceChinese>());
  if (settings.strip_accents) normalizer.add(std::make_unique<StripBertAccents>());
  if (settings.lowercase) normalizer.add(std::make_unique<Lowercase>());
}

void CleanText::apply(NormalizedText& text) const {
  remove_characters(text, is_unclean);
  std::replace_if(text.characters.begin(), text.characters.end(), is_white_space, U' ');
}

void SpaceChinese::apply(NormalizedText& text) const {
  const auto& characters = text.characters;
  if (std::none_of(characters.begin(), characters.end(), is_chinese)) return;
  Rewriting spaced(text);
  for (const char32_t c : characters) {
    if (is_chinese(c)) {
      spaced.push(U' ', 0);
      spaced.push(c, 1);
      spaced.push(U' ', 1);
    } else {
      spaced.push(c, 0);
    }
  }
  text = spaced.finish();
}

void Decompose::apply(NormalizedText& text) const { decompose(text); }

void StripBertAccents::apply(NormalizedText& text) const {
  decompose(text);
  remove_characters(text, is_nonspacing_mark);
}

void DropMarks::apply(NormalizedText& text) const { remove_characters(text, is_mark); }

void Lowercase::apply(NormalizedText& text) const {
  const auto dotted = std::count(text.characters.begin(), text.characters.end(), kCapitalDottedI);
  std::transform(text.characters.begin(), text.characters.end(), text.characters.begin(),
                 to_lowercase);
  if (dotted == 0) return;
  Rewriting lower(text);
  for (const char32_t c : text.characters) {
    const bool is_dotted = c == kCapitalDottedI;
    lower.push(is_dotted ? U'i' : c, 0);
    if (is_dotted) lower.push(kCombiningDot, 1);
  }
  text = lower.finish();
}

void StripEnds::apply(NormalizedText& text) const {
  auto end = text.size();
  while (right_ && end > 0 && is_white_space(text.characters[end - 1])) --end;
  text.characters.resize(end);
  text.origins.resize(end);
  std::size_t begin = 0;
  while (left_ && begin < end && is_white_space(text.characters[begin])) ++begin;
  text.characters.erase(0, begin);
  text.origins.erase(text.origins.begin(),
                     text.origins.begin() + static_cast<std::ptrdiff_t>(begin));
}

void RemovePunctuation::apply(NormalizedText& text) const {
  remove_characters(text, is_punctuation);
}

}  // namespace headlight
