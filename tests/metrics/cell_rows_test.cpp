// The surest rows behind the cells of a confusion matrix.
#include "metrics/cell_rows.h"

#include <string>

#include <doctest/doctest.h>

namespace headlight::cell_rows_test {
namespace {

const LabelSet kTwo = {{"no", "yes"}, ProblemType::single_label, true, {}};

void add(CellRows& cells, const Gold& gold, float sure, const std::string& text) {
  Prediction prediction;
  prediction.scores = {1.0F - sure, sure};
  prediction.best = 1;
  Row row;
  row.id.text = text;
  row.input.text = text;
  cells.add(kTwo, gold, row, prediction);
}

TEST_CASE("a cell keeps its surest rows, ties in the order of the file") {
  CellRows cells;
  for (std::size_t i = 0; i < 30; ++i) {
    add(cells, {{0}, 0}, i % 2 == 0 ? 0.75F : 0.625F, std::to_string(i));
  }
  add(cells, {{0}, 0}, 0.875F, "late");
  add(cells, {{1}, 0}, 0.5F, std::string(300, 'a'));
  const auto& wrong = cells.at("no", "yes");
  REQUIRE(wrong.size() == CellRows::kRows);
  CHECK(wrong[0].id == "late");
  CHECK(wrong[1].id == "0");
  CHECK(wrong[15].id == "28");
  CHECK(wrong[16].id == "1");
  CHECK(wrong[19].id == "7");
  CHECK(wrong[1].confidence == 0.75);
  REQUIRE(cells.at("yes", "yes").size() == 1);
  CHECK(cells.at("yes", "yes")[0].text == std::string(200, 'a') + "…");
  CHECK(cells.at("yes", "no").empty());
}

TEST_CASE("a label that the model lacks has a cell too") {
  CellRows cells;
  Gold unknown;
  unknown.unknown = {"maybe"};
  add(cells, unknown, 0.75F, "a");
  CHECK(cells.at("maybe", "yes").size() == 1);
}

}  // namespace
}  // namespace headlight::cell_rows_test
