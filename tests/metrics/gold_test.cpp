#include "metrics/gold.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::gold_test {
namespace {

using Numbers = std::vector<std::size_t>;

using Names = std::vector<std::string>;

LabelSet single_label(const Names& names) { return {names, ProblemType::single_label, true, {}}; }
LabelSet multi_label(const Names& names) { return {names, ProblemType::multi_label, true, {}}; }

TEST_CASE("numbers are labels only where names are numbers or LABEL_n, or as positions") {
  struct Row {
    Names names;
    LabelNumbers numbers;
    std::string spelled;
    std::optional<std::size_t> label;  // empty: unknown
    GoldReader::Match match;
  };
  using enum GoldReader::Match;
  const auto names = LabelNumbers::names;
  const auto positions = LabelNumbers::positions;
  const Row rows[] = {
      {{"no", "yes", "a|b"}, names, "yes", 1, name},
      {{"no", "yes", "a|b"}, names, "a|b", 2, name},
      {{"no", "yes"}, names, "1", std::nullopt, number},
      {{"no", "yes"}, names, "2", std::nullopt, none},
      {{"no", "yes"}, names, "-1", std::nullopt, none},
      {{"no", "yes"}, names, "1.0", std::nullopt, number},
      {{"no", "yes"}, positions, "1", 1, name},
      {{"no", "yes"}, positions, "yes", 1, name},
      {{"no", "yes"}, positions, "2", std::nullopt, none},
      {{"1", "0"}, names, "1", 0, name},
      {{"1", "0"}, names, "0", 1, name},
      {{"1", "0"}, positions, "1", 1, name},
      {{"no", "yes"}, positions, "1.0", 1, name},
      {{"no", "yes"}, positions, "2.0", std::nullopt, none},
      {{"no", "yes"}, positions, "1.5", std::nullopt, none},
      {{"1", "2", "3"}, names, "2.0", 1, name},
      {{"1", "2", "3"}, names, "0", std::nullopt, none},
      {{"-1", "0.5"}, names, "0", std::nullopt, none},
      {{"1", "two"}, names, "1", 0, name},
      {{"1", "two"}, names, "0", std::nullopt, number},
      {{"LABEL_0", "LABEL_1"}, names, "1", 1, name},
      {{"LABEL_1", "LABEL_0"}, names, "1", 0, name},
      {{"LABEL_1", "LABEL_0"}, names, "LABEL_1", 0, name},
      {{"LABEL_1", "LABEL_0"}, names, "2", std::nullopt, none},
      {{"LABEL_0", "spam"}, names, "1", std::nullopt, number},
  };
  for (const auto& [labels, numbers, spelled, label, match] : rows) {
    INFO(labels[0] << " " << labels[1] << ": " << spelled);
    const GoldReader reader(single_label(labels), {}, numbers);
    CHECK(reader.match(spelled) == match);
    const Gold gold = reader.read(spelled);
    CHECK(gold.labels == (label ? Numbers{*label} : Numbers{}));
    CHECK(gold.unknown == (label ? Names{} : Names{spelled}));
  }
  const GoldReader mapped(single_label({"no", "yes"}), {{"1", 0}}, positions);
  CHECK(mapped.positions() == "0 = no, 1 = no");  // the translation counts
}

TEST_CASE("several labels stand between bars or in a JSON array, and none is none") {
  const GoldReader reader(multi_label({"x", "y", "z", "a|b", "[c]"}));
  struct Row {
    std::string spelled;
    Numbers labels;
    Names unknown;
  };
  const Row rows[] = {
      {"", {}, {}},
      {"[]", {}, {}},
      {"|", {}, {}},
      {"||", {}, {}},
      {"[\"\"]", {}, {}},
      {"x", {0}, {}},
      {"z|x", {0, 2}, {}},
      {"x||z|", {0, 2}, {}},
      {"|x", {0}, {}},
      {"z|x|z", {0, 2}, {}},
      {R"(["z","","x"])", {0, 2}, {}},
      {"a|b", {3}, {}},
      {R"(["a|b","y"])", {1, 3}, {}},
      {"[c]", {4}, {}},
      {R"(["x","[c]"])", {0, 4}, {}},
      {"w|x|v|w", {0}, {"v", "w"}},
      {"[7, true]", {}, {"7", "true"}},
  };
  for (const auto& [spelled, labels, unknown] : rows) {
    INFO(spelled);
    CHECK(reader.read(spelled).labels == labels);
    CHECK(reader.read(spelled).unknown == unknown);
  }
}

TEST_CASE("a value that says no label is an error of its row") {
  const GoldReader single(single_label({"no", "yes"}));
  const GoldReader bar(single_label({"no", "|"}));
  const GoldReader multi(multi_label({"l0", "l1"}));
  const GoldReader value({{"stars"}, ProblemType::regression, true, {}});
  struct Row {
    const GoldReader* reader;
    std::optional<std::string> spelled;
    std::string error;
  };
  const Row rows[] = {
      {&single, std::nullopt, "has no label"},
      {&single, "", "has no label"},
      {&single, "|", "has no label"},
      {&single, "||", "has no label"},
      {&single, "[]", "has no label"},
      {&bar, "|", ""},
      {&bar, "||", "has no label"},
      {&multi, std::nullopt, "has no label"},
      {&multi, "[\"l1\"", "label \"[\"l1\"\" is not a JSON array"},
      {&multi, "[[\"l1\"]]", "label \"[[\"l1\"]]\" is not an array of names"},
      {&value, "four", R"(label "four" is not a number)"},
      {&value, "1e999", R"(label "1e999" is not a number)"},
      {&value, "+-1", R"(label "+-1" is not a number)"},
      {&value, " ", R"(label " " is not a number)"},
      {&value, "nan", R"(label "nan" is not a number)"},
  };
  for (const auto& [reader, spelled, error] : rows) {
    CHECK(error_of([&, r = reader] { r->read(spelled); }) == error);
  }
  CHECK(value.read("-4.5e0").value == -4.5);
  CHECK(value.read(" 4 ").value == 4.0);
  CHECK(value.read("+1").value == 1.0);
}

}  // namespace
}  // namespace headlight::gold_test
