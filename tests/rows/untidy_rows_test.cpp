// Files as spreadsheets, scripts and `cat` leave them.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "rows/encoding_cure.h"
#include "rows/json_cure.h"
#include "rows/pipe.h"
#include "rows/row_reader.h"

namespace headlight::untidy_rows_test {
namespace {

struct ReadFile {
  std::string rows;   // "line|id|text|error|name=kept…" of each
  std::string notes;  // joined by a newline
};

ReadFile all_of(RowReader& reader) {
  ReadFile found;
  while (const auto row = reader.next()) {
    found.rows +=
        std::to_string(row->line) + '|' + row->id.text + '|' + row->input.text + '|' + row->error;
    for (const auto& kept : row->kept) found.rows += '|' + kept.name + '=' + kept.text.value_or("");
    found.rows += '\n';
  }
  return found;
}

ReadFile read_file(const std::string& name, const std::string& bytes, RowReading reading = {}) {
  const TemporaryFolder folder;
  folder.write(name, bytes);
  std::string notes;
  reading.format = row_format_of(name);
  reading.note = [&](const std::string& line) {
    notes += line.substr(line.rfind(": ") + 2) + '\n';
  };
  RowReader reader(folder / name, reading);
  ReadFile found = all_of(reader);
  found.notes = notes;
  return found;
}

TEST_CASE("blank lines, rows without a cell and surplus empty cells are no rows and no cells") {
  struct Case {
    std::string file;
    std::string bytes;
    std::string rows;
  };
  const std::string two = "2|0|a|\n4|1|b|\n";
  for (const auto& [file, bytes, rows] : std::vector<Case>{
           {"r.csv", "text,label\na,x\n\nb,y\n\n\n", two},
           {"r.csv", "text,label\r\na,x\r\n,\r\nb,y\r\n,\r\n", two},
           {"r.csv", "text,label\na,x\n  , \nb,y\n \t", two},
           {"r.csv", "text,label,,\na,x,,\n,,,\nb,y,,\n", two},
           {"r.csv", "text,label,\na,x\n\nb,y,\n", two},
           {"r.csv", "text,label\na,x,,,\n\nb,y,\n", two},
           {"r.csv", "text\na\n\nb\n", two},
           {"r.csv", "\n,,\ntext\na\n\"\"\n \n", "4|0|a|\n5|1||\n6|2| |\n"},
           {"r.csv", "text,label\na,x\n\"\",\"\"\n", "2|0|a|\n3|1||\n"},
           {"r.csv", "text,label\na,x,,z\n", "2|0||has 4 cells, expected 2 as in the header\n"},
           {"r.csv", "text,label\na\n", "2|0||has 1 cell, expected 2 as in the header\n"},
           {"r.tsv", "text\tlabel\na\tx\n\nb\ty\n\t\n", two},
           {"r.tsv", "text\tlabel\t\na\tx\t\t\n \nb\ty\n", two},
           {"r.jsonl", "\n{\"text\":\"a\"}\n   \n\r\n{\"text\":\"b\"}\n\n", "2|0|a|\n5|1|b|\n"},
           {"r.txt", "a\n\nb\n", "1|0|a|\n2|1||\n3|2|b|\n"},
       }) {
    CAPTURE(bytes);
    CHECK(read_file(file, bytes).rows == rows);
  }
}

TEST_CASE("a caller that writes JSONL to standard input gets an answer to each line") {
  const Pipe pipe("{\"text\":\"a\"}\n\n \n{\"text\":\"b\"}\n");
  RowReader reader(pipe.reader(), "f", {.format = RowFormat::jsonl});
  CHECK(all_of(reader).rows == "1|0|a|\n2|1||the line is empty\n3|2||the line is empty\n4|3|b|\n");
}

TEST_CASE("columns without a name are kept by their number") {
  RowReading reading;
  reading.keep = true;
  CHECK(read_file("r.csv", ",text,\n7,a,\n8,b\n", reading).rows ==
        "2|0|a||1=7|text=a|3=\n3|1|b||1=8|text=b|3=\n");
  CHECK(read_file("r.csv", "1,text,\n7,a,z\n", reading).rows == "2|0|a||1=7|text=a|3=z\n");
}

TEST_CASE("a byte-order mark at the beginning of any line is not text") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(read_file("r.jsonl", mark + "{\"text\":\"a\"}\n" + mark + "{\"text\":\"b\"}\n").rows ==
        "1|0|a|\n2|1|b|\n");
  CHECK(read_file("r.csv", mark + mark + "text\na\n" + mark + "\"b\nc\"\n").rows ==
        "2|0|a|\n3|1|b\nc|\n");
  CHECK(read_file("r.txt", "a\n" + mark + "b").rows == "1|0|a|\n2|1|b|\n");
  CHECK(read_file("r.json", mark + "[{\"text\":\"a\"}]").rows == "1|0|a|\n");
}

TEST_CASE("a second header is said and no row, and one in another order is refused") {
  const std::string table = "text,label\na,x\n";
  const ReadFile joined = read_file("r.csv", table + "\xEF\xBB\xBF" + table + table);
  CHECK(joined.rows == "2|0|a|\n4|1|a|\n6|2|a|\n");
  CHECK(joined.notes ==
        "line 3 is the header again, as cat leaves it between files; it is no row\n");
  CHECK(read_file("r.csv", "text\na\ntext\n").rows == "2|0|a|\n3|1|text|\n");  // may be a text
  CHECK(error_of([&] { read_file("r.csv", table + "label,text\nx,b\n"); })
            .ends_with("line 3 is a header with other places of its columns; give the files that "
                       "were joined one by "
                       "one"));
}

TEST_CASE("an array of JSON is its elements, on lines of any length") {
  struct Case {
    std::string bytes;
    std::string rows;
    std::string notes = "";
  };
  for (const auto& [bytes, rows, notes] : std::vector<Case>{
           {"[{\"text\":\"a\"},{\"text\":\"b\"}]", "1|0|a|\n1|1|b|\n"},
           {"[\n  {\n    \"text\": \"a, ]} \\\" \\\\\"\n  },\n\n  {\"text\": \"b\"}\n]\n",
            "2|0|a, ]} \" \\|\n6|1|b|\n"},
           {" [ ]", ""},
           {"[{\"text\":oops},{\"text\":\"b\"}]",
            "1|0||the line is not valid JSON at byte 8\n1|1|b|\n"},
           {"[{\"text\":\"a\"}, null, 7, \"c\"]",
            "1|0|a|\n1|1||the line is not a JSON object\n1|2||the line is not a JSON object\n"
            "1|3||the line is not a JSON object\n"},
           {"[{\"text\":\"a\"}\n", "1|0|a|\n",
            "the array is not closed by ]; rows at its end may be missing\n"},
           {"{\"text\":\"a\"}\n{\"text\":\"b\"}\n", "1|0|a|\n2|1|b|\n"},
           {"[1]\n{\"text\":\"b\"}\n", "1|0||the line is not a JSON object\n2|1|b|\n"},
       }) {
    CAPTURE(bytes);
    const ReadFile found = read_file("r.json", bytes);
    CHECK(found.rows == rows);
    CHECK(found.notes == notes);
  }
  RowReading reading;
  reading.keep = true;
  CHECK(read_file("r.json", "[{\"text\":\"a\",\"m\":{\n\"b\": [1,\r\n2]}}]", reading).rows ==
        "1|0|a||text=a|m={ \"b\": [1,  2]}\n");
}

TEST_CASE("an array arrives in pieces of any size") {
  const std::string array = "\xEF\xBB\xBF[\n {\"text\": \"a\"},\n {\"text\": \"b\"}\n]\n";
  for (std::size_t cut = 1; cut < array.size(); ++cut) {
    Pipe pipe;
    pipe.write(array.substr(0, cut));
    RowReader reader(pipe.reader(), "f", {.format = RowFormat::jsonl});
    reader.ready();
    pipe.write(array.substr(cut));
    pipe.close();
    CHECK(all_of(reader).rows == "2|0|a|\n3|1|b|\n");
  }
}

TEST_CASE("quotes in TSV, and backslashes before quotes in CSV, are said with their option") {
  const std::string tsv =
      "has quotes around a cell, which are text; --delimiter tab reads cells in quotes\n";
  const std::string csv = "has \\\" in a cell in quotes; --escape '\\' reads it as a quote\n";
  struct Case {
    std::string file;
    std::string bytes;
    std::string note;
  };
  for (const auto& [file, bytes, note] : std::vector<Case>{
           {"r.tsv", "text\tb\n\"a\"\tb\n\"c\"\td\n", "line 2 " + tsv},
           {"r.tsv", "text\tb\na\tb\n\"a\nb\"\td\n", "line 3 " + tsv},
           {"r.tsv", "text\tb\n\"a\" he said\tb\nsay \"a\"\td\n", ""},
           {"r.csv", "text,b\n\"say \\\"a\\\"\",b\n", "line 2 " + csv},
           {"r.csv", "text,b\n\"say \\\"a, b\\\" c\",b\n", "line 2 " + csv},
           {"r.csv", "text,b\n\"say \\\"a\\\"\n,b\n", "line 2 " + csv},
           {"r.csv", "text,b\n\"C:\\\",b\n", ""},
           {"r.csv", "text,b\n\"a\"\"b\",5\\\"\n", ""},
       }) {
    CAPTURE(bytes);
    const std::string notes = read_file(file, bytes).notes;
    CHECK(notes == note);
  }
  RowReading reading;
  reading.csv.escape = '\\';
  CHECK(read_file("r.csv", "text,b\n\"a \\\"b, c\\\"\nd\",\"\\\\\"\na\\,b,c\n\"e \"\"f\"\"\",g\n",
                  reading)
            .rows == "2|0|a \"b, c\"\nd|\n4|1|a,b|\n5|2|e \"f\"|\n");
  CHECK(error_of([] {
          read_file("r.tsv", "\"text\"\t\"b\"\n\"a\"\tc\n");
        }).ends_with("it has \"text\", \"b\"; --delimiter tab reads cells in quotes"));
}

TEST_CASE("null, NaN, an absent field and an empty cell are a missing text, in each format") {
  const std::string jsonl =
      "{\"l\":1,\"a\":\"A\",\"b\":\"B\"}\n{\"l\":1,\"a\":\"A\",\"b\":null}\n{\"l\":1,\"b\":\"B\"}"
      "\n{\"l\":1,\"a\":NaN}\n{\"l\":1,\"a\":"
      "\"\"}\n";
  const std::string csv = "a,b\nA,B\nA,\n,B\n,NA\n\"\",NA\n";
  const std::string tsv = "a\tb\nA\tB\nA\t\n\tB\n\tNA\n\tNA\n";
  RowReading reading;
  reading.null = "NA";
  reading.fields.text = {"a", "b"};
  const auto texts = [&](const std::string& file, const std::string& bytes) {
    std::string found;
    const std::string rows = read_file(file, bytes, reading).rows;
    for (std::size_t at = 0; at < rows.size(); at = rows.find('\n', at) + 1) {
      found += rows.substr(rows.find('|', rows.find('|', at) + 1),
                           rows.find('\n', at) - rows.find('|', rows.find('|', at) + 1));
    }
    return found;
  };
  const std::string scored = "|A B||A || B|||";
  CHECK(texts("r.jsonl", jsonl) == scored + "| |");
  CHECK(texts("r.csv", csv) == scored + "||");
  CHECK(texts("r.tsv", tsv) == scored + "||");
  const std::string error = "|the text is missing";
  for (const bool is_labelled : {false, true}) {
    reading.missing_is_error = true;
    reading.needs_label = is_labelled;
    reading.fields.label = {"l"};
    CHECK(texts("r.jsonl", jsonl).starts_with("|A B||A || B||" + error));
    reading.fields.label = {"b"};
    CHECK(texts("r.csv", csv) == "|A B||A || B||" + error + '|' + error);
    CHECK(texts("r.tsv", tsv) == "|A B||A || B||" + error + '|' + error);
  }
  reading = {};
  reading.fields.pair = "p";
  const std::string pairs = "{\"text\":\"a\"}\n{\"text\":\"b\",\"p\":\"c\"}\n";
  CHECK(texts("r.jsonl", pairs) == "|a||b|");
  reading.missing_is_error = true;
  CHECK(texts("r.jsonl", pairs) == "|a|the second text is missing|b|");
}

TEST_CASE("a file of which no row has the field of the text is refused, and a pipe gets a note") {
  const std::string rows = "{\"id\":1,\"body\":\"a\"}\n{\"id\":2}\n";
  RowReading reading;
  CHECK(
      error_of([&] { read_file("r.jsonl", rows, reading); })
          .ends_with(
              R"(has no field "text"; its first row has id, body; --text NAME selects the field of the text)"));
  reading.fields.text = {"bdy"};
  CHECK(error_of([&] {
          read_file("r.jsonl", rows, reading);
        }).ends_with(R"(has no field "bdy"; its first row has id, body; did you mean "body"?)"));
  reading.fields.text = {"body"};
  reading.fields.pair = "idd";
  CHECK(error_of([&] {
          read_file("r.jsonl", rows, reading);
        }).ends_with(R"(has no field "idd"; its first row has id, body; did you mean "id"?)"));
  reading.fields = {};
  reading.fields.text = {"body", "title"};
  CHECK(
      error_of([&] { read_file("r.jsonl", rows, reading); })
          .ends_with(
              R"(has no field "title"; its first row has id, body; --text NAME selects the field of the text)"));
  CHECK(read_file("r.jsonl", rows + "{\"title\":\"b\"}\n", reading).rows ==
        "1|1|a |\n2|2||\n3|2| b|\n");
  reading.fields = {};
  reading.selection.skip = 2;  // the row before may have it
  CHECK(read_file("r.jsonl", rows + "{\"id\":3}\n", reading).rows == "3|3||\n");
  std::string note;
  const Pipe pipe(rows);
  RowReader reader(
      pipe.reader(), "f",
      {.format = RowFormat::jsonl, .note = [&](const std::string& line) { note = line; }});
  CHECK(all_of(reader).rows == "1|1||\n2|2||\n");
  CHECK(note.starts_with("f: no row has the field \"text\", so all texts are empty"));
}

TEST_CASE("a row that cannot be read keeps its own id, and with --keep its fields") {
  struct Case {
    std::string file;
    std::string line;
    std::string row;  // behind the number of its line
  };
  const std::string bad = "not valid UTF-8 at byte ";
  RowReading reading;
  reading.keep = true;
  for (const auto& [file, line, row] : std::vector<Case>{
           {"r.csv", "b7,a\xFF,x", "b7|a\uFFFD|" + bad + "4|id=b7|text=a\uFFFD|c=x"},
           {"r.csv", "b\xFF,a,x", "b\uFFFD|a|" + bad + "1|id=b\uFFFD|text=a|c=x"},
           {"r.csv", "b7,\xFF", "b7||" + bad + "3"},
           {"r.tsv", "b7\ta\tx\xFF", "b7|a|" + bad + "6|id=b7|text=a|c=x\uFFFD"},
           {"r.jsonl", "{\"text\":\"\xFF\",\"id\":7}", "7|\uFFFD|" + bad + "9|text=\uFFFD|id=7"},
           {"r.jsonl", "{\"id\":7,\"text\":\"\xFF\",}", "7||" + bad + "16"},
           {"r.jsonl", R"({"id":"b","text":1})", "b||field \"text\" is not a string|id=b|text=1"},
           {"r.jsonl", R"({"text":"a","text":"b","id":"c"})",
            "c||the line has the field \"text\" twice"},
           {"r.jsonl", R"({"id":"c","text":"a","id":"c"})",
            "0||the line has the field \"id\" twice"},
           {"r.jsonl", R"({"id":"c","text":oops})", "c||the line is not valid JSON at byte 17"},
           {"r.jsonl", R"({"id":"c"d","text":"a"})", "0||the line is not valid JSON at byte 9"},
           {"r.jsonl", R"({"id":12)", "0||the line is not valid JSON at byte 8"},
           {"r.txt", "a\xFF", "0|a\uFFFD|" + bad + "1|text=a\uFFFD"},
       }) {
    CAPTURE(line);
    const std::string header = file == "r.csv"   ? "id,text,c\n"
                               : file == "r.tsv" ? "id\ttext\tc\n"
                                                 : "";
    const ReadFile found = read_file(file, header + line + '\n', reading);
    CHECK(found.rows == (header.empty() ? "1|" : "2|") + row + '\n');
  }
  reading.header = false;
  reading.fields.text = {"2"};
  reading.fields.id = "1";
  CHECK(read_file("r.csv", "a\xFF,b,c\n7,d\n", reading).rows ==
        "1|0||not valid UTF-8 at byte 1\n2|7|d||1=7|2=d\n");
}

