#include "metrics/gold.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::gold_test {
namespace {

using Numbers = std::vector<std::size_t>;

TEST_CASE("a label is found by its name, or else by its number") {
  const GoldReader plain({{"no", "yes", "a|b"}, ProblemType::single_label, true, {}});
  const GoldReader numbered({{"1", "0"}, ProblemType::single_label, true, {}});
  CHECK(plain.read("yes").labels == Numbers{1});
  CHECK(plain.read("1").labels == Numbers{1});
  CHECK(plain.read("a|b").labels == Numbers{2});
  CHECK(numbered.read("1").labels == Numbers{0});
  CHECK(numbered.read("0").labels == Numbers{1});
}

TEST_CASE("several labels stand between bars or in a JSON array, and none is none") {
  const GoldReader reader({{"x", "y", "z", "a|b", "[c]"}, ProblemType::multi_label, true, {}});
  struct Row {
    std::string spelled;
    Numbers labels;
  };
  const Row rows[] = {
      {"", {}},
      {"[]", {}},
      {"x", {0}},
      {"z|x", {0, 2}},
      {"2|0|2", {0, 2}},
      {R"(["z","x"])", {0, 2}},
      {"[1, 2]", {1, 2}},
      {"a|b", {3}},
      {R"(["a|b","y"])", {1, 3}},
      {"[c]", {4}},
      {R"([0,"[c]"])", {0, 4}},
  };
  for (const auto& [spelled, labels] : rows) {
    INFO(spelled);
    CHECK(reader.read(spelled).labels == labels);
  }
}

TEST_CASE("a label that nobody knows lists those that are known") {
  std::vector<std::string> many;
  for (int i = 0; i < 15; ++i) many.push_back("l" + std::to_string(i));
  const GoldReader single({{"no", "yes"}, ProblemType::single_label, true, {}});
  const GoldReader multi({many, ProblemType::multi_label, true, {}});
  const GoldReader value({{"stars"}, ProblemType::regression, true, {}});
  struct Row {
    const GoldReader* reader;
    std::optional<std::string> spelled;
    std::string error;
  };
  const Row rows[] = {
      {&single, std::nullopt, "has no label"},
      {&single, "Yes", R"(label "Yes" is not one of the model's: no, yes)"},
      {&single, "2", R"(label "2" is not one of the model's: no, yes)"},
      {&single, "-1", R"(label "-1" is not one of the model's: no, yes)"},
      {&single, "1.0", R"(label "1.0" is not one of the model's: no, yes)"},
      {&single, "", "has no label"},
      {&multi, "l1||l2",
       "label \"\" is not one of the model's: l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11 "
       "and 3 more"},
      {&multi, "[\"l1\"", "label \"[\"l1\"\" is not a JSON array"},
      {&value, "four", R"(label "four" is not a number)"},
      {&value, "1e999", R"(label "1e999" is not a number)"},
      {&value, "nan", R"(label "nan" is not a number)"},
  };
  for (const auto& [reader, spelled, error] : rows) {
    CHECK(error_of([&, r = reader] { r->read(spelled); }) == error);
  }
  CHECK(value.read("-4.5e0").value == -4.5);
}

}  // namespace
}  // namespace headlight::gold_test
