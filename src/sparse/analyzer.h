// A text → the words or n-grams that a vectorizer of scikit-learn 1.9 counts (CountVectorizer,
// feature_extraction/text.py).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "sparse/python_text.h"
#include "text/splitters/pattern.h"

namespace headlight {

/// word_characters: n-grams of characters inside of words with a blank at each side ("char_wb").
enum class Analyzer : std::uint8_t { words, characters, word_characters };
inline constexpr std::array<Word<Analyzer>, 3> kAnalyzerWords = {
    {{"word", Analyzer::words},
     {"char", Analyzer::characters},
     {"char_wb", Analyzer::word_characters}}};
inline constexpr std::array<Word<Accents>, 2> kAccentsWords = {
    {{"ascii", Accents::ascii}, {"unicode", Accents::unicode}}};

struct AnalyzerSettings {
  Analyzer analyzer = Analyzer::words;
  std::size_t least = 1;  // words or characters of an n-gram
  std::size_t most = 1;
  bool lowercase = true;
  Accents accents = Accents::keep;
  std::size_t shortest_word = 2;           // of runs of `\w`
  std::shared_ptr<const Pattern> pattern;  // in place of such runs
  std::set<std::string, std::less<>> stop_words;
};

/// Memory for a text, used again for the next one.
struct AnalyzerScratch {
  PythonText text;
  std::vector<Span> words;  // of `text`
  std::string term;         // with padding
};

/// All matches. Throws TextError for one without characters, which Python finds at other places
/// than Oniguruma does, and for a pattern that takes too long.
std::vector<Span> find_words(const Pattern& pattern, std::u32string_view text);

/// Throws TextError for invalid UTF-8, and for a pattern that takes too long or finds words without
/// characters.
template <typename Take>
void visit_terms(const AnalyzerSettings& settings, std::string_view text, AnalyzerScratch& scratch,
                 const Take& take);

/// Sets scratch.text, and scratch.words as its analyzer has them.
void split_words(const AnalyzerSettings& settings, std::string_view text, AnalyzerScratch& scratch);

template <typename Take>
void visit_words(const AnalyzerSettings& settings, AnalyzerScratch& scratch, const Take& take) {
  const std::span<const Span> words(scratch.words);
  for (std::size_t n = settings.least; n <= settings.most && n <= words.size(); ++n) {
    for (std::size_t i = 0; i + n <= words.size(); ++i) {
      if (n == 1) {
        take(scratch.text.view(words[i].begin, words[i].end), words.subspan(i, n));
        continue;
      }
      scratch.term.clear();
      for (const Span& word : words.subspan(i, n)) {
        if (word.begin != words[i].begin) scratch.term += ' ';
        scratch.term += scratch.text.view(word.begin, word.end);
      }
      const std::size_t size = scratch.term.size();
      scratch.term.append(kTermPadding, '\0');
      take(std::string_view(scratch.term.data(), size), words.subspan(i, n));
    }
  }
}

template <typename Take>
void visit_characters(const AnalyzerSettings& settings, const PythonText& text, const Take& take) {
  for (std::size_t n = settings.least; n <= settings.most && n <= text.size(); ++n) {
    for (std::size_t i = 0; i + n <= text.size(); ++i) {
      const Span part = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + n)};
      take(text.view(i, i + n), std::span(&part, 1));
    }
  }
}

/// A word that is not longer than n gives itself once, for the first such n.
template <typename Take>
void visit_characters_of(const Span& word, const AnalyzerSettings& settings,
                         AnalyzerScratch& scratch, const Take& take) {
  std::string& term = scratch.term;
  term = ' ';
  term += scratch.text.view(word.begin, word.end);
  term += ' ';
  const std::size_t bytes = term.size();
  term.append(kTermPadding, '\0');
  const std::size_t size = word.end - word.begin + 2;
  const std::uint32_t first = scratch.text.starts[word.begin];
  const auto byte = [&](std::size_t i) {  // of character i of the term
    if (i == 0) return std::size_t{0};
    if (i == size) return bytes;
    return std::size_t{scratch.text.starts[word.begin + i - 1]} - first + 1;
  };
  for (std::size_t n = settings.least; n <= settings.most; ++n) {
    for (std::size_t i = 0; i == 0 || i + n <= size; ++i) {
      const std::size_t end = std::min(i + n, size);
      const auto inside = [&](std::size_t at) {  // a blank has the place of the word
        return word.begin + static_cast<std::uint32_t>(std::clamp<std::size_t>(at, 1, size - 1)) -
               1;
      };
      Span part = {inside(i), inside(end)};
      if (part.begin == part.end) part = word;
      take(std::string_view(term).substr(byte(i), byte(end) - byte(i)), std::span(&part, 1));
    }
    if (n >= size) break;
  }
}

template <typename Take>
void visit_terms(const AnalyzerSettings& settings, std::string_view text, AnalyzerScratch& scratch,
                 const Take& take) {
  split_words(settings, text, scratch);
  switch (settings.analyzer) {
    case Analyzer::words:
      return visit_words(settings, scratch, take);
    case Analyzer::characters:
      return visit_characters(settings, scratch.text, take);
    case Analyzer::word_characters:
      for (const Span& word : scratch.words) visit_characters_of(word, settings, scratch, take);
      return;
  }
}

}  // namespace headlight