TEST_CASE("words that may stand for what is missing are text, with a note where they are many") {
  std::string rows = "text\nNA\n<NA>\n<NA>\n";
  CHECK(read_file("r.csv", rows).notes ==
        "2 of 3 texts are \"<NA>\", read as text; --null '<NA>' makes them missing\n"
        "1 of 3 texts are \"NA\", read as text; --null NA makes them missing\n");
  for (int i = 0; i < 97; ++i) rows += "a\n";
  CHECK(read_file("r.csv", rows).notes ==
        "2 of 100 texts are \"<NA>\", read as text; --null '<NA>' makes them missing\n");
  RowReading reading;
  reading.needs_label = true;
  CHECK(read_file("r.csv", "text,label\na,None\nb,x\n", reading).notes ==
        "1 of 4 texts and labels are \"None\", read as text; --null None makes them missing\n");
  CHECK(read_file("r.csv", "text,label\na,None\n").notes.empty());
}

TEST_CASE("words are noted once, also to who asks again for a row after the end") {
  const TemporaryFolder folder;
  folder.write("r.csv", "text\nNaT\na\n");
  std::size_t notes = 0;
  RowReader reader(folder / "r.csv",
                   {.format = RowFormat::csv, .note = [&](const std::string&) { ++notes; }});
  all_of(reader);
  CHECK_FALSE(reader.next());
  CHECK(notes == 1);
}

