// Input that is not what it should be: binary files, other delimiters, other labels; and the lines
// that messages about rows name.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::input_kinds_test {
namespace {

using namespace std::string_literals;
using Arguments = std::vector<std::string>;

TEST_CASE("binary input is refused by every command that reads rows or lines") {
  const ToyPlace place;
  place.add("causal", [](OrderedJson& config) { config["attention_mask"] = "causal"; });
  const std::string image = "\x89PNG\r\n\x1A\n\0\0\0\rIHDR"s;
  place.files().write("image", image);
  place.files().write("table.csv", "PK\x03\x04"s + std::string(26, '\0') + "[Content_Types].xml");
  check_refusal(place.run({"batch", "image", "-m", "toy"}), 1, "image: looks like a PNG image");
  check_refusal(place.run({"batch", "table.csv", "-m", "toy", "-o", "out"}), 1,
                "table.csv: looks like an Excel|save it as CSV");
  CHECK_FALSE(place.files().has("out.partial"));
  check_refusal(place.run({"evaluate", "table.csv", "-m", "toy"}), 1, "table.csv: looks like");
  check_refusal(place.run({"batch", "toy/model.safetensors", "-m", "toy"}), 1,
                "toy/model.safetensors: looks like a safetensors file");
  for (const Arguments& reader : {Arguments{"classify", "-m", "toy"},
                                  {"tokenize", "-m", "toy"},
                                  {"batch", "-m", "toy"},
                                  {"explain", "-m", "toy"},
                                  {"attention", "-m", "toy"},
                                  {"stream", "-m", "causal"}}) {
    INFO(reader.front());
    const Outcome outcome = place.run(reader, image);
    check_last_reason(outcome, 1, "standard input: looks like a PNG image");
    CHECK(outcome.out == "");
  }
}

TEST_CASE("rows are the same whatever the case of the ending, and with CR alone as line end") {
  const ToyPlace place;
  const std::string csv = "id,text\n7,\"good, a\"\n8,bad\n";
  std::string cr = csv;
  std::ranges::replace(cr, '\n', '\r');
  const auto batch = [&](const std::string& file, const std::string& bytes) {
    place.files().write(file, bytes);
    return place.output({"batch", file, "-m", "toy", "--echo-text"});
  };
  const std::string rows = batch("rows.csv", csv);
  CHECK(lines_of(rows).size() == 2);
  for (const std::string file : {"ROWS.CSV", "ROWS.Csv"}) CHECK(batch(file, csv) == rows);
  CHECK(batch("ROWS.CSV.GZ", compressed_member(Compression::gzip, csv)) == rows);
  CHECK(batch("mac.csv", cr) == rows);
  CHECK(place.output({"batch", "-", "--input-format", "csv", "-m", "toy", "--echo-text"}, cr) ==
        rows);
  CHECK(batch("mac.txt", "good\rbad\r") == batch("rows.txt", "good\nbad\n"));
  CHECK(batch("ROWS.TSV", "text\nbad\n") == batch("mac.tsv", "text\rbad\r"));
  const std::string json = "{\"text\": \"good\"}\r{\"text\": \"bad\"}";
  CHECK(batch("MAC.JSONL", json) == batch("rows.txt", "good\nbad\n"));
}

TEST_CASE("lines that are clearly JSONL or CSV are not scored as text without a word") {
  const ToyPlace place;
  struct Case {
    std::string rows;
    std::string found;  // empty: text
  };
  for (const auto& [rows, found] : std::vector<Case>{
           {"{\"id\": 1, \"text\": \"good\"}\n", "looks like jsonl|--input-format jsonl"},
           {"text,label\ngood,positive\n", "looks like csv|--input-format csv"},
           {"id\ttext\r\n1\tgood\r\n", "looks like tsv|--input-format tsv"},
           {"{\"message\": \"good\"}\n", ""},
           {"{\"text\": 1}\n", ""},
           {"{good}\n", ""},
           {"text, label and picture\n", ""},
           {"text,mining\n", ""},
           {"good\n{\"id\": 1, \"text\": \"good\"}\n", ""},
       }) {
    CAPTURE(rows);
    place.files().write("rows.log", rows);
    for (const std::string file : {"rows.log", "-"}) {
      const Arguments batch = {"batch", file, "-m", "toy"};
      const Outcome outcome = place.run(batch, rows);
      CHECK(outcome.status == (found.empty() ? 0 : 1));
      if (!found.empty()) check_last_reason(outcome, 1, found);
      Arguments told = batch;
      told.insert(told.end(), {"--input-format", "text"});
      CHECK(place.run(told, rows).status == 0);
    }
    place.files().write("rows.log", "\n  \r\n" + rows);
    CHECK(place.run({"batch", "rows.log", "-m", "toy", "--row-errors-ok"}).status ==
          (found.empty() ? 0 : 1));
    const Outcome noted = place.run({"classify", "-m", "toy"}, rows);
    CHECK(noted.status == 0);
    CHECK((noted.err.find("; headlight batch --input-format") == std::string::npos) ==
          found.empty());
  }
}

TEST_CASE("--delimiter reads other tables, and only tables") {
  const ToyPlace place;
  place.files().write("semi.csv", "id;text\n7;good\n8;\"bad;\nplot\"\n");
  place.files().write("tabs.tsv", "id\ttext\n7\tgood\n8\t\"bad\tplot\"\n");
  check_refusal(place.run({"batch", "semi.csv", "-m", "toy"}), 1,
                "semi.csv: has no column \"text\"|--delimiter ';'");
  const std::string ids = R"({"id":"7","label":"positive")";
  for (const Arguments& arguments : {Arguments{"semi.csv", "--delimiter", ";"},
                                     {"tabs.tsv", "--delimiter", "tab"},
                                     {"tabs.tsv", "--delimiter", "\\t", "--input-format", "csv"},
                                     {"semi.csv", "--delimiter", ";", "--input-format", "tsv"},
                                     {"tabs.tsv", "--delimiter", "\t"}}) {
    Arguments all = {"batch", "-m", "toy"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto lines = lines_of(place.output(all));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].starts_with(ids));
    CHECK(lines[1].starts_with(R"({"id":"8","label":"negative")"));
  }
  for (const std::string wrong : {"", ";;", "\"", "\n", "\xC3\xA9"}) {
    check_refusal(place.run({"batch", "semi.csv", "-m", "toy", "--delimiter", wrong}), 2,
                  "--delimiter|one ASCII character");
  }
  check_refusal(place.run({"batch", "-m", "toy", "--delimiter", ";", "rows.txt"}), 2,
                "--delimiter needs CSV input|--input-format csv");
}

