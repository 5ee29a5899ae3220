// Each splitter by itself, and one after another.
#include "text/splitters/splitter.h"

#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "text/files/tokenizer_json.h"
#include "text_support.h"

namespace headlight::splitter_test {
namespace {

std::string pieces_of(const SplitText& split) {
  std::vector<std::string> pieces;
  for (const Span piece : split.pieces) pieces.push_back(to_utf8(split.text.view(piece)));
  return joined(pieces);
}

SplitText whole(std::string_view text) {
  SplitText split{normalized_text(text), {}};
  if (!text.empty()) split.pieces.push_back({0, static_cast<std::uint32_t>(split.text.size())});
  return split;
}

struct Row {
  const char* text;
  const char* pieces;
};

void check(const SplitStep& step, std::initializer_list<Row> rows) {
  for (const auto& [text, pieces] : rows) {
    CAPTURE(text);
    SplitText split = whole(text);
    step.apply(split);
    CHECK(pieces_of(split) == pieces);
  }
}

}  // namespace

TEST_CASE("BERT cuts at white space and around each punctuation character") {
  check(BertSplit(), {
                         {"", ""},
                         {"  ", ""},
                         {" a  b ", "a|b"},
                         {"don't!!", "don|'|t|!|!"},
                         {"wow\u2048", "wow|\u2048"},
                         {"€5×3 ♡♥", "€5×3|♡♥"},
                         {"C++ 1,234.56", "C|+|+|1|,|234|.|56"},
                         {"x@y.org", "x|@|y|.|org"},
                         {"a\u2e43b \u166d", "a\u2e43b|\u166d"},
                     });
}

TEST_CASE("white space alone") {
  check(WhiteSpaceSplit(), {{"a,b  c\u3000d\u200be", "a,b|c|d\u200be"}, {"\n", ""}});
}

TEST_CASE("words and runs of other characters") {
  check(WordSplit(), {
                         {"don't stop!?", "don|'|t|stop|!?"},
                         {"__init__ €5", "__init__|€|5"},
                         {"e\u0301a\u200db", "e\u0301a\u200db"},
                         {"½², ①", "½²,|①"},
                     });
}

TEST_CASE("punctuation in its five behaviours") {
  const char* text = "?a,b!!c.";
  check(PunctuationSplit(Separators::isolated), {{text, "?|a|,|b|!|!|c|."}});
  check(PunctuationSplit(Separators::removed), {{text, "a|b|c"}, {"!!", ""}});
  check(PunctuationSplit(Separators::merged_with_previous), {{text, "?|a,|b!|!|c."}});
  check(PunctuationSplit(Separators::merged_with_next), {{text, "?a|,b|!|!c|."}});
  check(PunctuationSplit(Separators::contiguous), {{text, "?|a|,|b|!!|c|."}});
}

TEST_CASE("digits, alone or in runs") {
  const char* text = "ab12½c٣";
  check(DigitsSplit(true), {{text, "ab|1|2|½|c|٣"}, {"7", "7"}});
  check(DigitsSplit(false), {{text, "ab|12½|c|٣"}, {"a", "a"}});
}

TEST_CASE("one character that separates and goes") {
  check(DelimiterSplit(U'é'), {{"éaéébé", "a|b"}, {"é", ""}, {"a b", "a b"}});
}

TEST_CASE("blanks become a Metaspace's replacement") {
  check(Metaspace(U'▁', PrependScheme::always, true), {
                                                          {"", ""},
                                                          {"a  b", "▁a|▁|▁b"},
                                                          {" a ", "▁a|▁"},
                                                          {"▁a▁▁b", "▁a|▁|▁b"},
                                                          {"a\tb\u3000c", "▁a\tb\u3000c"},
                                                      });
  check(Metaspace(U'▁', PrependScheme::never, true), {{"a b", "a|▁b"}, {" a", "▁a"}});
  check(Metaspace(U'_', PrependScheme::always, false), {{"a b", "_a_b"}});
}

TEST_CASE("a Metaspace goes before the first piece alone, or before all") {
  const auto pieces = [](PrependScheme scheme, std::size_t begin) {
    SplitText split{NormalizedText(U"ab c", begin), {{0, 1}, {1, 2}, {3, 4}}};
    Metaspace(U'▁', scheme, true).apply(split);
    return pieces_of(split);
  };
  CHECK(pieces(PrependScheme::first, 0) == "▁a|b|c");
  CHECK(pieces(PrependScheme::first, 5) == "a|b|c");  // an added token stands before
  CHECK(pieces(PrependScheme::always, 5) == "▁a|▁b|▁c");
  CHECK(pieces(PrependScheme::never, 0) == "a|b|c");
}

TEST_CASE("a step cuts the pieces of the step before it and never joins them") {
  Splitter splitter;
  splitter.add(std::make_unique<WordSplit>());
  splitter.add(std::make_unique<PunctuationSplit>(Separators::merged_with_previous));
  SplitText split = whole("a?! b");
  splitter.apply(split);
  CHECK(pieces_of(split) == "a|?|!|b");
  CHECK(splitter.name() == "Whitespace, Punctuation");
}

TEST_CASE("no steps leave the whole text") {
  SplitText split = whole("a b");
  Splitter().apply(split);
  CHECK(pieces_of(split) == "a b");
}

TEST_CASE("tokens depend on no later word where pieces end at spaces that stay") {
  struct Case {
    std::string normalizer;
    std::string splitter;
    bool forward;
  };
  const std::string bert = R"({"type": "BertPreTokenizer"})";
  const std::string replace = R"({"type": "Replace", "content": "x", "pattern": )";
  const std::string metaspace = R"({"type": "Metaspace", "replacement": "_", "split": )";
  const std::string bytes = R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": )";
  const Case cases[] = {
      {"null", bert, true},
      {"null", "null", false},
      {"null", metaspace + "true}", true},
      {"null", metaspace + "false}", false},
      {"null", bytes + "true}", true},
      {"null", bytes + "false}", false},
      {"null", R"({"type": "Digits", "individual_digits": true})", false},
      {R"({"type": "NFKC"})", R"({"type": "Whitespace"})", true},
      {R"({"type": "ByteLevel"})", bert, false},
      {replace + R"({"String": "``"}})", bert, true},
      {replace + R"({"String": " a"}})", bert, false},
      {replace + R"({"Regex": " {2,}"}})", bert, true},
      {replace + R"r({"Regex": "a(?=.*b)"}})r", bert, false},
  };
  for (const Case& each : cases) {
    CAPTURE(each.normalizer);
    CAPTURE(each.splitter);
    const TemporaryFolder folder;
    const std::string model = R"({"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0}})";
    const std::string file =
        folder.write("tokenizer.json", R"({"version": "1.0", "added_tokens": [], "model": )" +
                                           model + R"(, "normalizer": )" + each.normalizer +
                                           R"(, "pre_tokenizer": )" + each.splitter + "}");
    CHECK(read_tokenizer_json(file).reads_forward() == each.forward);
  }
}

}  // namespace headlight::splitter_test
