#include "rows/row_reader.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "rows/json_line.h"
#include "rows/pipe.h"

namespace headlight::row_reader_test {
namespace {

/// "7|text|pair|error" of each row, a string id in quotes, what is not there left out.
std::string rows_of(const std::string& input, RowFormat format, const RowFields& fields) {
  const Pipe pipe(input);
  RowReading reading;
  reading.format = format;
  reading.fields = fields;
  RowReader reader(pipe.reader(), "f", reading);
  std::string all;
  while (const auto row = reader.next()) {
    const std::string quote = row->id.is_string ? "\"" : "";
    all += quote + row->id.text + quote + "|";
    all += row->error.empty() ? row->input.text + (row->input.pair ? "|" + *row->input.pair : "")
                              : "error: " + row->error;
    all += "\n";
  }
  return all;
}

TEST_CASE("a line of text is a row with its number, an empty one too") {
  CHECK(rows_of("a b\n\n{\"text\": 1}\n\xFFx\nlast", RowFormat::text, {}) ==
        "0|a b\n1|\n2|{\"text\": 1}\n3|error: not valid UTF-8 at byte 0\n4|last\n");
}

TEST_CASE("a number beyond float64 is refused by none but who reads it as a number") {
  const std::string rows =
      "{\"text\":\"a 1e999 \\\"\",\"x\":1e400,\"id\":-12E+999}\n"
      "{\"x\":[1e400,{\"y\":-1e400}],\"text\":\"b\",\"id\":0}\n"
      "{\"x\":01e400,\"text\":\"c\"}\n"
      "{\"x\":1.e400,\"text\":\"c\"}\n"
      "{\"x\":1e400,\"text\":\"c\",}\n"
      "{\"x\":1e400,\"x\":1e400}\n";
  CHECK(rows_of(rows, RowFormat::jsonl, {}) ==
        "-12E+999|a 1e999 \"\n0|b\n2|error: the line is not valid JSON at byte 10\n"
        "3|error: the line is not valid JSON at byte 7\n"
        "4|error: the line is not valid JSON at byte 22\n"
        "5|error: the line has the field \"x\" twice\n");
  const JsonLine line(R"({"a":1e400,"b":[ 1E999, 2 ],"c":0})");
  CHECK(line.find("a")->text == "1e400");
  CHECK(line.find("b")->text == "[ 1E999, 2 ]");
  CHECK(line.find("c")->text == "0");
}

TEST_CASE("rows that are passed over count and hash as those that are read") {
  struct Input {
    std::string bytes;
    RowFormat format;
    std::size_t rows;
    std::string lines;  // what is hashed
  };
  const Input inputs[] = {
      {"a\r\n\n\xFF\nb", RowFormat::text, 4, "a\n\n\xFF\nb\n"},
      {"", RowFormat::text, 0, ""},
      {"{\"text\":1}\n{\n", RowFormat::jsonl, 2, "{\"text\":1}\n{\n"},
      {"text\n\"a\nb\"\nc\n", RowFormat::csv, 2, "text\n\"a\nb\"\nc\n"},
  };
  for (const auto& [bytes, format, rows, lines] : inputs) {
    CAPTURE(bytes);
    for (const std::size_t read : {std::size_t{0}, std::size_t{1}, rows}) {
      const Pipe pipe(bytes);
      RowReading reading;
      reading.format = format;
      RowReader reader(pipe.reader(), "f", reading);
      for (std::size_t i = 0; i < read; ++i) reader.next();
      reader.pass_over(SIZE_MAX);
      CHECK(reader.count() == rows);
      CHECK(reader.hash() == hash_of(lines));
      CHECK_FALSE(reader.next());
    }
  }
  const Pipe pipe("a\nb\nc\nd\n");
  RowReading limited;
  limited.selection.skip = 1;
  limited.selection.limit = 2;
  RowReader reader(pipe.reader(), "f", limited);
  reader.pass_over(2);
  CHECK(reader.count() == 2);
  CHECK(reader.next()->input.text == "c");
  CHECK_FALSE(reader.next());
  CHECK(reader.hash() == hash_of("a\nb\nc\n"));  // the rest may change
}

TEST_CASE("an id keeps its spelling") {
  struct Row {
    std::string spelled;
    std::string id;
  };
  const Row rows[] = {
      {"7", "7"},
      {"-7", "-7"},
      {"1.0", "1.0"},
      {"-0", "-0"},
      {"0", "0"},
      {"1E5", "1E5"},
      {"1e+05", "1e+05"},
      {"0.10", "0.10"},
      {"12345678901234567890", "12345678901234567890"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"true", "true"},
      {"null", "null"},
      {R"("1.0")", R"("1.0")"},
      {R"("a\"\u00e9\n")", "\"a\"é\n\""},
      {R"("")", R"("")"},
  };
  for (const auto& [spelled, id] : rows) {
    CHECK(rows_of(R"({"text": "t", "id": )" + spelled + "}", RowFormat::jsonl, {}) == id + "|t\n");
  }
}

TEST_CASE("fields are chosen by name, and several texts are joined with a blank") {
  const std::string line =
      R"({"a": "A", "b": "B", "text": "T", "id": 5, "key": "K", "nested": {"text": "no"}})";
  struct Row {
    RowFields fields;
    std::string row;
  };
  const Row rows[] = {
      {{{}, {}, {}, {}}, "5|T\n"},
      {{{"b"}, {}, {}, {}}, "5|B\n"},
      {{{"b", "a", "text"}, {}, {}, {}}, "5|B A T\n"},
      {{{"a"}, "b", {}, {}}, "5|A|B\n"},
      {{{}, {}, "key", {}}, "\"K\"|T\n"},
  };
  for (const auto& [fields, row] : rows) CHECK(rows_of(line, RowFormat::jsonl, fields) == row);
}

TEST_CASE("a path with dots leads into objects where no field has that very name") {
  const std::string rows =
      "{\"a\":{\"b\":\"in\",\"c.d\":{\"e\":7}},\"a.c\":{\"x\":\"y\"}}\n"
      "{\"a.b\":\"own\",\"a\":{\"b\":\"in\",\"c.d\":{\"e\":8}}}\n"
      "{\"a\":\"{\\\"b\\\":1}\"}\n"
      "{\"a\":[{\"b\":\"in\"}]}\n"
      "{\"a\":{\"b\":{\"c\":1}},\"id\":1}\n";
  CHECK(rows_of(rows, RowFormat::jsonl, {{"a.b"}, {}, "a.c.d.e", {}}) ==
        "7|in\n8|own\n2|error: no field \"a.c.d.e\"\n3|error: no field \"a.c.d.e\"\n"
        "4|error: no field \"a.c.d.e\"\n");
  CHECK(rows_of("{\"a\":{\"b\":{\"c\":1}}}\n", RowFormat::jsonl, {{"a.b"}, {}, {}, {}}) ==
        "0|error: field \"a.b\" is not a string\n");
  Row row;
  row.kept = {{"a.b", "1", false}, {"a", R"({"b":2,"c":{"d":"x"}})", false}, {"s", "{}", true}};
  CHECK(kept_field(row, "a.b")->text == "1");
  CHECK(kept_field(row, "a.c.d")->text == "x");
  CHECK(kept_field(row, "a.c.d")->is_string);
  CHECK_FALSE(kept_field(row, "a.d").has_value());
  CHECK_FALSE(kept_field(row, "s.d").has_value());
}

TEST_CASE("NaN and infinities, as Python writes them, are null at the top level of a line") {
  const std::string rows =
      "{\"text\":\"a NaN\",\"id\":NaN,\"x\": NaN}\n"
      "{\"text\":\"b\",\"x\":[NaN]}\n"
      "{\"text\":\"c\",\"x\":5NaN}\n"
      "{\"text\":\"d\",\"x\":-NaN}\n"
      "{\"text\":\"e\",\"id\":Infinity,\"x\": -Infinity, \"y\":-Infinity}\n"
      "{\"text\":\"f\",\"x\":[-Infinity]}\n"
      "{\"text\":\"g\",\"x\":--Infinity}\n";
  CHECK(rows_of(rows, RowFormat::jsonl, {}) ==
        "null|a NaN\n1|error: the line is not valid JSON at byte 17\n"
        "2|error: the line is not valid JSON at byte 17\n"
        "3|error: the line is not valid JSON at byte 17\n"
        "null|e\n5|error: the line is not valid JSON at byte 17\n"
        "6|error: the line is not valid JSON at byte 17\n");
  const JsonLine line(R"({"a":NaN,"b":"NaN","c":1e400})");
  CHECK(line.find("a")->text == "null");
  CHECK(line.find("b")->text == "NaN");
  CHECK(line.find("c")->text == "1e400");
}

TEST_CASE("a label keeps its spelling, and an array of labels is JSON") {
  struct Row {
    std::string fields;
    std::optional<std::string> name;
    std::optional<std::string> label;
  };
  const Row rows[] = {
      {R"("label": "good")", {}, "good"},
      {R"("label": 1)", {}, "1"},
      {R"("label": 4.50)", {}, "4.50"},
      {R"("label": true)", {}, "true"},
      {R"("label": "")", {}, ""},
      {R"("label": [])", {}, "[]"},
      {R"("label": [ "a", "b\"|", 3, null ])", {}, R"([ "a", "b\"|", 3, null ])"},
      {R"("label": {"a": ["b"]})", {}, R"({"a": ["b"]})"},
      {R"("label": ["a", {"b": 1}], "gold": ["c"])", "gold", R"(["c"])"},
      {R"("label": "good", "gold": "bad")", "gold", "bad"},
      {R"("gold": "bad")", {}, {}},
      {R"("label": NaN)", {}, {}},
  };
  for (const auto& [fields, name, label] : rows) {
    const Pipe pipe("{\"text\": \"t\", " + fields + "}");
    RowReading reading;
    reading.format = RowFormat::jsonl;
    if (name) reading.fields.label = {*name};
    RowReader reader(pipe.reader(), "f", reading);
    const auto row = reader.next();
    REQUIRE(row.has_value());
    INFO(fields << " " << row->error);
    CHECK(row->label == label);
  }
}