TEST_CASE("a file without labels is one error that lists its columns") {
  const ToyPlace place;
  place.files().write("rows.csv", "text,stars\ngood,1\nbad,0\n");
  place.files().write("rows.jsonl", "{\"text\": \"good\", \"stars\": 1}\n{\"text\": \"bad\"}\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "toy"}), 1,
                "rows.csv: has no column \"label\"; it has text, stars|--label NAME");
  check_refusal(place.run({"evaluate", "rows.jsonl", "-m", "toy"}), 1,
                "rows.jsonl: has no field \"label\"|text, stars|--label NAME");
  check_refusal(place.run({"evaluate", "rows.jsonl", "-m", "toy", "--label", "gold"}), 1,
                "rows.jsonl: has no field \"gold\"|text, stars");
}

TEST_CASE("a message about a row names its id and the line where it begins") {
  const ToyPlace place;
  place.files().write("rows.csv", "id,text\na,\"good\nplot\"\nb,good,bad\nc,good\n");
  const std::string row = "row b (row 1, line 4): has 3 cells";
  check_last_reason(place.run({"batch", "rows.csv", "-m", "toy"}), 3, "first error: " + row);
  check_last_reason(place.run({"batch", "rows.csv", "-m", "toy", "--on-error", "stop"}), 1, row);
  check_last_reason(place.run({"batch", "rows.csv", "-m", "toy", "--max-errors", "0"}), 1,
                    "--max-errors 0|last error: " + row);
  check_last_reason(place.run({"batch", "-", "-m", "toy"}, "good\n\xFF\n"), 3, "row 1 (line 2): ");
  check_last_reason(place.run({"classify", "-m", "toy"}, "good\n\xFF\n"), 3, "text 1 (line 2): ");
  const Outcome typed = place.run({"classify", "-m", "toy", "good", "\xFF"});
  check_last_reason(typed, 3, "text 1: ");
  place.files().write("kept.jsonl", "nope\n");
  check_last_reason(place.run({"batch", "kept.jsonl", "-m", "toy", "--keep", "--format", "csv"}), 1,
                    "row 0 (line 1): cannot be read");
}

}  // namespace
}  // namespace headlight::input_kinds_test
