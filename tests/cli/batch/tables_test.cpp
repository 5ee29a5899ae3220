// Tables in, tables out: as people have them, whole and in shards.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "rows/delimited.h"

namespace headlight::tables_test {
namespace {

const std::string kTable =
    "key,review,label\r\n"
    "a,good,yes\r\n"
    "b,\"bad,\r\n\"\"bad\"\"\",no\r\n"
    "c,ragged\r\n"
    "d,good bad,yes\r\n";

std::vector<std::string> batch(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"batch", "-m", "toy", "-q", "--row-errors-ok"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_CASE("a table is read, kept and written as a table") {
  const ToyPlace place;
  place.files().write("r.csv", kTable);
  const std::vector<std::string> read = {"r.csv", "--text", "review", "--id", "key"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = read;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.run(batch(arguments)).out;
  };
  const std::string jsonl = with({"--echo-text"});
  CHECK(jsonl.starts_with(R"({"id":"a","text":"good","label":")"));
  CHECK(jsonl.find(R"({"id":"b","text":"bad,\r\n\"bad\"","label":")") != std::string::npos);
  CHECK(jsonl.find(R"({"id":"c","text":"","error":"has 2 cells, expected 3 as in the header"})") !=
        std::string::npos);

  const std::string csv = with({"--keep", "--column-prefix", "my_", "--format", "csv"});
  CHECK(
      csv.starts_with("key,review,label,my_id,my_label,my_probability,my_truncated,my_error\na,"));
  CHECK(csv.find("\nb,\"bad,\r\n\"\"bad\"\"\",no,b,") != std::string::npos);
  CHECK(csv.find("\nc,,,c,,,,\"has 2 cells, expected 3 as in the header\"\nd,") !=
        std::string::npos);

  const std::string tsv = with({"--keep", "--column-prefix", "my_", "--format", "tsv",
                                "--no-output-header", "--null", "\\N"});
  CHECK(tsv.starts_with("a\tgood\tyes\ta\t"));
  CHECK(tsv.find("\nb\tbad,\\r\\n\"bad\"\tno\tb\t") != std::string::npos);
  CHECK(tsv.find("\nc\t\\N\t\\N\tc\t\\N\t\\N\t\\N\thas 2 cells") != std::string::npos);
}

TEST_CASE("a table without a header has numbers for columns, and text is put before its texts") {
  const ToyPlace place;
  place.files().write("r.tsv", "a\tgood\nb\tbad\n");
  const std::string rows = place.output(batch(
      {"r.tsv", "--no-header", "--id", "1", "--text", "2", "--prepend", "bad ", "--echo-text"}));
  CHECK(rows.starts_with(R"({"id":"a","text":"bad good",)"));
  CHECK(rows.find("\n{\"id\":\"b\",\"text\":\"bad bad\",") != std::string::npos);
}

TEST_CASE("the file's ending tells the format, also where it is compressed") {
  const ToyPlace place;
  place.files().write("r.csv", "text\ngood\n");
  place.files().write("r.tsv", "text\ngood\n");
  place.files().write("r.csv.gz", compressed_member(Compression::gzip, "text\ngood\n"));
  place.files().write("r.jsonl.zst",
                      compressed_member(Compression::zstd, "{\"text\": \"good\"}\n"));
  const std::string expected = place.output(batch({"-"}), "good\n");
  for (const std::string name : {"r.csv", "r.tsv", "r.csv.gz", "r.jsonl.zst"}) {
    CAPTURE(name);
    CHECK(place.output(batch({name})) == expected);
  }
}

TEST_CASE("a compressed file that is damaged or cut off ends the run, what was read written") {
  const ToyPlace place;
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += i % 3 == 0 ? "good\n" : "bad good\n";
  const std::string whole =
      compressed_member(Compression::gzip, lines) + compressed_member(Compression::gzip, lines);
  place.files().write("cut.gz", whole.substr(0, whole.size() - 9));
  const Outcome cut = place.run(batch({"cut.gz"}));
  check_last_reason(cut, 1, "cut.gz: the compressed data ends too early");
  CHECK(cut.out.find("{\"id\":19999,") != std::string::npos);

  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 0x55;
  damaged[whole.size() / 2 + 1] ^= 0x55;
  place.files().write("damaged.gz", damaged);
  check_last_reason(place.run(batch({"damaged.gz"})), 1, "damaged.gz: cannot be decompressed");
  place.files().write("plain.gz", lines);
  check_last_reason(place.run(batch({"plain.gz"})), 1, "plain.gz: cannot be decompressed");
}

TEST_CASE("shards put together are the undivided file") {
  const ToyPlace place;
  std::string table = "id,text\n";
  for (int i = 0; i < 23; ++i) table += std::to_string(100 + i) + (i % 5 == 4 ? "\n" : ",good\n");
  place.files().write("r.csv", table);
  const std::string whole = place.run(batch({"r.csv", "--skip", "2", "--limit", "19"})).out;
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = whole.find('\n', begin) + 1;
    lines.push_back(whole.substr(begin, end - begin));
    begin = end;
  }
  REQUIRE(lines.size() == 19);
  for (const std::size_t shards : {1U, 2U, 5U, 30U}) {
    for (std::size_t shard = 0; shard < shards; ++shard) {
      std::string expected;
      for (std::size_t row = 2; row < 21; ++row) {
        if (row % shards == shard) expected += lines[row - 2];
      }
      CHECK(place
                .run(batch({"r.csv", "--skip", "2", "--limit", "19", "--shard",
                            std::to_string(shard) + "/" + std::to_string(shards)}))
                .out == expected);
    }
  }
}

TEST_CASE("a table without rows has a header where its input has one, and nothing has nothing") {
  const ToyPlace place;
  const std::vector<std::string> arguments =
      batch({"-", "--input-format", "csv", "--format", "csv"});
  CHECK(place.output(arguments, "text\n") == "id,label,probability,truncated,error\n");
  CHECK(place.output(arguments, "").empty());
  const std::vector<std::string> keep = {"--keep", "--format", "csv"};
  const auto kept = [&](std::vector<std::string> more, const std::string& input) {
    more.insert(more.begin(), keep.begin(), keep.end());
    more.insert(more.begin(), "-");
    return place.output(batch(more), input);
  };
  const std::string columns = "n,text,id,label,probability,truncated,error\n";
  CHECK(kept({"--input-format", "csv"}, "n,text\n") == columns);
  CHECK(kept({"--input-format", "jsonl", "--shard", "1/2"}, R"({"n": 1, "text": "good"})") ==
        columns);
}

TEST_CASE("classify and tokenize write a line of a table a text") {
  const ToyPlace place;
  const std::string classified =
      place.output({"classify", "-m", "toy", "--format", "csv", "--pair", "bad", "good, good"});
  CHECK(classified.starts_with("text,pair,label,probability,logit."));
  CHECK(classified.find(",tokens,truncated,error\n\"good, good\",bad,") != std::string::npos);
  const std::string tokens = place.output({"tokenize", "-m", "toy", "--format", "tsv", "good"});
  CHECK(tokens.starts_with("text\ttokens\tids\ttype_ids\toffsets\tsequence\terror\ngood\t["));
  const auto cells = split_tsv(tokens.substr(tokens.find('\n') + 1), {});
  REQUIRE(cells.size() == 7);
  const OrderedJson json = place.json({"tokenize", "-m", "toy", "--format", "jsonl", "good"});
  CHECK(OrderedJson::parse(*cells[2]) == json["ids"]);
  CHECK(OrderedJson::parse(*cells[4]) == json["offsets"]);
}

}  // namespace
}  // namespace headlight::tables_test
