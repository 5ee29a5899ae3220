// Texts in lower case and without accents as Python 3 has them, with where each character was.
#include "sparse/python_text.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::python_text_test {
namespace {

TEST_CASE("lower case and accents are those of str.lower() and of NFKD") {
  struct Case {
    std::string text;
    bool lowercase;
    Accents accents;
    std::string expected;
  };
  const Case cases[] = {
      {"Good FILM", true, Accents::keep, "good film"},
      {"Good É", false, Accents::keep, "Good É"},
      {"İI", true, Accents::keep, "i\u0307i"},
      {"ΟΔΟΣ ΣΑΣ Σ ΑΣ' Α'ΣΑ", true, Accents::keep, "οδος σας σ ας' α'σα"},
      {"ªΣ ⅠΣ ʰΣ aʰ.Σ", true, Accents::keep, "ªς ⅰς ʰσ aʰ.ς"},
      {"ẞÄǅꭰᏸ", true, Accents::keep, "ßäǆꭰᏸ"},
      {"Été ﬁ ½ Å ṩ", false, Accents::unicode, "Ete fi 1⁄2 A s"},
      {"Été ﬁ ½ ßо", true, Accents::ascii, "ete fi 12 "},
      {"각", false, Accents::unicode, "\u1100\u1161\u11a8"},
      {"हिन्दी", false, Accents::unicode, "हिनदी"},
  };
  for (const Case& row : cases) {
    CAPTURE(row.text);
    PythonText text;
    text.read(row.text, row.lowercase, row.accents);
    CHECK(text.bytes() == row.expected);
    CHECK(text.origins.size() >= text.size());
    CHECK(text.starts.size() > text.size());
  }
}

TEST_CASE("each character knows the one that it was made of") {
  PythonText text;
  text.read("a½É", true, Accents::unicode);
  CHECK(text.bytes() == "a1⁄2e");
  CHECK(text.origins == std::vector<std::uint32_t>{0, 1, 1, 1, 2});
  text.read("a \t b\u0085\u00A0c\nd", false, Accents::keep);
  text.join_spaces();
  CHECK(text.bytes() == "a b c\nd");
  text.origins.resize(text.size());
  CHECK(text.origins == std::vector<std::uint32_t>{0, 1, 4, 5, 7, 8, 9});
  text.read("Ab", true, Accents::ascii);
  CHECK(text.bytes() == "ab");
  CHECK(text.origins[1] == 1);
  CHECK(error_of([&] { text.read("a\xFF", true, Accents::keep); }) != "");
}

}  // namespace
}  // namespace headlight::python_text_test
