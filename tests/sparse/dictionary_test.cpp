// Terms are found by their hashes; dictionaries that no program has written are refused.
#include "sparse/dictionary.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::dictionary_test {
namespace {

/// The tables of a dictionary; a test may break them.
struct Tables {
  std::vector<std::uint32_t> hashes, ends;
  std::string terms;

  explicit Tables(std::vector<std::string> words) {
    std::ranges::sort(words, {}, [](const std::string& word) { return murmur_hash(word); });
    for (const std::string& word : words) {
      hashes.push_back(murmur_hash(word));
      terms += word;
      ends.push_back(static_cast<std::uint32_t>(terms.size()));
    }
  }
  SparseDictionary made() const { return {hashes, ends, terms, "file"}; }
};

TEST_CASE("hashes are those of scikit-learn's murmurhash3_32") {
  const std::pair<const char*, std::uint32_t> cases[] = {
      {"", 0},
      {"a", 1009084850U},
      {"good", 115441729U},
      {"abcd", 1139631978U},
      {"abcde", 3902511862U},
      {"été", 865297935U},
      {"a longer text of many bytes", 1082622354U},
  };
  for (const auto& [text, hash] : cases) CHECK(murmur_hash(text) == hash);
}

TEST_CASE("each term is found, and no other") {
  std::vector<std::string> words = {""};
  for (std::size_t i = 0; i < 5000; ++i) words.push_back("word " + std::to_string(i * 7));
  const Tables tables(words);
  const SparseDictionary dictionary = tables.made();
  for (const std::string& word : words) {
    const auto found = dictionary.find(word, murmur_hash(word));
    REQUIRE(found);
    CHECK(dictionary.term(*found) == word);
  }
  for (const std::string word : {"word", "word 1", "x"}) {
    CHECK(!dictionary.find(word, murmur_hash(word)));
  }
  CHECK(!SparseDictionary().find("a", murmur_hash("a")));
  CHECK(!Tables({}).made().find("a", murmur_hash("a")));
}

TEST_CASE("broken dictionaries are refused") {
  struct Case {
    std::string reason;
    void (*break_it)(Tables& tables);
  };
  const Case cases[] = {
      {"has another hash", [](Tables& t) { t.terms[0] = 'x'; }},
      {"has another hash", [](Tables& t) { ++t.hashes[1]; }},
      {"ends outside", [](Tables& t) { t.ends[1] = UINT32_MAX; }},
      {"has another hash", [](Tables& t) { std::swap(t.ends[0], t.ends[2]); }},
      {"is missing", [](Tables& t) { t.terms += "more"; }},
      {"is there twice",
       [](Tables& t) {
         t = Tables({"a", "b", "a"});
       }},
      {"not in the order",
       [](Tables& t) {
         Tables other({"good", "bad"});
         std::swap(other.hashes[0], other.hashes[1]);
         other.terms = other.terms == "goodbad" ? "badgood" : "goodbad";
         other.ends[0] = other.terms == "goodbad" ? 4 : 3;
         t = other;
       }},
      {"like too many others",
       [](Tables& t) {
         std::vector<std::string> alike;  // in one of 128 places
         for (std::size_t i = 0; alike.size() < 70; ++i) {
           if (murmur_hash(std::to_string(i)) >> 25U == 3) alike.push_back(std::to_string(i));
         }
         t = Tables(alike);
       }},
  };
  for (const Case& row : cases) {
    CAPTURE(row.reason);
    Tables tables({"good", "bad", "film"});
    row.break_it(tables);
    CHECK(error_of([&] { tables.made(); }).find(row.reason) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::dictionary_test
