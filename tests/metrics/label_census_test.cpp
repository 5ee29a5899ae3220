// Whether the labels of a file are those of a model.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "metrics/known_label_rows.h"

namespace headlight::label_census_test {
namespace {

const LabelSet kTwo = {{"negative", "positive"}, ProblemType::single_label, true, {}};
const LabelSet kStars = {{"1", "2", "3"}, ProblemType::single_label, true, {}};
const LabelSet kMany = {{"a", "b"}, ProblemType::multi_label, true, {}};

TEST_CASE("labels of another kind are told from a few unknown ones, in any order") {
  struct Row {
    const LabelSet* labels;
    std::vector<std::string> found;
    bool differs;
    bool all_unknown;
  };
  const Row rows[] = {
      {&kTwo, {"positive", "negative"}, false, false},
      {&kTwo, {"1", "0", "1"}, true, false},  // numbers, but the labels have names
      {&kTwo, {"1", "2"}, true, true},
      {&kTwo, {"2", "3"}, false, true},
      {&kTwo, {"positive", "1"}, true, false},
      {&kTwo, {"1", "great"}, true, true},
      {&kTwo, {"positive", "great"}, false, false},
      {&kTwo, {"positive", "7"}, false, false},
      {&kTwo, {"great", "awful"}, false, true},
      {&kTwo, {"positive", " Negative"}, true, false},
      {&kTwo, {""}, false, false},
      {&kStars, {"1", "2", "3"}, false, false},  // names
      {&kStars, {"0", "1", "2"}, false, false},  // 0 is unknown
      {&kStars, {"0"}, false, true},
      {&kMany, {"a|b", "[\"a\"]", "", "[]"}, false, false},
      {&kMany, {"0|1", "1"}, true, false},
      {&kMany, {"a|1"}, true, false},
      {&kMany, {"A|b"}, true, false},
  };
  for (const auto& [labels, found, differs, all_unknown] : rows) {
    const GoldReader gold(*labels);
    std::string all;
    for (const auto& label : found) all += label + " ";
    INFO(all);
    LabelCensus forwards(gold);
    LabelCensus backwards(gold);
    for (auto label = found.begin(); label != found.end(); ++label) forwards.add(*label);
    for (auto label = found.rbegin(); label != found.rend(); ++label) backwards.add(*label);
    for (const LabelCensus& census : {forwards, backwards}) {
      CHECK(census.differs() == differs);
      CHECK(census.all_unknown() == all_unknown);
    }
  }
}

TEST_CASE("a translated label is a name, and its number no longer counts") {
  const GoldReader gold(kTwo, {{"1", 0}, {"2", 1}, {"positive", 0}});
  LabelCensus census(gold);
  for (const std::string label : {"1", "2", "negative", "positive"}) census.add(label);
  CHECK_FALSE(census.differs());
  CHECK(gold.read("1").labels == std::vector<std::size_t>{0});
  CHECK(gold.read("2").labels == std::vector<std::size_t>{1});
  CHECK(gold.read("positive").labels == std::vector<std::size_t>{0});
}

TEST_CASE("the message says what was found, what the model has, and what translates it") {
  const GoldReader gold(kTwo);
  LabelCensus spelled(gold);
  for (const std::string label : {"Positive", "negative", "NEGATIVE"}) spelled.add(label);
  CHECK(spelled.complaint() ==
        "its labels are not the model's: found NEGATIVE, Positive, negative; the model has "
        "negative, positive");
  CHECK(spelled.remedy() == "use --label-map NEGATIVE=negative,Positive=positive");

  LabelCensus numbered(gold);
  for (const std::string label : {"1", "2"}) numbered.add(label);
  CHECK(numbered.complaint() ==
        "its labels are not the model's: found 1, 2; the model has negative, positive");
  CHECK(numbered.remedy() == "say what they mean with --label-map NUMBER=NAME,…");

  LabelCensus from_zero(gold);
  for (const std::string label : {"0", "1"}) from_zero.add(label);
  CHECK(from_zero.remedy() ==
        "say what they mean with --label-map NUMBER=NAME,…, or read them as positions with "
        "--label-numbers");

  const GoldReader positions(kTwo, {}, LabelNumbers::positions);
  LabelCensus from_one(positions);
  for (const std::string label : {"2", "3"}) from_one.add(label);
  CHECK(from_one.remedy().find("--label-numbers") == std::string::npos);

  const GoldReader commas({{"no, thanks", "yes"}, ProblemType::single_label, true, {}});
  LabelCensus apart(commas);
  for (const std::string label : {"No, thanks", "Yes"}) apart.add(label);
  CHECK(apart.remedy() == R"(use --label-map Yes=yes --label-map "No, thanks=no, thanks")");

  LabelCensus other(gold);
  for (int i = 0; i < 1000; ++i) other.add("label " + std::to_string(i));
  CHECK(other.complaint().size() < 400);
  CHECK(other.remedy() == "--label-map FOUND=LABEL,… translates them");
}

}  // namespace
}  // namespace headlight::label_census_test
