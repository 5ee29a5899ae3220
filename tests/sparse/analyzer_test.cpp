// Words and n-grams in the order in which build_analyzer() of scikit-learn 1.9 gives them.
#include "sparse/analyzer.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"

namespace headlight::analyzer_test {
namespace {

struct Case {
  std::string text;
  AnalyzerSettings settings;
  std::vector<std::string> terms;
};

AnalyzerSettings reading(Analyzer analyzer, std::size_t least, std::size_t most) {
  AnalyzerSettings settings;
  settings.analyzer = analyzer;
  settings.least = least;
  settings.most = most;
  return settings;
}

AnalyzerSettings without(std::set<std::string, std::less<>> words, std::size_t least,
                         std::size_t most) {
  AnalyzerSettings settings = reading(Analyzer::words, least, most);
  settings.stop_words = std::move(words);
  return settings;
}

AnalyzerSettings with_pattern(const std::string& pattern) {
  AnalyzerSettings settings;
  settings.pattern = std::make_shared<const Pattern>(Pattern::of_expression(pattern));
  return settings;
}

TEST_CASE("terms are those of scikit-learn's analyzers") {
  AnalyzerSettings unaccented;
  unaccented.accents = Accents::unicode;
  const Case cases[] = {
      {"The film isn't A b bad_1",
       reading(Analyzer::words, 1, 2),
       {"the", "film", "isn", "bad_1", "the film", "film isn", "isn bad_1"}},
      {"the film the", without({"the"}, 2, 3), {}},
      {"one the two", without({"the"}, 1, 2), {"one", "two", "one two"}},
      {"Ünïté ΟΔΟΣ", unaccented, {"unite", "οδος"}},
      {"a  b\tc", reading(Analyzer::characters, 2, 2), {"a ", " b", "b\t", "\tc"}},
      {"ab", reading(Analyzer::characters, 1, 5), {"a", "b", "ab"}},
      {"ab c",
       reading(Analyzer::word_characters, 1, 3),
       {" ", "a", "b", " ", " a", "ab", "b ", " ab", "ab ", " ", "c", " ", " c", "c ", " c "}},
      {"ab c", reading(Analyzer::word_characters, 4, 5), {" ab ", " c "}},
      {"a1 22 b", with_pattern(R"([\p{Nd}]+)"), {"1", "22"}},
      {"", reading(Analyzer::word_characters, 1, 3), {}},
  };
  for (const Case& row : cases) {
    CAPTURE(row.text);
    std::vector<std::string> terms;
    AnalyzerScratch scratch;
    visit_terms(row.settings, row.text, scratch,
                [&](std::string_view term, std::span<const Span> parts) {
                  terms.emplace_back(term);
                  for (const Span& part : parts) CHECK(part.begin < part.end);
                  CHECK(parts.back().end <= scratch.text.size());
                });
    CHECK(terms == row.terms);
  }
}

TEST_CASE("a pattern that finds a word without characters is an error of the text") {
  AnalyzerScratch scratch;
  const AnalyzerSettings settings = with_pattern("[0-9]*b?");
  CHECK_THROWS_AS(split_words(settings, "a1b", scratch), TextError);
  split_words(settings, "1b", scratch);
  CHECK(scratch.words == std::vector<Span>{{0, 2}});
}

}  // namespace
}  // namespace headlight::analyzer_test