TEST_CASE(
    "a row that cannot be read has an error, its id where there is one, and the next follows") {
  std::string deep;
  for (int i = 0; i < 70; ++i) deep += "[";
  struct Row {
    std::string line;
    RowFields fields;
    std::string row;
  };
  const Row rows[] = {
      {"", {}, "0|error: the line is empty"},
      {"{\"text\": }", {}, "0|error: the line is not valid JSON at byte 9"},
      {R"({"text": "a"} {})", {}, "0|error: the line is not valid JSON at byte 14"},
      {R"({"text": "a")", {}, "0|error: the line is not valid JSON at byte 12"},
      {R"({"text": "\ud800"})", {}, "0|error: the line is not valid JSON at byte 16"},
      {"[1]", {}, "0|error: the line is not a JSON object"},
      {"\"text\"", {}, "0|error: the line is not a JSON object"},
      {"7", {}, "0|error: the line is not a JSON object"},
      {R"({"id": 7, "text": 1})", {}, "7|error: field \"text\" is not a string"},
      {R"({"id": 7, "text": ["a"]})",
       {},
       "7|error: field \"text\" is not a string but a list; evaluate reads lists of words with a "
       "model that labels tokens"},
      {R"({"id": 7, "text": "a", "text": "b"})",
       {},
       "7|error: the line has the field \"text\" twice"},
      {R"({"id": [7], "text": "a"})", {}, "0|error: field \"id\" is neither a string nor a number"},
      {R"({"text": "a"})", {{}, {}, "id", {}}, "0|error: no field \"id\""},
      {R"({"id": 7, "text": "a", "b": 1})",
       {{}, "b", {}, {}},
       "7|error: field \"b\" is not a string"},
      {R"({"id": 7, "text": "a"})", {{}, {}, {}, {"c"}}, "7|error: no field \"c\""},
      {R"({"id": 7, "text": "a", "x": )" + deep,
       {},
       "7|error: the line is nested more than 64 levels deep"},
      {"{\"id\": 7, \"text\": \"\xFF\"}", {}, "7|error: not valid UTF-8 at byte 19"},
  };
  for (const auto& row : rows) {
    const std::string next =
        "\n"
        R"({"text": "good", "b": "B", "c": "C", "id": 9})"
        "\n";
    const std::string found = rows_of(row.line + next, RowFormat::jsonl, row.fields);
    CHECK(found.substr(0, found.find('\n')) == row.row);
    CHECK(found.substr(found.find('\n') + 1) == (row.fields.pair ? "9|good|B\n" : "9|good\n"));
  }
}

