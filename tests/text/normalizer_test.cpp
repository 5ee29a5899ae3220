// Each step by itself, with where each character came from.
#include "text/normalizers/normalizer.h"

#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "base/error.h"
#include "text_support.h"

namespace headlight::normalizer_test {
namespace {

std::string origins_of(const NormalizedText& text) {
  std::string all;
  for (const auto origin : text.origins) all += (all.empty() ? "" : " ") + std::to_string(origin);
  return all;
}

struct Row {
  const char* input;
  const char* output;
  const char* origins;
};

void check(const NormalizerStep& step, std::initializer_list<Row> rows) {
  for (const auto& [input, output, origins] : rows) {
    CAPTURE(printable(input));
    NormalizedText text = normalized_text(input);
    step.apply(text);
    CHECK(to_utf8(text.characters) == output);
    CHECK(origins_of(text) == origins);
  }
}

}  // namespace

TEST_CASE("clean text removes controls and makes white space blanks") {
  check(CleanText(), {
                         {"", "", ""},
                         {"a\tb\nc\rd", "a b c d", "0 1 2 3 4 5 6"},
                         {"a\x0b"
                          "b\x0c"
                          "c\x1f"
                          "d\xc2\x85"
                          "e",
                          "abcde", "0 2 4 6 8"},
                         {"a\u00a0b\u3000c\u2028d", "a b c d", "0 1 2 3 4 5 6"},
                         {"a\u200bb\u00adc\ufeffd\ufffde\ue000f", "abcdef", "0 2 4 6 8 10"},
                         {"\ufffd", "", ""},
                         {"\u0378", "\u0378", "0"},
                     });
}

TEST_CASE("blanks around Chinese characters are theirs") {
  check(SpaceChinese(), {
                            {"中", " 中 ", "0 0 0"},
                            {"a中文b", "a 中  文 b", "0 1 1 1 2 2 2 3"},
                            {"バ한〇", "バ한〇", "0 1 2"},
                            {"\U0002b820\U0002b920", "\U0002b820 \U0002b920 ", "0 1 1 1"},
                        });
}

TEST_CASE("decomposition is full, and moves marks but not origins") {
  check(ToNormalForm(NormalForm::nfd), {
                                           {"abc", "abc", "0 1 2"},
                                           {"é!", "e\u0301!", "0 0 1"},
                                           {"ǖ", "u\u0308\u0304", "0 0 0"},
                                           {"각", "\u1100\u1161\u11a8", "0 0 0"},
                                           {"バ", "ハ\u3099", "0 0"},
                                           {"ﬁ①", "ﬁ①", "0 1"},
                                           {"a\u0301\u0323", "a\u0323\u0301", "0 1 2"},
                                           {"é\u0323", "e\u0323\u0301", "0 1 1"},
                                           {"\u0344", "\u0308\u0301", "0 0"},
                                           {"\U00011938", "\U00011938", "0"},
                                           {"a\u1ac1\u0323", "a\u1ac1\u0323", "0 1 2"},
                                           {"\uf900", "\u8c48", "0"},
                                       });
}

TEST_CASE("the other normal forms") {
  check(ToNormalForm(NormalForm::nfkd), {
                                            {"abc", "abc", "0 1 2"},
                                            {"ﬁé①", "fie\u03011", "0 0 1 1 2"},
                                            {"\u32ff", "\u32ff", "0"},  // younger than 9.0
                                        });
  check(ToNormalForm(NormalForm::nfc), {
                                           {"abc", "abc", "0 1 2"},
                                           {"e\u0301!", "é!", "0 2"},
                                           {"é", "é", "0"},
                                           {"e\u0323\u0301", "ẹ\u0301", "0 2"},
                                           {"e\u0301\u0323x", "ẹ\u0301x", "0 2 3"},
                                           {"\u1100\u1161\u11a8x", "각x", "0 3"},
                                           {"\u212b ﬁ", "Å ﬁ", "0 1 2"},
                                           {"\u0958", "\u0915\u093c", "0 0"},  // excluded
                                           {"\u0301e", "\u0301e", "0 1"},
                                           {"\U00011935\U00011930", "\U00011935\U00011930", "0 1"},
                                       });
  check(ToNormalForm(NormalForm::nfkc), {{"ﬁe\u0301", "fié", "0 0 1"}, {"½", "1⁄2", "0 0 0"}});
}

TEST_CASE("a prefix shares the first character's origin") {
  check(Prepend(U"▁x"), {{"", "", ""}, {"ab", "▁xab", "0 0 0 1"}});
  NormalizedText text = normalized_text("  a");
  StripEnds(true, false).apply(text);
  Prepend(U"_").apply(text);
  CHECK(origins_of(text) == "2 2");
}

TEST_CASE("Nmt removes controls and makes blanks") {
  check(CleanNmt(), {{"a\x01\x0b\x7f"
                      "b",
                      "ab", "0 4"},
                     {"\t\r\u200b\u200f\u2581\ufeff\ufffd", "       ", "0 1 2 3 4 5 6"},
                     {"\u00a0\u3000", "\u00a0\u3000", "0 1"}});
}

TEST_CASE("what replaces a match has the origin of the match's end") {
  const auto replace = [](const char* expression, const char32_t* content) {
    return Replace(Pattern::of_expression(expression), content);
  };
  check(replace("b+", U"xyz"),
        {{"abba", "axyza", "0 2 2 2 3"}, {"bb", "xyz", "1 1 1"}, {"", "", ""}});
  check(replace("b", U""), {{"abab", "aa", "0 2"}, {"b", "", ""}});
  check(replace("(?=b)", U"-"), {{"ab", "a-b", "0 0 1"}});
  check(Replace(Pattern::of_string(U"é."), U"é"), {{"aé.éé.", "aééé", "0 2 3 5"}});
}

TEST_CASE("a text that a rule makes absurdly long is an error") {
  NormalizedText text(std::u32string(20'000, U'a'), 0);
  Replace(Pattern::of_string(U"a"), std::u32string(100, U'b')).apply(text);
  CHECK(text.size() == 2'000'000);
  NormalizedText longer(std::u32string(20'000, U'a'), 0);
  CHECK_THROWS_AS(Replace(Pattern::of_string(U"a"), std::u32string(1'000, U'b')).apply(longer),
                  TextError);
}

TEST_CASE("what is put in before all others covers nothing, where the text begins") {
  NormalizedText text(U"ab", 7);
  Replace(Pattern::of_expression("^"), U"xy").apply(text);
  CHECK(to_utf8(text.characters) == "xyab");
  CHECK(text.offset({0, 2}) == Offset{7, 7});
  CHECK(text.offset({1, 3}) == Offset{7, 8});
  CHECK(text.offset({2, 4}) == Offset{7, 9});
}

TEST_CASE("BERT's accents are all nonspacing marks of Unicode 8") {
  check(StripBertAccents(), {
                                {"café cafe\u0301", "cafe cafe", "0 1 2 3 4 5 6 7 8"},
                                {"Kantō Đ ø ŉ", "Kanto Đ ø ŉ", "0 1 2 3 4 5 6 7 8 9 10"},
                                {"\u0301", "", ""},
                                {"a\u1ab0\u20d0\ufe20z", "az", "0 4"},
                                {"a\U0001e000", "a\U0001e000", "0 1"},
                                {"नि", "नि", "0 1"},
                                {"バ한", "ハ\u1112\u1161\u11ab", "0 1 1 1"},
                            });
}

TEST_CASE("dropping marks drops spacing ones too and decomposes nothing") {
  check(DropMarks(), {{"नि é e\u0301", "न é e", "0 2 3 4 5"}});
}

TEST_CASE("lower case looks at one character at a time") {
  check(Lowercase(), {
                         {"ΟΔΟΣ", "οδοσ", "0 1 2 3"},
                         {"İI", "i\u0307i", "0 0 1"},
                         {"xİİ", "xi\u0307i\u0307", "0 1 1 2 2"},
                         {"STRAẞE ß", "straße ß", "0 1 2 3 4 5 6 7"},
                     });
}

TEST_CASE("ends are stripped of white space") {
  check(StripEnds(true, true), {{" \u3000a b\n", "a b", "2 3 4"}, {" \t", "", ""}, {"", "", ""}});
  check(StripEnds(true, false), {{" a ", "a ", "1 2"}});
  check(StripEnds(false, true), {{" a ", " a", "0 1"}});
}

TEST_CASE("punctuation is removed") {
  check(RemovePunctuation(), {{"don't, €5 ^_^ «x»", "dont €5  x", "0 1 2 4 6 7 8 9 13 15"}});
}

TEST_CASE("BERT's steps act in their order") {
  Normalizer normalizer;
  add_bert_steps(normalizer, {});
  CHECK(normalizer.name() == "clean, space Chinese, strip accents, lowercase");
  NormalizedText text = normalized_text("İ\u200bÉ中");
  normalizer.apply(text);
  CHECK(to_utf8(text.characters) == "ie 中 ");
  CHECK(origins_of(text) == "0 2 3 3 3");
}

TEST_CASE("origins count from where a part of a text begins") {
  NormalizedText text(U"éa", 7);
  ToNormalForm(NormalForm::nfd).apply(text);
  CHECK(origins_of(text) == "7 7 8");
  CHECK(text.offset({0, 2}) == Offset{7, 8});
  CHECK(origins_of(text.part({1, 3})) == "7 8");
}

}  // namespace headlight::normalizer_test
