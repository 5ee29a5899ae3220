#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "training/rows/row_targets.h"

namespace headlight::teacher_logits_test {
namespace {

const LabelSet kLabels = {{"no", "yes"}, ProblemType::single_label};

Row row_with(std::vector<KeptField> kept) {
  Row row;
  row.kept = std::move(kept);
  return row;
}

TEST_CASE("logits are read from a field of JSONL and from columns of a table") {
  const std::vector<float> expected = {-1.5F, 2.0F};
  const Row nested = row_with({{"text", "a", true}, {"logits", R"({"yes":2,"no":-1.5})", false}});
  CHECK(teacher_logits_of(spelled_teacher_logits(nested, "logits"), kLabels) == expected);
  const Row table =
      row_with({{"logit.no", "-1.5", true}, {"x", "9", true}, {"logit.yes", "2", true}});
  CHECK(teacher_logits_of(spelled_teacher_logits(table, "logits"), kLabels) == expected);
  CHECK(teacher_logits_of(spelled_teacher_logits(table, "logit"), kLabels) == expected);
}

TEST_CASE("logits that are missing or not numbers are errors of the row") {
  CHECK(error_of([] {
          spelled_teacher_logits(row_with({{"text", "a", true}}), "logits");
        }) == "has no teacher logits in \"logits\"");
  struct Row {
    std::string spelled, expected;
  };
  const Row rows[] = {
      {R"({"no":1})", "expected one for each of 2 labels"},
      {R"([1, 2])", "expected one for each of 2 labels"},
      {R"({"no":1,"maybe":2})", "has no teacher logit of the label \"yes\""},
      {R"({"no":1,"yes":"x"})", "expected a number"},
      {R"({"no":1,"yes":null})", "expected a number"},
      {R"({"no":1,"yes":1e300})", "expected a number"},
      {"{", "teacher logits"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.spelled);
    const std::string error = error_of([&] { teacher_logits_of(row.spelled, kLabels); });
    CAPTURE(error);
    CHECK(error.find(row.expected) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::teacher_logits_test
