// The sources of rows that pass on those of another.
#include "rows/row_sources.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rows/listed_rows.h"

namespace headlight::row_sources_test {
namespace {

std::vector<Row> rows_of(const std::vector<std::string>& texts) {
  std::vector<Row> rows;
  for (const std::string& text : texts) {
    Row& row = rows.emplace_back();
    row.id.text = std::to_string(rows.size() - 1);
    row.input.text = text;
  }
  return rows;
}

std::string texts_of(RowSource& source) {
  std::string texts;
  while (const auto row = source.next()) texts += row->input.text;
  return texts;
}

TEST_CASE("rows are read ahead as long as they come without waiting, and none is lost") {
  struct Case {
    std::size_t count;
    std::size_t most;
    std::size_t read;  // of a ListedRows, which lets wait after the fifth
    bool all;
  };
  const Case cases[] = {{0, 3, 0, true},  {2, 3, 2, true},  {3, 3, 3, false},
                        {9, 3, 3, false}, {9, 8, 5, false}, {9, 1, 1, false}};
  for (const auto& [count, most, read, all] : cases) {
    CAPTURE(count);
    CAPTURE(most);
    const std::string letters = std::string("abcdefghi").substr(0, count);
    std::vector<std::string> texts;
    for (const char letter : letters) texts.emplace_back(1, letter);
    ListedRows source(rows_of(texts));
    RowsAhead ahead(source, most);
    CHECK(source.given() == read);
    CHECK(ahead.holds_all() == all);
    CHECK(ahead.ready());
    CHECK(texts_of(ahead) == letters);
    CHECK_FALSE(ahead.next().has_value());
  }
}

TEST_CASE("an input that fails while it is read ahead fails when its turn comes") {
  class OneRow : public RowSource {
   public:
    std::optional<Row> next() override {
      if (given_) throw std::runtime_error("cannot read");
      given_ = true;
      return Row();
    }
    bool ready() override { return true; }

   private:
    bool given_ = false;
  };
  OneRow source;
  RowsAhead ahead(source, 8);
  CHECK(ahead.holds_all());
  CHECK(ahead.next().has_value());
  CHECK(ahead.ready());
  CHECK_THROWS_WITH_AS(ahead.next(), "cannot read", std::runtime_error);
}

TEST_CASE("typed ids are parsed where they are rows, and a bad spelling is an error of its row") {
  std::vector<Row> rows = rows_of({"7, 8", "7 x", "x", ""});
  rows[2].error = "no field \"text\"";
  ListedRows source(rows);
  TypedIdRows typed(source, /*has_ids=*/true);
  CHECK(typed.ready());
  const auto good = typed.next();
  REQUIRE(good->input.ids.has_value());
  CHECK(good->input.ids->ids == std::vector<TokenId>{7, 8});
  CHECK(good->input.ids->type_ids == std::vector<TokenId>{0, 0});
  CHECK(good->input.text == "7, 8");
  CHECK(good->error.empty());
  const auto bad = typed.next();
  CHECK(bad->error ==
        "found \"x\", expected token ids: whole numbers from 0 to 4294967295, separated by spaces "
        "or commas");
  CHECK(bad->input.text == "7 x");
  CHECK(typed.next()->error == "no field \"text\"");
  CHECK(typed.next()->input.ids->ids.empty());
  CHECK_FALSE(typed.next().has_value());
}

}  // namespace
}  // namespace headlight::row_sources_test
