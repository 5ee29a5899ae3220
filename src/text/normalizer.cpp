#include "text/normalizer.h"

#include <algorithm>
#include <utility>

#include "text/character_classes.h"
#include "text/decomposition.h"

namespace headlight {
namespace {

constexpr char32_t kCapitalDottedI = 0x0130;
constexpr char32_t kCombiningDot = 0x0307;

/// An empty text that will not grow piecemeal.
NormalizedText with_room(std::size_t size) {
  NormalizedText text;
  text.characters.reserve(size);
  text.origins.reserve(size);
  return text;
}

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
  const auto found = std::count_if(text.characters.begin(), text.characters.end(), is_chinese);
  if (found == 0) return;
  NormalizedText spaced = with_room(text.size() + 2 * static_cast<std::size_t>(found));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text.characters[i];
    const bool alone = is_chinese(c);
    if (alone) spaced.push_back(U' ', text.origins[i]);
    spaced.push_back(c, text.origins[i]);
    if (alone) spaced.push_back(U' ', text.origins[i]);
  }
  text = std::move(spaced);
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
  NormalizedText lower = with_room(text.size() + static_cast<std::size_t>(dotted));
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_dotted = text.characters[i] == kCapitalDottedI;
    lower.push_back(is_dotted ? U'i' : text.characters[i], text.origins[i]);
    if (is_dotted) lower.push_back(kCombiningDot, text.origins[i]);
  }
  text = std::move(lower);
}

void StripEnds::apply(NormalizedText& text) const {
  Span kept{0, static_cast<std::uint32_t>(text.size())};
  while (left_ && kept.begin < kept.end && is_white_space(text.characters[kept.begin])) {
    ++kept.begin;
  }
  while (right_ && kept.end > kept.begin && is_white_space(text.characters[kept.end - 1])) {
    --kept.end;
  }
  if (kept.end - kept.begin < text.size()) text = text.part(kept);
}

void RemovePunctuation::apply(NormalizedText& text) const {
  remove_characters(text, is_punctuation);
}

}  // namespace headlight
