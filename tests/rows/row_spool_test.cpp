// Rows that are kept for a second reading come back as they were, from memory and from a file.
#include "rows/row_spool.h"

#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::row_spool_test {
namespace {

Row row_with(std::size_t number) {
  Row row;
  row.id = {std::to_string(number), number % 2 == 0};
  row.number = 3 * number;
  row.line = 2 * number;
  row.input.text = std::string(number % 7, 'x') + '\n' + std::string(1, '\0') + "ö";
  if (number % 3 == 0) row.input.pair = "pair " + std::to_string(number);
  if (number % 4 == 0) row.input.ids = TypedIds{{1, 2, 3}, {0, 0, 1}, {{0, 1}, {2, 3}, {4, 5}}};
  if (number % 5 != 0) row.label = number % 2 == 0 ? "yes" : "";
  if (number % 6 == 0) row.kept = {{"a", "1", false}, {"b", std::nullopt, true}};
  if (number % 9 == 8) row.error = "cannot be read";
  return row;
}

void check_same(const Row& found, const Row& expected) {
  CHECK(found.id.text == expected.id.text);
  CHECK(found.id.is_string == expected.id.is_string);
  CHECK(found.number == expected.number);
  CHECK(found.line == expected.line);
  CHECK(found.input.text == expected.input.text);
  CHECK(found.input.pair == expected.input.pair);
  REQUIRE(found.input.ids.has_value() == expected.input.ids.has_value());
  if (found.input.ids) {
    CHECK(found.input.ids->ids == expected.input.ids->ids);
    CHECK(found.input.ids->type_ids == expected.input.ids->type_ids);
    CHECK(found.input.ids->offsets == expected.input.ids->offsets);
  }
  CHECK(found.label == expected.label);
  REQUIRE(found.kept.size() == expected.kept.size());
  for (std::size_t i = 0; i < found.kept.size(); ++i) {
    CHECK(found.kept[i].name == expected.kept[i].name);
    CHECK(found.kept[i].text == expected.kept[i].text);
    CHECK(found.kept[i].is_string == expected.kept[i].is_string);
  }
  CHECK(found.error == expected.error);
}

TEST_CASE("rows come back in order, whatever the memory") {
  constexpr std::size_t kRows = 200;
  for (const std::size_t memory : {std::size_t{0}, std::size_t{10'000}, RowSpool::kMemory}) {
    CAPTURE(memory);
    RowSpool spool(memory);
    for (std::size_t i = 0; i < kRows; ++i) spool.add(row_with(i));
    CHECK(spool.size() == kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      CAPTURE(i);
      const auto row = spool.next();
      REQUIRE(row);
      check_same(*row, row_with(i));
    }
    CHECK_FALSE(spool.next());
  }
  RowSpool empty(0);
  CHECK_FALSE(empty.next());
}

}  // namespace
}  // namespace headlight::row_spool_test
