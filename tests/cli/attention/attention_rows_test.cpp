// headlight attention --input: the statistics of each row of a file, or its arrays.
#include <chrono>
#include <csignal>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "cli/vector_file.h"
#include "sanitized.h"

namespace headlight::attention_rows_test {
namespace {

const std::string kRows =
    "{\"id\": \"b\", \"text\": \"good bad\"}\n{\"text\": 7}\n{\"text\": \"good movie\"}\n";

/// Bytes of a little-endian number.
std::size_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
  std::size_t number = 0;
  for (std::size_t i = size; i > 0; --i) {
    number = number * 256 + static_cast<unsigned char>(bytes.at(at + i - 1));
  }
  return number;
}

/// The members of a ZIP archive by name, found through the directory at its end.
std::map<std::string, std::string> members_of(const std::string& zip) {
  std::map<std::string, std::string> members;
  const std::size_t end = zip.size() - 22;
  REQUIRE(zip.substr(end, 4) == "PK\5\6");
  std::size_t at = number_at(zip, end + 16, 4);
  for (std::size_t left = number_at(zip, end + 10, 2); left > 0; --left) {
    REQUIRE(zip.substr(at, 4) == "PK\1\2");
    const std::string name = zip.substr(at + 46, number_at(zip, at + 28, 2));
    const std::size_t begin = number_at(zip, at + 42, 4) + 30 + name.size();
    members[name] = zip.substr(begin, number_at(zip, at + 20, 4));
    at += 46 + name.size();
  }
  CHECK(at == end);
  return members;
}

TEST_CASE("each row has the statistics that its text alone has, in order") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  for (const std::string model : {"toy", "encoder"}) {
    CAPTURE(model);
    const Arguments rows = {"attention", "--stats", "-m", model, "--input", "rows.jsonl"};
    const Outcome outcome = place.run(with(rows, {"--threads", "1"}));
    check_last_reason(outcome, 3, "1 of 3 rows could not be scored; first error: row 1 (line 2)");
    const auto lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 3);
    const auto alone = [&](const std::string& id, const std::string& text) {
      const std::string object =
          place.bare_json({"attention", "--stats", "-m", model, "--format", "json", text}).dump();
      return OrderedJson::parse("{\"id\":" + id + "," + object.substr(1));
    };
    CHECK(OrderedJson::parse(lines[0]) == alone("\"b\"", "good bad"));
    CHECK(OrderedJson::parse(lines[1]).size() == 2);
    CHECK(OrderedJson::parse(lines[1])["error"].is_string());
    CHECK(OrderedJson::parse(lines[2]) == alone("2", "good movie"));
    CHECK(place.run(with(rows, {"--threads", "3"})).out == outcome.out);
  }
}

TEST_CASE("an NPZ file has the arrays of each row but those with an error, by its number") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  const Outcome outcome =
      place.run({"attention", "-m", "toy", "--input", "rows.jsonl", "-o", "a.npz"});
  check_last_reason(outcome, 3, "1 of 3 rows could not be scored; first error: row 1 (line 2)");
  const std::string archive = place.files().read("a.npz");
  CHECK(
      archive ==
      place.run({"attention", "-m", "toy", "--format", "npz"}, "good bad\n\xFF\ngood movie\n").out);
  auto members = members_of(archive);
  CHECK(members.size() == 12);
  for (const auto& [number, text] :
       std::map<std::string, std::string>{{"0", "good bad"}, {"2", "good movie"}}) {
    const std::string alone = place.output({"attention", "-m", "toy", "--format", "npy", text});
    CHECK(read_vectors(members[number + "/attention.npy"]) == read_vectors(alone));
  }
  const auto skipped = members_of(place.output(
      {"attention", "-m", "toy", "--input", "rows.jsonl", "--skip", "2", "--format", "npz"}));
  CHECK(skipped.at("2/tokens.npy") == members["2/tokens.npy"]);
  CHECK(skipped.size() == 6);
}

TEST_CASE("a file without rows gives nothing, or an archive of nothing") {
  const ToyPlace place;
  place.files().write("none.txt", "");
  const Arguments none = {"attention", "-m", "toy", "--input", "none.txt"};
  CHECK(place.output(with(none, {"--stats"})) == "");
  CHECK(members_of(place.output(with(none, {"--format", "npz"}))).empty());
}

TEST_CASE("a stopped run of statistics goes on, one of arrays leaves nothing") {
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < (kSanitized ? 500 : 20'000); ++i) rows += "good bad good bad\n";
  place.files().write("rows.txt", rows);
  const Arguments input = {"attention", "-m", "toy", "--input", "rows.txt", "-q", "-o"};
  const Arguments lines = with(input, {"out.jsonl", "--stats", "--resume"});
  for (const int number : {SIGINT, SIGKILL}) {
    Process process(place.command(lines));
    std::this_thread::sleep_for(std::chrono::milliseconds(kSanitized ? 400 : 40));
    process.send(number);
    process.finish();
  }
  CHECK(place.run(lines).status == 0);
  CHECK(place.run(with(input, {"whole.jsonl", "--stats"})).status == 0);
  CHECK((place.files().read("out.jsonl") == place.files().read("whole.jsonl")));

  place.files().write("bad.txt", "good\n\xFF\n");
  const Outcome stopped = place.run(
      {"attention", "-m", "toy", "--input", "bad.txt", "-o", "a.npz", "--on-error", "stop"});
  check_last_reason(stopped, 1, "row 1 (line 2): not valid UTF-8");
  CHECK(stopped.err.find("--resume") == std::string::npos);
  for (const std::string name : {"a.npz", "a.npz.partial", "a.npz.partial.json"}) {
    CHECK_FALSE(place.files().has(name));
  }
}

TEST_CASE("what makes no sense for rows is refused before anything is written") {
  const ToyPlace place;
  for (const auto& [more, reason] : std::vector<std::pair<Arguments, std::string>>{
           {{}, "--input needs --stats or --format npz"},
           {{"--stats", "good"}, "--input|TEXT"},
           {{"--stats", "--format", "json"}, "--input|--format json"},
           {{"--format", "npz", "--query", "0"}, "--input|--query"},
           {{"--format", "npz", "--ablate", "0.0"}, "--input|--ablate"},
           {{"--stats", "--hidden", "h.npy"}, "--input|--hidden"},
           {{"--steps"}, "--input"},
           {{"--verdicts"}, "--input"},
           {{"--stats", "--layers", "9"}, "--layers"},
           {{"-o", "out", "--format", "npz", "--resume"}, "--resume|--format npz|--shard"}}) {
    CAPTURE(reason);
    check_last_reason(place.run(with({"attention", "-m", "toy", "--input", "rows.txt"}, more)), 2,
                      reason);
  }
  check_last_reason(place.run({"attention", "-m", "toy", "--format", "jsonl", "--stats", "good"}),
                    2, "--format jsonl needs --input");
  CHECK_FALSE(place.files().has("out.partial"));
}

}  // namespace
}  // namespace headlight::attention_rows_test
