#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "base/error_of.h"
#include "rows/pipe.h"
#include "rows/row_reader.h"

namespace headlight::table_rows_test {
namespace {

RowReading reading_of(RowFormat format) {
  RowReading reading;
  reading.format = format;
  return reading;
}

/// "id|text|pair|label|error|name=kept…" of each row.
std::string rows_of(const std::string& input, const RowReading& reading) {
  const Pipe pipe(input);
  RowReader reader(pipe.reader(), "f", reading);
  std::string all;
  while (const auto row = reader.next()) {
    all += row->id.text + "|" + row->input.text + "|" + row->input.pair.value_or("-") + "|" +
           row->label.value_or("-") + "|" + row->error;
    for (const auto& kept : row->kept) all += "|" + kept.name + "=" + kept.text.value_or("null");
    all += "\n";
  }
  return all;
}

TEST_CASE("columns are found by the header's names") {
  const std::string table =
      "\xEF\xBB\xBFkey,text,b,id,label\r\nK,T,\"B\r\nb\",7,yes\r\n\"\",,,,\r\n";
  struct Row {
    RowFields fields;
    std::string rows;
  };
  const Row rows[] = {
      {{{}, {}, {}, {}}, "7|T|-|yes|\n||-||\n"},
      {{{"b"}, {}, {}, {}}, "7|B\r\nb|-|yes|\n||-||\n"},
      {{{"text", "b"}, "key", "key", {"b"}}, "K|T B\r\nb|K|B\r\nb|\n||||\n"},
  };
  for (const auto& [fields, expected] : rows) {
    RowReading reading = reading_of(RowFormat::csv);
    reading.fields = fields;
    CHECK(rows_of(table, reading) == expected);
  }
}

TEST_CASE("columns of a table without a header are numbers from 1") {
  RowReading reading = reading_of(RowFormat::tsv);
  reading.header = false;
  CHECK(rows_of("a\nb\n\n", reading) == "0|a|-|-|\n1|b|-|-|\n");
  reading.fields = {{"2"}, "1", "3", {}};
  reading.keep = true;
  CHECK(rows_of("a\tb\tc\n", reading) == "c|b|a|-||1=a|2=b|3=c\n");
}

TEST_CASE("without a header, a row does not depend on the rows that are taken before it") {
  const std::string table = "\xFF,x,y\n\xFF\na,b,c\nd,e\nf,g,h\n";
  RowReading reading = reading_of(RowFormat::csv);
  reading.header = false;
  reading.fields.text = {"1"};
  const std::string whole = rows_of(table, reading);
  CHECK(whole.find("2|a|") != std::string::npos);
  CHECK(whole.find("3||-|-|has 2 cells, expected 3") != std::string::npos);
  for (const std::size_t shards : {2U, 3U, 5U}) {
    std::vector<std::string> lines(5);
    for (std::size_t shard = 0; shard < shards; ++shard) {
      reading.selection = {0, std::nullopt, shard, shards};
      std::istringstream rows(rows_of(table, reading));
      for (std::string line; std::getline(rows, line);) {
        lines.at(static_cast<std::size_t>(line[0] - '0')) = line + "\n";
      }
    }
    std::string joined;
    for (const std::string& line : lines) joined += line;
    CHECK(joined == whole);
  }
  reading.selection = {3, std::nullopt, 0, 1};
  CHECK(whole.ends_with(rows_of(table, reading)));
}

TEST_CASE("a record that does not fit is a row with an error, and the next follows") {
  struct Row {
    std::string record;
    std::string row;
  };
  const Row rows[] = {
      {"7", "7||-|-|has 1 cell, expected 2 as in the header\n"},
      {"7,a,b", "7||-|-|has 3 cells, expected 2 as in the header\n"},
      {"7,a,,", "7|a|-|-|\n"},
      {"7,\xFF", "7|\uFFFD|-|-|not valid UTF-8 at byte 2\n"},
      {"7,-", "7||-|-|\n"},
      {"-,a", "0|a|-|-|\n"},
  };
  RowReading reading = reading_of(RowFormat::csv);
  reading.null = "-";
  for (const auto& [record, row] : rows) {
    CHECK(rows_of("id,text\n" + record + "\n8,good\n", reading) == row + "8|good|-|-|\n");
  }
  CHECK(rows_of("id,text\n7,\"a\n8,b\n", reading) == "7||-|-|a quoted cell is not closed\n");
  CHECK(rows_of("id,text\n\"7,a\n8,b\n", reading) == "0||-|-|a quoted cell is not closed\n");
}

TEST_CASE("a header that lacks a column, or has it twice, is refused") {
  struct Row {
    std::string header;
    RowFields fields;
    std::string error;
  };
  const Row rows[] = {
      {"a,b",
       {},
       R"(f: has no column "text"; it has a, b; --text NAME selects the column of the text)"},
      {"text,b", {{}, "c", {}, {}}, R"(f: has no column "c"; it has text, b)"},
      {"text,text", {}, R"(f: the header has "text" twice; rename one of them)"},
      {"text,Topic ",
       {{}, "Topic", {}, {}},
       R"(f: has no column "Topic"; it has text, "Topic "; did you mean "Topic "?)"},
      {"a,b",
       {{"a,b"}, {}, {}, {}},
       R"(f: has no column "a,b"; it has a, b; give the option once for each column)"},
      {"text,\"b", {}, "f: header: a quoted cell is not closed"},
      {"text,\xFF",
       {},
       "f: header: not valid UTF-8 at byte 5; iconv -f WINDOWS-1252 -t UTF-8 f makes UTF-8 of such "
       "text"},
  };
  for (const auto& [header, fields, error] : rows) {
    RowReading reading = reading_of(RowFormat::csv);
    reading.fields = fields;
    CHECK(error_of([&] { rows_of(header + "\n1,2\n", reading); }) == error);
  }
  RowReading reading = reading_of(RowFormat::csv);
  reading.header = false;
  CHECK(error_of([&] { rows_of("a,b\n", reading); }) ==
        "f: has 2 columns and no header; --text N selects the text column");
  reading.fields.text = {"3"};
  CHECK(error_of([&] { rows_of("a,b\n", reading); }) ==
        "f: has no column 3; its rows have 2 columns, counted from 1");
}

TEST_CASE("the message about a missing column names the likely delimiter") {
  struct Row {
    std::string input;
    RowFormat format;
    bool header;
    std::string error;
  };
  const Row rows[] = {
      {"id;text;label\n", RowFormat::csv, true,
       R"(f: has no column "text"; it has id;text;label; --delimiter ';' makes 3 columns of it)"},
      {"id\ttext\n", RowFormat::csv, true,
       "f: has no column \"text\"; it has id\ttext; --delimiter tab makes 2 columns of it"},
      {"id,text\n", RowFormat::tsv, true,
       R"(f: has no column "text"; it has id,text; --delimiter , makes 2 columns of it)"},
      {"a;b,text|c\n", RowFormat::csv, true,
       R"(f: has no column "text"; it has a;b, text|c; did you mean "text|c"?)"},
      {"a|b,x|text|c\n", RowFormat::csv, true,
       R"(f: has no column "text"; it has a|b, x|text|c; --delimiter '|' makes 4 columns of it)"},
      {"id,text\r1,good\r\n", RowFormat::csv, true,
       "f: has no column \"text\"; it has id, text\r1, good; tr '\\r' '\\n' <FILE ends its lines "
       "with LF"},
      {"1;good\n", RowFormat::csv, false,
       "f: has no column 2; its rows have 1 column; --delimiter ';' makes 2 columns of it"},
  };
  for (const auto& [input, format, header, error] : rows) {
    RowReading reading = reading_of(format);
    reading.header = header;
    if (!header) reading.fields.text = {"2"};
    CHECK(error_of([&, text = input] { rows_of(text, reading); }) == error);
  }
  RowReading reading = reading_of(RowFormat::csv);
  reading.takes_delimiter = false;
  CHECK(error_of([&] {
          rows_of("id;text;label\n", reading);
        }).ends_with("; save it with commas between the cells"));
}

TEST_CASE("another delimiter separates cells and opens quoted ones") {
  RowReading reading = reading_of(RowFormat::csv);
  reading.csv.delimiter = ';';
  CHECK(rows_of("id;text\n7;\"a;\n\"\"b\"\n8;c,d\n", reading) == "7|a;\n\"b|-|-|\n8|c,d|-|-|\n");
  reading.csv.delimiter = '\t';
  CHECK(rows_of("id\ttext\n7\t\"a\tb\"\n8\tc\\td\n", reading) == "7|a\tb|-|-|\n8|c\\td|-|-|\n");
}

TEST_CASE("a first line of CSV that names the delimiter, as Excel writes it, is no row") {
  RowReading reading = reading_of(RowFormat::csv);
  const std::string rows = "7|a;\n\"b|-|-|\n8|c,d|-|-|\n";
  for (const std::string first : {"sep=;\r\n", "\"sep=;\"\n", "\xEF\xBB\xBFsep=;\n"}) {
    CHECK(rows_of(first + "id;text\n7;\"a;\n\"\"b\"\n8;c,d\n", reading) == rows);
  }
  CHECK(rows_of("sep=\t\nid\ttext\n8\tc,d\n", reading) == "8|c,d|-|-|\n");
  CHECK(rows_of("sep=;", reading).empty());
  CHECK(error_of([&] { rows_of("sep=;;\na\n", reading); }).starts_with("f: has no column"));
  CHECK(error_of([&] {
          rows_of("sep=;\na\n", reading_of(RowFormat::tsv));
        }).starts_with("f: has no column"));
}

TEST_CASE("a file without the labels that are needed is one error that lists its columns") {
  RowReading reading = reading_of(RowFormat::csv);
  reading.needs_label = true;
  CHECK(error_of([&] { rows_of("text,stars\na,1\n", reading); }) ==
        "f: has no column \"label\"; it has text, stars; --label NAME selects the column of the "
        "true label");
  reading.format = RowFormat::jsonl;
  const std::string two = "{\"text\":\"a\",\"stars\":1}\n{\"text\":\"b\",\"label\":null}\n";
  CHECK(error_of([&] { rows_of(two, reading); }) ==
        "f: has no field \"label\"; its first row has text, stars; --label NAME selects the field "
        "of the true label");
  CHECK(rows_of(two + "{\"text\":\"c\",\"label\":0}\n", reading) ==
        "0|a|-|-|\n1|b|-|-|\n2|c|-|0|\n");
  CHECK(rows_of("nope\n", reading).starts_with("0||-|-|the line is not valid JSON"));
  CHECK(rows_of("", reading).empty());
}

TEST_CASE("rows are skipped and limited before they are shared out, and keep their numbers") {
  struct Row {
    RowSelection selection;
    std::string numbers;
  };
  const Row rows[] = {
      {{}, "0123456789"},          {{3, {}, 0, 1}, "3456789"}, {{0, 4, 0, 1}, "0123"},
      {{3, 4, 0, 1}, "3456"},      {{0, {}, 1, 3}, "147"},     {{3, 4, 0, 3}, "36"},
      {{20, {}, 0, 1}, ""},        {{0, 0, 0, 1}, ""},         {{8, 9, 1, 2}, "9"},
      {{0, SIZE_MAX, 2, 4}, "26"}, {{9, SIZE_MAX, 1, 2}, "9"},
  };
  const std::string table = "text\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  for (const auto& [selection, numbers] : rows) {
    RowReading reading = reading_of(RowFormat::csv);
    reading.selection = selection;
    const Pipe pipe(table);
    RowReader reader(pipe.reader(), "f", reading);
    std::string found;
    while (const auto row = reader.next()) {
      CHECK(row->id.text == row->input.text);
      found += row->input.text;
    }
    CHECK(found == numbers);
  }
}

TEST_CASE("a row that is not selected is never waited for, and a selected one is") {
  RowReading reading = reading_of(RowFormat::csv);
  reading.selection = {0, 3, 1, 2};
  Pipe pipe;
  RowReader reader(pipe.reader(), "f", reading);
  CHECK_FALSE(reader.ready());
  pipe.write("text\n");
  CHECK_FALSE(reader.ready());
  pipe.write("0\n1");
  CHECK_FALSE(reader.ready());
  pipe.write("\n");
  CHECK(reader.ready());
  CHECK(reader.next()->input.text == "1");
  CHECK_FALSE(reader.ready());
  pipe.write("2\n");
  CHECK(reader.ready());  // the end, though the pipe is open
  CHECK_FALSE(reader.next().has_value());
}

TEST_CASE("text is put before each text and not into what is kept") {
  RowReading reading = reading_of(RowFormat::csv);
  reading.prepend = "query: ";
  reading.keep = true;
  CHECK(rows_of("text\na\n", reading) == "0|query: a|-|-||text=a\n");
  CHECK(rows_of("", reading).empty());
  CHECK(rows_of("text\n", reading).empty());
}

TEST_CASE("compressed rows are read as far as they are whole") {
  std::string table = "text\n";
  for (int i = 0; i < 20000; ++i) table += "row " + std::to_string(i) + " of \"these\"\n";
  for (const Compression compression : {Compression::gzip, Compression::zstd}) {
    RowReading reading = reading_of(RowFormat::csv);
    const std::string plain = [&] {
      std::string rows;
      for (int i = 0; i < 20000; ++i) {
        rows += std::to_string(i) + "|row " + std::to_string(i) + " of \"these\"|-|-|\n";
      }
      return rows;
    }();
    reading.compression = compression;
    const std::size_t half = table.size() / 2;
    const std::string members = compressed_member(compression, table.substr(0, half)) +
                                compressed_member(compression, table.substr(half));
    CHECK(rows_of(members, reading) == plain);

    const Pipe cut(std::string_view(members).substr(0, members.size() - 20));
    RowReader reader(cut.reader(), "f", reading);
    std::size_t rows = 0;
    CHECK(error_of([&] {
            while (reader.next()) ++rows;
          }) == "f: the compressed data ends too early; the file may be truncated");
    CHECK(rows >= 9000);
    CHECK(rows < 20000);
  }
}

}  // namespace
}  // namespace headlight::table_rows_test