TEST_CASE("JSON that is no JSONL is said with the command that makes it so") {
  struct Case {
    std::string_view line;
    std::string_view command;
  };
  for (const auto& [line, command] : std::vector<Case>{
           {"{", "jq -c . r.json"},
           {R"({"text": "a",)", "jq -c . r.json"},
           {R"({"text": "a"},)", "sed 's/,$//' r.json"},
           {"{\"text\":\"a\"}\r{\"text\":\"b\"}\r", R"(tr '\r' '\n' < r.json)"},
           {R"({"text":{"0":"a","1":"b"},"label":{"0":1,"1":0}})",
            "jq -c '. as $t | (first(.[]) | keys_unsorted[]) as $i | $t | map_values(.[$i])' "
            "r.json"},
           {R"("a")", "jq -c '{text: .}' r.json"},
           {R"({"text":1})", ""},
           {R"({"text":"a"} x)", ""},
           {"{}", ""},
           {"a", ""},
       }) {
    CAPTURE(line);
    const std::string cure = json_cure(line, "r.json");
    CHECK(cure == std::string(command) + (command.empty() ? "" : " makes JSONL of it"));
  }
  CHECK(json_cure("[\"a\"]", "-") == "jq -c '.[] | {text: .}' makes JSONL of it");
  CHECK(json_cure("{", "-") == "jq -c . makes JSONL of it");
  const TemporaryFolder folder;
  folder.write("r.jsonl", "{\n\"text\":\"a\"\n}\n");
  RowReader reader(folder / "r.jsonl", {.format = RowFormat::jsonl});
  CHECK(reader.next()->cure == "jq -c . " + folder / "r.jsonl" + " makes JSONL of it");
  CHECK(reader.next()->cure.empty());
  CHECK(error_of([] {
          read_file("r.jsonl", R"({"n":1,"data":[ {"text":"a"}]})");
        }).find("has no field \"text\"; its first row has n, data; jq -c '.[\"data\"][]' ") !=
        std::string::npos);
}

