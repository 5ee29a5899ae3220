// Labels are read before rows are scored.
#include "metrics/known_label_rows.h"

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "rows/listed_rows.h"

namespace headlight::known_label_rows_test {
namespace {

TEST_CASE("rows with unknown labels are passed on in order, but not if no label is known") {
  std::vector<Row> rows(3);
  for (Row& row : rows) row.label = "a";
  rows[2].error = "cannot be read";
  rows[0].label = "x";
  ListedRows source(rows);
  const GoldReader gold({{"a", "b"}, ProblemType::single_label, true, {}});
  KnownLabelRows known(source, gold, "rows");
  const auto first = known.next();
  CHECK(first->label == "x");
  CHECK(first->error.empty());
  CHECK(known.next()->error.empty());
  CHECK(known.next()->error == "cannot be read");
  CHECK_FALSE(known.next().has_value());

  rows[1].label = "y";
  ListedRows others(rows);
  std::set<std::string> seen;
  KnownLabelRows unknown(others, gold, "rows",
                         [&](const LabelCensus& census) { seen = census.found(); });
  CHECK(error_of([&] { unknown.next(); }) ==
        "rows: its labels are not the model's: found x, y; the model has a, b; --label-map "
        "FOUND=LABEL,… translates them");
  CHECK(seen == std::set<std::string>{"x", "y"});
}

}  // namespace
}  // namespace headlight::known_label_rows_test
