#include "rows/whole_rows.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::whole_rows_test {
namespace {

using namespace std::string_literals;

struct Written {
  const char* name;
  RowShape shape;
  std::string header;
  std::vector<std::string> rows;  // with their LF; those of an odd number are errors
};

const std::vector<Written> kWritten = {
    {"jsonl",
     {RowFormat::jsonl, false, std::nullopt, "error"},
     "",
     {"{\"id\":0,\"label\":\"a\"}\n", "{\"id\":1,\"error\":\"no\"}\n",
      "{\"id\":\"\u00e9\\n\",\"label\":\"}{\",\"keep\":{\"error\":[1]}}\n",
      "{\"id\":3,\"error\":\"\"}\n"}},
    {"jsonl with a prefix",
     {RowFormat::jsonl, false, std::nullopt, "ours_error"},
     "",
     {"{\"error\":\"theirs\",\"label\":\"a\"}\n", "{\"error\":null,\"ours_error\":\"no\"}\n"}},
    {"hf",
     {RowFormat::hf, false, std::nullopt, "error"},
     "",
     {"[{\"label\": \"]\", \"score\": 0.5}]\n", "{\"error\": \"no\"}\n", "[]\n",
      "{\"error\": \"\"}\n", "{\"sequence\": \"[\", \"labels\": [], \"scores\": []}\n"}},
    {"fasttext",
     {RowFormat::fasttext, false, std::nullopt, "__error__ "},
     "",
     {"__label__a 0.5 __label__b 0.25\n", "__error__ no\n", "\n", "__error__ \n"}},
    {"csv",
     {RowFormat::csv, true, std::nullopt, "error"},
     "id,text,error\n",
     {"0,\"a \"\"quoted\"\"\nsecond\n\nline\",\n", "1,,\"a \"\"b\"\"\"\n", "2,\"\u20ac,\",\n",
      "3,x\"y,no\n"}},
    {"csv without a header, nulls spelled",
     {RowFormat::csv, false, "NA", "error"},
     "",
     {"0,NA,NA\n", "NA,\"\n\n\",\"\n\"\n", "2,x,NA\n"}},
    {"tsv",
     {RowFormat::tsv, true, "\\N", "error"},
     "id\ttext\terror\n",
     {"0\ta\\nb \"c\t\\N\n", "1\t\\N\tno\n", "2\t\u00e9\t\n"}}};

WholeRows found_in(const RowShape& shape, std::string_view bytes, std::size_t piece) {
  WholeRowFinder finder(shape);
  for (std::size_t i = 0; i < bytes.size(); i += piece) finder.add(bytes.substr(i, piece));
  return finder.found();
}

TEST_CASE("a file cut at any byte is cut back to its last whole row") {
  for (const auto& [name, shape, header, rows] : kWritten) {
    INFO("format: " << name);
    std::string file = header;
    for (const auto& row : rows) file += row;
    std::size_t whole = 0;  // rows
    std::size_t end = 0;    // of the last of them
    std::size_t next_end = header.size() + rows[0].size();
    for (std::size_t size = 0; size <= file.size(); ++size) {
      if (size == next_end) {
        end = next_end;
        if (++whole < rows.size()) next_end += rows[whole].size();
      }
      for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
        const WholeRows found = found_in(shape, std::string_view(file).substr(0, size), piece);
        CHECK(found.rows == whole);
        CHECK(found.errors == whole / 2);
        CHECK(found.bytes == end);
      }
    }
  }
}

TEST_CASE("after what is no row there are none") {
  const std::string json = "{\"id\":0}\n";
  const std::string csv = "id,error\n0,\n";
  const RowShape jsonl{RowFormat::jsonl, false, std::nullopt, "error"};
  const RowShape table{RowFormat::csv, true, std::nullopt, "error"};
  struct Row {
    const RowShape& shape;
    std::string file;
    std::string damage;
  };
  for (const auto& [shape, file, damage] :
       {Row{jsonl, json, std::string(5000, '\0')}, Row{jsonl, json, "\0\n"s},
        Row{jsonl, json, "{\"id\":1,\n"}, Row{jsonl, json, "\n"}, Row{jsonl, json, "[1]\n"},
        Row{jsonl, json, "{\"id\":\"\xFF\"}\n"}, Row{table, csv, std::string(5000, '\0')},
        Row{table, csv, "1\n"}, Row{table, csv, "1,,\n"}, Row{table, csv, "1,\xFF\n"},
        Row{table, csv, "1,\"\n"}}) {
    INFO("damage: " << damage);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}}) {
      const WholeRows found = found_in(shape, file + damage + file, piece);
      CHECK(found.rows == 1);
      CHECK(found.bytes == file.size());
    }
  }
}

}  // namespace
}  // namespace headlight::whole_rows_test