TEST_CASE("the cure of bytes that are not UTF-8 is by what they look like") {
  struct Case {
    std::string_view bytes;
    std::string_view from;
  };
  for (const auto& [bytes, from] : std::vector<Case>{
           {"Caf\xE9 tr\xE8s agr\xE9"
            "able",
            "-f WINDOWS-1252"},
           {"Gr\xF6\xDF"
            "e, \x93so\x94",
            "-f WINDOWS-1252"},
           {"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0", "-f WINDOWS-1251"},
           {"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2", "-f KOI8-R"},
           {"\x82\xB1\x82\xEA\x82\xCD\x89\x66\x89\xE6", "-f SHIFT_JIS"},
           {"\xA4\xB3\xA4\xEC\xA4\xCF\xB1\xC7\xB2\xE8", "-f EUC-JP"},
           {"\xC3\xD6\xB0\xED\xC0\xC7 \xBF\xB5\xC8\xAD", "-f EUC-KR"},
           {"\xD5\xE2\xB2\xBF\xB5\xE7\xD3\xB0\xB7\xC7\xB3\xA3\xBA\xC3\xBF\xB4", "-f GB18030"},
           {"caf\xC3\xA9 \xC3", "-c -f UTF-8"},
       }) {
    CHECK(encoding_cure(bytes, "r.csv") ==
          "iconv " + std::string(from) + " -t UTF-8 r.csv makes UTF-8 of such text");
  }
  CHECK(encoding_cure("\xE9", "-") == "iconv -f WINDOWS-1252 -t UTF-8 makes UTF-8 of such text");
}

}  // namespace
}  // namespace headlight::untidy_rows_test
