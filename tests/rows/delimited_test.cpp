#include "rows/delimited.h"

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::delimited_test {
namespace {

std::string joined(const std::vector<Cell>& cells) {
  std::string all;
  for (const Cell& cell : cells) all += "[" + cell.value_or("null") + "]";
  return all;
}

TEST_CASE("the cells of a CSV record are those that Python's csv reads") {
  struct Row {
    std::string record;
    std::string cells;
  };
  const Row rows[] = {
      {"", "[]"},
      {"a", "[a]"},
      {"a,b", "[a][b]"},
      {",", "[][]"},
      {"a,,", "[a][][]"},
      {R"("")", "[]"},
      {R"("a,b",c)", "[a,b][c]"},
      {R"("a ""b"" c")", "[a \"b\" c]"},
      {R"("""")", "[\"]"},
      {"\"a\nb\r\nc\",d", "[a\nb\r\nc][d]"},
      {R"(a"b",c)", "[a\"b\"][c]"},
      {R"( "a",b)", "[ \"a\"][b]"},
      {R"("a"b"c",d)", "[ab\"c\"][d]"},
      {" a , b ", "[ a ][ b ]"},
      {"ä,\xE2\x80\xA8", "[ä][\xE2\x80\xA8]"},
  };
  for (const auto& [record, cells] : rows) {
    CAPTURE(record);
    CHECK(joined(split_csv(record, {})) == cells);
  }
  CHECK(error_of([] { split_csv("a,\"b", {}); }) == "a quoted cell is not closed");
  CHECK(joined(split_csv("NULL,\"NULL\",null", "NULL")) == "[null][null][null]");
}

TEST_CASE("in TSV nothing is quoted, and a backslash escapes what would end a cell") {
  struct Row {
    std::string record;
    std::string cells;
  };
  const Row rows[] = {
      {"", "[]"},
      {"a\tb", "[a][b]"},
      {"\t", "[][]"},
      {R"("a)", "[\"a]"},
      {R"(a\tb\nc\rd\\e)", "[a\tb\nc\rd\\e]"},
      {R"(\x\)", "[\\x\\]"},
      {R"(\\t)", "[\\t]"},
  };
  for (const auto& [record, cells] : rows) {
    CAPTURE(record);
    CHECK(joined(split_tsv(record, {})) == cells);
  }
  CHECK(joined(split_tsv("\\N\t\\\\N\tN", "\\N")) == "[null][\\N][N]");
}

TEST_CASE("a CSV record ends at the first newline that is not quoted, wherever a piece ends") {
  struct Row {
    std::string bytes;
    std::size_t end;
  };
  const Row rows[] = {
      {"a,b\nc", 3},        {"\n", 0},        {"\"a\nb\",c\nd", 7}, {"\"a\"\"\nb\"\n", 7},
      {"5\" nail,x\ny", 9}, {"\"a\"\n\"", 3}, {"a,\"\n\n\"\n", 6},
  };
  for (const auto& [bytes, end] : rows) {
    CAPTURE(bytes);
    for (std::size_t piece = 0; piece <= bytes.size(); ++piece) {
      CsvRecordEnd record_end;
      const std::string_view first = std::string_view(bytes).substr(0, piece);
      const std::size_t early = record_end.find(first, 0);
      CHECK(early == (piece > end ? end : std::string::npos));
      CHECK(record_end.find(bytes, early == std::string::npos ? piece : early) == end);
    }
  }
}

TEST_CASE("what is written as a cell is read again") {
  const std::string texts[] = {"",   "a",  "a,b", "\"",    "a\nb",      "\r",
                               "\t", "\\", "\\n", "\\\\t", "ä\"\n\t\\,"};
  for (const auto& text : texts) {
    CAPTURE(text);
    CHECK(split_csv(csv_cell(text) + "," + csv_cell(text), {}) == std::vector<Cell>{text, text});
    CHECK(split_tsv(tsv_cell(text) + "\t" + tsv_cell(text), {}) == std::vector<Cell>{text, text});
    CHECK(tsv_cell(text).find_first_of("\t\n\r") == std::string::npos);
  }
  CHECK(csv_cell("a b") == "a b");
  CHECK(csv_cell("a\"b") == R"("a""b")");
}

}  // namespace
}  // namespace headlight::delimited_test