TEST_CASE("rows without an id are counted, also across rows that cannot be read") {
  CHECK(rows_of("{\"text\": \"a\"}\n{}\n{\"text\": \"b\", \"id\": \"x\"}\n{\"text\": \"c\"}",
                RowFormat::jsonl, {}) == "0|a\n1|\n\"x\"|b\n3|c\n");
}

TEST_CASE("a line of JSON has the fields of its top level, what is nested as it is spelled") {
  const JsonLine line(R"({"a": {"a": 1, "b": [2, {"c": "]"}]} , "b": [], "c": false, "d": "x"})");
  REQUIRE(line.find("a") != nullptr);
  CHECK(line.find("a")->kind == JsonLine::Kind::nested);
  CHECK(line.find("a")->text == R"({"a": 1, "b": [2, {"c": "]"}]})");
  CHECK(line.find("b")->kind == JsonLine::Kind::nested);
  CHECK(line.find("b")->text == "[]");
  CHECK(line.find("c")->text == "false");
  CHECK(line.find("d")->kind == JsonLine::Kind::string);
  CHECK(line.find("e") == nullptr);
}

TEST_CASE("the format follows from the file's ending") {
  struct Row {
    std::string path;
    RowFormat format;
  };
  const Row rows[] = {
      {"a.jsonl", RowFormat::jsonl},    {"A.JSONL", RowFormat::jsonl},
      {"A.CSV.Gz", RowFormat::csv},     {"a.Tsv.ZST", RowFormat::tsv},
      {"a.ndjson", RowFormat::jsonl},   {"a.txt", RowFormat::text},
      {"a", RowFormat::text},           {"-", RowFormat::text},
      {"jsonl/a", RowFormat::text},     {"part-0.json", RowFormat::jsonl},
      {"a.csv", RowFormat::csv},        {"a.tsv", RowFormat::tsv},
      {"a.jsonl.gz", RowFormat::jsonl}, {"a.csv.zst", RowFormat::csv},
      {"a.zst", RowFormat::text},       {"a.csv.bak", RowFormat::text},
  };
  for (const auto& [path, format] : rows) CHECK(row_format_of(path) == format);
}

}  // namespace
}  // namespace headlight::row_reader_test
