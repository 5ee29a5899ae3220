#include "text/normalizers/normalizer.h"

#include <algorithm>
#include <string_view>

#include "base/parallel.h"
#include "base/utf8.h"
#include "text/normalizers/normal_form.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr char32_t kCapitalDottedI = 0x0130;
constexpr char32_t kCombiningDot = 0x0307;

/// The characters that SentencePiece's nmt_nfkc rules remove, and those they replace by a space.
bool is_nmt_control(char32_t c) {
  return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
         c == 0x8F || c == 0x9F;
}

bool is_nmt_blank(char32_t c) {
  constexpr std::u32string_view kBlanks =
      U"\t\n\f\r\u1680\u200B\u200C\u200D\u200E\u200F"
      U"\u2028\u2029\u2581\uFEFF\uFFFD";
  return kBlanks.find(c) != std::u32string_view::npos;
}

}  // namespace

void Normalizer::apply(NormalizedText& text) const {
  for (const auto& step : steps_) {
    check_stopped();
    step->apply(text);
  }
}

std::string Normalizer::name() const {
  return joined(steps_, ", ", [](const auto& step) { return step->name(); });
}

Reach Normalizer::reach() const {
  Reach farthest = Reach::character;
  for (const auto& step : steps_) farthest = std::max(farthest, step->reach());
  return farthest;
}

void add_bert_steps(Normalizer& normalizer, const BertNormalizerSettings& settings) {
  if (settings.clean_text) normalizer.add(std::make_unique<CleanText>());
  if (settings.handle_chinese_chars) normalizer.add(std::make_unique<SpaceChinese>());
  if (settings.strip_accents) normalizer.add(std::make_unique<StripBertAccents>());
  if (settings.lowercase) normalizer.add(std::make_unique<Lowercase>());
}

void CleanText::apply(NormalizedText& text) const {
  if (are_printable_ascii(text.characters)) return;
  remove_characters(text, is_unclean);
  std::replace_if(text.characters.begin(), text.characters.end(), is_white_space, U' ');
}

void SpaceChinese::apply(NormalizedText& text) const {
  const auto& characters = text.characters;
  if (are_below(characters, kFirstChinese)) return;
  if (std::none_of(characters.begin(), characters.end(), is_chinese)) return;
  Rewriting spaced(text);
  for (const char32_t c : characters) {
    if (is_chinese(c)) {
      spaced.push({U' ', 0});
      spaced.push({c, 1});
      spaced.push({U' ', 1});
    } else {
      spaced.push({c, 0});
    }
  }
  text = spaced.finish();
}

void ToNormalForm::apply(NormalizedText& text) const { to_normal_form(text, form_); }

std::string ToNormalForm::name() const {
  switch (form_) {
    case NormalForm::nfd:
      return "NFD";
    case NormalForm::nfkd:
      return "NFKD";
    case NormalForm::nfc:
      return "NFC";
    case NormalForm::nfkc:
      break;
  }
  return "NFKC";
}

void StripBertAccents::apply(NormalizedText& text) const {
  if (are_below(text.characters, kFirstAccented)) return;
  to_normal_form(text, NormalForm::nfd);
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
    lower.push({is_dotted ? U'i' : c, 0});
    if (is_dotted) lower.push({kCombiningDot, 1});
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

void Prepend::apply(NormalizedText& text) const {
  if (text.size() == 0) return;
  Rewriting longer(text);
  std::int32_t changes = 0;
  for (const char32_t c : prefix_) {
    longer.push({c, changes});
    changes = 1;
  }
  longer.push({text.characters.front(), 1});
  for (const char32_t c : std::u32string_view(text.characters).substr(1)) longer.push({c, 0});
  text = longer.finish();
}

void CleanNmt::apply(NormalizedText& text) const {
  remove_characters(text, is_nmt_control);
  std::replace_if(text.characters.begin(), text.characters.end(), is_nmt_blank, U' ');
}

void RemovePunctuation::apply(NormalizedText& text) const {
  remove_characters(text, is_punctuation);
}

/// What a match becomes may be removed, or join with what stands beside it, unless it is visible.
Reach Replace::reach() const {
  if (!pattern_.is_within_words()) return Reach::text;
  const auto is_visible = [](char32_t c) { return c > U' ' && c < 0x7FU; };
  const bool stays = !content_.empty() && std::ranges::all_of(content_, is_visible);
  const bool joins_spaces =
      (content_ == U" " || content_ == U"\u2581") && pattern_.find_all(U"  ").size() == 1;
  return stays || joins_spaces ? Reach::word : Reach::ends;
}

void Replace::apply(NormalizedText& text) const {
  const std::vector<Span> matches = pattern_.find_all(text.characters);
  if (matches.empty()) return;
  check_growth(text.size(), matches.size() * content_.size());
  NormalizedText replaced;
  replaced.begin = text.begin;
  std::uint32_t done = 0;
  const auto keep_until = [&](std::size_t end) {
    for (; done < end; ++done) replaced.push_back(text.characters[done], text.origins[done]);
  };
  for (const Span match : matches) {
    keep_until(match.begin);
    for (const char32_t c : content_) replaced.push_back(c, text.origin_before(match.end));
    done = match.end;
  }
  keep_until(text.size());
  text = std::move(replaced);
}

}  // namespace headlight
