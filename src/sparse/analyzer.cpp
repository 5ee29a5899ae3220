#include "sparse/analyzer.h"

#include <algorithm>

#include "base/error.h"

namespace headlight {
namespace {

/// The longest runs of at least `shortest` characters.
template <typename Belongs>
void add_runs(const PythonText& text, std::size_t shortest, Belongs belongs,
              std::vector<Span>& words) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!belongs(text.characters[i])) continue;
    const std::size_t begin = i;
    while (++i < text.size() && belongs(text.characters[i])) {
    }
    if (i - begin < shortest) continue;
    words.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i)});
  }
}

}  // namespace

std::vector<Span> find_words(const Pattern& pattern, std::u32string_view text) {
  std::vector<Span> words = pattern.find_all(text);
  const bool has_empty =
      std::ranges::any_of(words, [](const Span& word) { return word.begin == word.end; });
  if (has_empty) throw TextError("the token pattern finds a word without characters here");
  return words;
}

void split_words(const AnalyzerSettings& settings, std::string_view text,
                 AnalyzerScratch& scratch) {
  scratch.text.read(text, settings.lowercase, settings.accents);
  scratch.words.clear();
  if (settings.analyzer == Analyzer::characters) return scratch.text.join_spaces();
  if (settings.analyzer == Analyzer::word_characters) {
    add_runs(
        scratch.text, 1, [](char32_t c) { return !is_python_space(c); }, scratch.words);
    return;
  }
  if (settings.pattern) {
    scratch.words = find_words(*settings.pattern, scratch.text.characters);
  } else {
    add_runs(scratch.text, settings.shortest_word, is_python_word, scratch.words);
  }
  if (settings.stop_words.empty()) return;
  std::erase_if(scratch.words, [&](const Span& word) {
    return settings.stop_words.contains(scratch.text.view(word.begin, word.end));
  });
}

}  // namespace headlight
