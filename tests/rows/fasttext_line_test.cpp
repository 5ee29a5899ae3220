#include "rows/fasttext_line.h"

#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::fasttext_line_test {
namespace {

TEST_CASE("labels are taken out of a line wherever they stand, and the text stays as it is") {
  struct Case {
    std::string line;
    std::string label;  // empty: none
    std::string text;
  };
  const Case cases[] = {
      {"__label__a good  film", "a", "good  film"},
      {"__label__a\t__label__b c good", R"(["a","b"])", "c good"},
      {"good __label__a film __label__b ", R"(["a","b"])", "good film"},
      {"__label__a", "a", ""},
      {"", "", ""},
      {"  no label__label__ here ", "", "no label__label__ here"},
      {"__label_a b", "", "__label_a b"},
      {"__label__a|b __label__\"\\ c", R"(["a|b","\"\\"])", "c"},
      {"__label____label__ x", "__label__", "x"},
      {"__label__\u00fc \u00fc", "\u00fc", "\u00fc"},
  };
  for (const Case& one : cases) {
    INFO("line: " << one.line);
    const FasttextLine read = read_fasttext_line(one.line);
    CHECK(read.label.value_or("") == one.label);
    CHECK(read.label.has_value() == !one.label.empty());
    CHECK(read.text == one.text);
  }
  CHECK(error_of([] { read_fasttext_line("__label__ a"); }) ==
        "a label has no name after __label__");
}

}  // namespace
}  // namespace headlight::fasttext_line_test
