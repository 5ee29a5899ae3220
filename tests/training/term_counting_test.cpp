// The dictionary that is learned of texts, with frequencies counted by hand.
#include "training/sparse/term_counting.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::term_counting_test {
namespace {

AnalyzerSettings words(std::size_t most) {
  AnalyzerSettings settings;
  settings.most = most;
  return settings;
}

std::map<std::string, double> idf_of(const LearnedTerms& learned) {
  std::map<std::string, double> found;
  const SparseDictionary dictionary = learned.dictionary();  // checks their order
  for (std::size_t i = 0; i < dictionary.size(); ++i) {
    found.emplace(dictionary.term(i), learned.idf[i]);
  }
  return found;
}

TEST_CASE("a term has the frequency of the texts with it, as TfidfVectorizer has it") {
  TermCounting counting(words(2));
  for (const char* text : {"Red cup red CUP", "red pan", "", "blue"}) counting.read(text);
  const auto found = idf_of(counting.learn(100));
  const auto of = [](double texts) { return doctest::Approx(std::log(5.0 / (1.0 + texts)) + 1.0); };
  CHECK(found.size() == 7);
  CHECK(found.at("red") == of(2));
  CHECK(found.at("cup") == of(1));
  CHECK(found.at("pan") == of(1));
  CHECK(found.at("blue") == of(1));
  CHECK(found.at("red cup") == of(1));
  CHECK(found.at("cup red") == of(1));
  CHECK(found.at("red pan") == of(1));
}

TEST_CASE("of more terms than there is room for, those of the most texts are kept") {
  TermCounting counting(words(1));
  for (const char* text : {"aa bb cc", "aa bb dd", "aa ee ff", "gg"}) counting.read(text);
  CHECK(idf_of(counting.learn(7)).size() == 7);
  CHECK(idf_of(counting.learn(6)).size() == 2);  // none of one text
  const auto one = idf_of(counting.learn(1));
  REQUIRE(one.size() == 1);
  CHECK(one.begin()->first == "aa");
}

TEST_CASE("more terms than memory holds are forgotten, the rarest first") {
  AnalyzerSettings settings;
  settings.analyzer = Analyzer::characters;
  settings.least = settings.most = 8;
  TermCounting counting(settings);
  const std::string known = "12345678";
  std::uint64_t state = 1;
  for (std::size_t text = 0; text < 45; ++text) {
    std::string letters;
    for (std::size_t i = 0; i < 100'000; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      letters += static_cast<char>('a' + (state >> 33U) % 26);
    }
    counting.read(text % 2 == 0 ? letters : known + letters);
  }
  const LearnedTerms learned = counting.learn(2);
  const auto found = idf_of(learned);
  CHECK(found.contains(known));
}

}  // namespace
}  // namespace headlight::term_counting_test
