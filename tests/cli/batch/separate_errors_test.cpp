// batch --errors: rows that cannot be scored are in a file of their own, and both files are those
// of a run that was never stopped.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::separate_errors_test {
namespace {

using Clock = std::chrono::steady_clock;

/// Rows of which some are errors, from `begin` on.
std::string rows_of(std::size_t begin, std::size_t end) {
  std::string rows;
  for (std::size_t i = begin; i < end; ++i) {
    const bool broken = i * i % 11 == 3 || i % 50 > 45;
    rows += "{\"id\":" + std::to_string(i) +
            (broken ? ",\"text\":7}\n" : ",\"text\":\"good, a\\nbad\"}\n");
  }
  return rows;
}

Arguments batch(const std::string& out, const std::string& errors, const Arguments& more) {
  return with(
      {"batch", "rows.jsonl", "-m", "toy", "-q", "--row-errors-ok", "-o", out, "--errors", errors},
      more);
}

TEST_CASE("the output has the good rows, and --errors the others, as one file has them") {
  struct Case {
    std::string rows;
    std::string out;
    Arguments options;
  };
  const std::string all_bad = "{\"id\":1,\"text\":1}\n{\"id\":2,\"text\":[]}\n";
  for (const auto& [rows, out, options] : std::vector<Case>{
           {rows_of(0, 60), ".jsonl", {}},
           {rows_of(0, 60), ".csv", {"--logits"}},
           {rows_of(0, 60), ".tsv", {"--keep", "--column-prefix", "p_"}},
           {rows_of(0, 60), ".jsonl", {"--shard", "1/3"}},
           {rows_of(0, 60), ".fasttext", {"--format", "fasttext"}},
           {rows_of(0, 3), ".csv", {}},
           {all_bad, ".csv", {}},
           {all_bad, ".jsonl", {}},
           {"", ".csv", {}},
       }) {
    CAPTURE(out);
    const ToyPlace place;
    place.files().write("rows.jsonl", rows);
    REQUIRE(place
                .run(with({"batch", "rows.jsonl", "-m", "toy", "-q", "--row-errors-ok", "-o",
                           "one" + out},
                          options))
                .status == 0);
    std::string good;
    std::string bad;
    const std::string one = place.files().read("one" + out);
    for (const std::string& line : lines_of(one)) {
      const bool is_header = line.find(",probability") != std::string::npos ||
                             line.find("\tp_probability") != std::string::npos;
      const bool is_error = line.find("not a string") != std::string::npos;
      if (is_header || !is_error) good += line + '\n';
      if (is_header || is_error) bad += line + '\n';
    }
    const Outcome outcome = place.run(batch("good" + out, "bad" + out, options));
    CHECK(outcome.complaint() == "");
    CHECK(outcome.status == 0);
    CHECK(place.files().read("good" + out) == good);
    CHECK(place.files().read("bad" + out) == bad);
    for (const char* left : {".partial", ".partial.json", ".rows"}) {
      CHECK_FALSE(place.files().has("good" + out + left));
      CHECK_FALSE(place.files().has("bad" + out + left));
    }
    check_last_reason(place.run(with({"batch"},
                                     [&] {
                                       Arguments again = batch("good" + out, "bad" + out, options);
                                       std::erase(again, "-q");
                                       again.erase(again.begin());
                                       return with(again, {"--resume"});
                                     }())),
                      0, "good" + out + " is already complete");
  }
}

TEST_CASE("after kills, also of appends, both files are those of a run that was never stopped") {
  constexpr std::size_t kRows = kSanitized ? 800 : 2'000;
  std::mt19937 random(5);
  for (const std::string ending : {".jsonl", ".csv", ".csv.gz", ".jsonl.zst"}) {
    CAPTURE(ending);
    const ToyPlace place;
    const Arguments resumed = batch("good" + ending, "bad" + ending, {"--resume", "--append"});
    std::string rows = rows_of(0, kRows);
    place.files().write("rows.jsonl", rows);
    const Arguments fresh = batch("fresh" + ending, "none" + ending, {"--force"});
    const auto begin = Clock::now();
    REQUIRE(place.run(fresh).status == 0);
    const auto longest =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    for (std::size_t end = kRows; end < 4 * kRows; end += kRows) {
      for (int kill = 0; kill < (kSanitized ? 2 : 4); ++kill) {
        Process process(place.command(resumed));
        std::this_thread::sleep_for(
            std::chrono::microseconds(random() % static_cast<unsigned long>(longest.count())));
        process.send(SIGKILL);
        process.finish();
      }
      const Outcome outcome = place.run(with(resumed, {"--summary", "counts.json"}));
      CAPTURE(outcome.err);
      CHECK(outcome.complaint() == "");
      REQUIRE(outcome.status == 0);
      REQUIRE(place.run(fresh).status == 0);
      CHECK((place.files().read("good" + ending) == place.files().read("fresh" + ending)));
      CHECK((place.files().read("bad" + ending) == place.files().read("none" + ending)));
      if (place.files().has("counts.json")) {
        const OrderedJson counts = OrderedJson::parse(place.files().read("counts.json"));
        CHECK(counts["rows"] == end);
        CHECK(counts["errors"].get<std::size_t>() > end / 11);
        std::filesystem::remove(place.files() / "counts.json");
      }
      rows += rows_of(end, end + kRows);
      place.files().write("rows.jsonl", rows);
    }
  }
}

TEST_CASE("--errors may be named in another way, and both files may move, before a run goes on") {
  const ToyPlace place;
  namespace fs = std::filesystem;
  const std::string folder = place.files() / "one";
  fs::create_directories(folder + "/deep");
  place.files().write("rows.jsonl", rows_of(0, 60));
  REQUIRE(place.run(batch("fresh", "none", {})).status == 0);
  REQUIRE(place.run(batch("one/good", "one/deep/bad", {"--max-errors", "2"})).status == 1);
  fs::rename(folder, place.files() / "two");
  CHECK(place.run(batch("two/good", "./two/../two/deep/bad", {"--resume", "--max-errors", "4"}))
            .status == 1);
  CHECK(place.run(batch("two/good", place.files() / "two/deep/bad", {"--resume"})).status == 0);
  CHECK(place.files().read("two/good") == place.files().read("fresh"));
  CHECK(place.files().read("two/deep/bad") == place.files().read("none"));
}

TEST_CASE("what a killed run left beside finished files is gone after the next run") {
  const ToyPlace place;
  place.files().write("rows.jsonl", rows_of(0, 60));
  REQUIRE(place.run(batch("good", "bad", {"--max-errors", "2"})).status == 1);
  const std::string rows = place.files().read("bad.rows");
  const std::string manifest = place.files().read("good.partial.json");
  REQUIRE(place.run(batch("good", "bad", {"--resume"})).status == 0);
  CHECK_FALSE(place.files().has("bad.rows"));
  const auto check_gone = [&] {
    for (const char* left : {"good.partial", "good.partial.json", "good.partial.json.new",
                             "bad.rows", "bad.partial"}) {
      CHECK_FALSE(place.files().has(left));
    }
  };
  for (const std::size_t end : {std::size_t{60}, std::size_t{70}}) {
    place.files().write("rows.jsonl", rows_of(0, end));
    place.files().write("bad.rows", rows);
    place.files().write("good.partial.json.new", manifest);
    CHECK(place.run(batch("good", "bad", {"--resume", "--append"})).status == 0);
    check_gone();
  }
  place.files().write("bad.rows", "mine");
  CHECK(place.run(batch("good", "bad", {"--resume"})).status == 0);
  CHECK(place.files().read("bad.rows") == "mine");
}

TEST_CASE("what --errors would overwrite or mix is refused, and stays") {
  const ToyPlace place;
  place.files().write("rows.jsonl", rows_of(0, 20));
  const auto refuse = [&](const Arguments& arguments, int status, const std::string& reason) {
    CAPTURE(reason);
    check_refusal(place.run(arguments), status, reason);
  };
  refuse({"batch", "rows.jsonl", "-m", "toy", "--errors", "bad"}, 2, "--errors|-o FILE");
  refuse(batch("good.csv", "bad.jsonl", {}), 2, "--errors|bad.jsonl");
  refuse(batch("good", "good", {}), 1, "good: is named as two outputs");
  refuse(batch("good", "rows.jsonl", {"--force"}), 1, "rows.jsonl: is read by this command");
  place.files().write("bad", "mine");
  refuse(batch("good", "bad", {}), 1, "bad: exists already; --force");
  refuse(batch("good", "bad", {"--resume"}), 1, "bad: exists already; --force");
  CHECK(place.files().read("bad") == "mine");
  std::filesystem::remove(place.files() / "bad");
  place.files().write("bad.rows", "mine");
  refuse(batch("good", "bad", {"--force"}), 1, "bad.rows: exists already|rename it");
  CHECK(place.files().read("bad.rows") == "mine");
  std::filesystem::remove(place.files() / "bad.rows");
  CHECK(place.run(batch("good", "bad", {"--max-errors", "2"})).status == 1);
  const std::string partial = place.files().read("good.partial");
  refuse(batch("good", "other", {"--resume"}), 1,
         "was written with --errors bad; this run uses --errors other");
  CHECK(place.files().read("good.partial") == partial);
  CHECK(place.run(batch("good", "bad", {"--resume"})).status == 0);
  const std::string bad = place.files().read("bad");
  place.files().write("rows.jsonl", rows_of(0, 30));
  place.files().write("bad", bad + "{}\n");
  refuse(batch("good", "bad", {"--resume", "--append"}), 1, "bad: |changed");
  std::filesystem::remove(place.files() / "bad");
  refuse(batch("good", "bad", {"--resume", "--append"}), 1, "bad: is missing; --force");
  CHECK(place.run(batch("good", "bad", {"--force"})).status == 0);
  place.files().write("rows.jsonl", rows_of(0, 40));
  CHECK(place.run(batch("good", "bad", {"--resume", "--append"})).status == 0);
  CHECK(place.files().read("bad").starts_with(bad));
}

}  // namespace
}  // namespace headlight::separate_errors_test
