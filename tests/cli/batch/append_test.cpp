// batch --resume --append: of rows that were appended to the input of a finished output, only these
// are scored, and the file is the one of a run over all rows.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::append_test {
namespace {

using Clock = std::chrono::steady_clock;

const Arguments kAppend = {"--resume", "--append"};

/// Rows from `begin` on, with errors, quotes and newlines.
std::string rows_of(const std::string& ending, std::size_t begin, std::size_t end) {
  std::string rows = begin == 0 && ending != "jsonl" && ending != "txt" ? "id,text\n" : "";
  for (std::size_t i = begin; i < end; ++i) {
    const std::string number = std::to_string(i);
    const std::string text = i % 3 == 0 ? "good movie" : i % 3 == 1 ? "bad" : "a plot";
    const bool broken = i % 7 == 3;
    if (ending == "jsonl") {
      rows += broken ? "{\"id\":" + number + ",\"text\":7}\n"
                     : R"({"id":)" + number + R"(,"text":")" + text + "\\n\"}\n";
    } else if (ending == "csv") {
      rows += number + (broken ? "\n" : ",\"" + text + "\n\"\"" + number + "\"\"\"\n");
    } else {
      rows += broken ? "\xFF\n" : text + '\n';
    }
  }
  return rows;
}

std::string ending_of(const std::string& input) { return input.substr(input.rfind('.') + 1); }

OrderedJson counts_in(const ToyPlace& place, const std::string& file) {
  OrderedJson counts = OrderedJson::parse(place.files().read(file));
  return {counts["rows"], counts["errors"], counts["finished"], counts["model_hash"]};
}

TEST_CASE("appended rows are scored alone, and the file is that of a run over all rows") {
  struct Case {
    std::string input;
    std::string output;
    Arguments options;
    std::size_t before = 20;
    std::size_t after = 33;
  };
  for (const auto& [input, output, options, before, after] : std::vector<Case>{
           {"rows.jsonl", "out.jsonl", {"--echo-text"}},
           {"rows.jsonl", "out.csv", {"--keep", "--column-prefix", "p_"}},
           {"rows.csv", "out.csv", {"--keep"}},
           {"rows.csv", "out.csv.gz", {"--echo-text"}},
           {"rows.csv", "out.tsv.zst", {"--no-output-header"}},
           {"rows.txt", "out.jsonl.zst", {"--logits"}},
           {"rows.txt", "out.jsonl.gz", {}, 0, 5},
           {"rows.txt", "out.csv", {}, 0, 5},
           {"rows.csv", "out.csv", {}, 4, 5},
           {"rows.txt", "out", {"--format", "fasttext"}},
           {"rows.txt", "out", {"--format", "hf"}},
           {"rows.jsonl", "out.jsonl", {"--shard", "1/3"}},
           {"rows.csv", "out.csv", {"--skip", "22"}},
           {"rows.jsonl", "out.jsonl", {"--skip", "3", "--limit", "25"}},
       }) {
    CAPTURE(input);
    CAPTURE(output);
    CAPTURE(options);
    const ToyPlace place;
    const std::string ending = ending_of(input);
    const auto batch = [&](const std::string& out) {
      return with({"batch", input, "-m", "toy", "--row-errors-ok", "-o", out},
                  with(options, {"--summary", out + ".json"}));
    };
    place.files().write(input, rows_of(ending, 0, before));
    REQUIRE(place.run(with(batch(output), kAppend)).status == 0);  // starts from the beginning
    place.files().write(input, rows_of(ending, 0, before) + rows_of(ending, before, after));
    REQUIRE(place.run(batch("fresh." + output)).status == 0);
    const Outcome outcome = place.run(with(batch(output), kAppend));
    CAPTURE(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(place.files().read(output) == place.files().read("fresh." + output));
    CHECK(counts_in(place, output + ".json") == counts_in(place, "fresh." + output + ".json"));
    CHECK_FALSE(place.files().has(output + ".partial"));
    CHECK_FALSE(place.files().has(output + ".partial.json"));
    for (const Arguments& again : {kAppend, Arguments{"--resume"}}) {
      check_last_reason(place.run(with(batch(output), again)), 0, output + " is already complete");
    }
  }
}

TEST_CASE("rows may be appended to a table that had no byte, and no header yet") {
  const ToyPlace place;
  const Arguments batch = {"batch", "rows.csv", "-m", "toy", "--row-errors-ok", "-o", "out.csv"};
  place.files().write("rows.csv", "");
  REQUIRE(place.run(with(batch, kAppend)).status == 0);
  place.files().write("rows.csv", rows_of("csv", 0, 5));
  check_last_reason(place.run(with(batch, {"--resume"})), 1,
                    "written before 5 rows were appended|--append scores only these");
  REQUIRE(place.run(with(batch, kAppend)).status == 0);
  const std::string grown = place.files().read("out.csv");
  REQUIRE(place.run(with(batch, {"--force"})).status == 0);
  CHECK(grown == place.files().read("out.csv"));
}

TEST_CASE("--summary counts the labels of this run, with mean confidence and entropy") {
  const ToyPlace place;
  const Arguments batch = {"batch", "-",   "-m",        "toy",        "-q",
                           "-o",    "out", "--summary", "counts.json"};
  const auto counts = [&] { return OrderedJson::parse(place.files().read("counts.json")); };
  CHECK(place.run(with(batch, kAppend), "good\ngood\nbad\n").status == 0);
  CHECK(counts()["labels"].dump() == R"({"negative":1,"positive":2})");
  CHECK(counts()["mean_confidence"] == doctest::Approx(0.8807971).epsilon(1e-6));
  CHECK(counts()["mean_entropy"] == doctest::Approx(0.3653335).epsilon(1e-5));  // -Σ p ln p
  CHECK(place.run(with(batch, kAppend), "good\ngood\nbad\nbad\n").status == 0);
  CHECK(counts()["labels"].dump() == R"({"negative":1})");
  CHECK(counts()["rows"] == 4);
}

TEST_CASE("a last line that may still be written is left for a later run, which scores it") {
  struct Case {
    std::string file;
    std::string first;
    std::string held;
    std::string rest;
  };
  for (const auto& [file, first, held, rest] : std::vector<Case>{
           {"rows.txt", "good\n", "ba", "d\ngood\n"},
           {"rows.txt", "", "ba", "d"},
           {"rows.txt", "__label__a good\n", "ba", "d\n"},
           {"rows.jsonl", "{\"id\":1,\"text\":\"good\"}\n", "{\"id\":2,\"te", "xt\":\"bad\"}\n"},
           {"rows.jsonl", "{\"id\":1,\"text\":\"good\"}\n", "{\"id\":2,\"text\":\"\xC3",
            "\xA9\"}\n{\"id\":3}"},
           {"rows.csv", "id,text\n1,good\n", "2,\"bad\n", "plot\"\n3,a\n"},
           {"rows.csv", "id,text\n1,good\n", "2", ",bad\n"},
           {"rows.tsv", "id\ttext\n1\tgood\n", "2", "\tbad"},
       }) {
    for (const std::string out : {"out.jsonl", "out.csv.gz"}) {
      CAPTURE(file);
      CAPTURE(held);
      const ToyPlace place;
      const Arguments batch = {"batch", file, "-m", "toy", "--row-errors-ok", "-o"};
      const std::string note = file + ": the last line is not complete";
      place.files().write(file, first);
      REQUIRE(place.run(with(batch, {"only-" + out})).status == 0);
      place.files().write(file, first + held);
      for (int night = 0; night < 2; ++night) {
        const Outcome outcome = place.run(with(batch, with({out}, kAppend)));
        CHECK(outcome.status == 0);
        CHECK(outcome.err.find(note) != std::string::npos);
        CHECK(place.files().read(out) == place.files().read("only-" + out));
        if (night == 1) check_last_reason(outcome, 0, out + " is already complete");
      }
      place.files().write(file, first + held + rest + (rest.ends_with('\n') ? "" : "\n"));
      REQUIRE(place.run(with(batch, {"fresh-" + out})).status == 0);
      const Outcome last = place.run(with(batch, with({out}, kAppend)));
      CHECK(last.status == 0);
      CHECK(last.err.find(note) == std::string::npos);
      CHECK(place.files().read(out) == place.files().read("fresh-" + out));
      // Without --append, a last line is a line like any other.
      place.files().write(file, first + held);
      CHECK(place.run(with(batch, {"cut-" + out})).status == 0);
      CHECK(place.files().read("cut-" + out) != place.files().read("only-" + out));
    }
  }
}

TEST_CASE("of a last line that has grown since it was scored, the row alone is scored again") {
  struct Case {
    std::string file;
    std::string first;
    std::string later;  // what follows it
    Arguments options = {};
  };
  for (const auto& [file, first, later, options] : std::vector<Case>{
           {"rows.txt", "good\nbad", " plot\ngood\n"},
           {"rows.txt", "bad", " plot\n"},
           {"rows.txt", "bad\xC3", "\xA9\n"},
           {"rows.csv", "id,text\n1,bad\n2,good mov", "ie\n3,bad\n"},
           {"rows.csv", "id,text\n1,bad", " a"},
           {"rows.csv", "id,text\n1\n2,good", " a\n3\n", {"--errors", "bad"}},
           {"rows.csv", "id,text\n1,bad\n2,good mov", "ie\n3,bad\n", {"--shard", "1/2"}},
           {"rows.csv", "id,text\n1,bad\n2,good mov", "ie\n3,bad\n", {"--shard", "0/2"}},
           {"rows.jsonl", "{\"text\":\"good\"}\n{\"text\":\"bad\"}\r", "\n{\"text\":\"a\"}\r\n"},
           {"rows.tsv", "text\nbad", "\nbad\n"},  // the same line
       }) {
    for (const std::string out : {"out.jsonl", "out.csv", "out.csv.gz"}) {
      CAPTURE(file);
      CAPTURE(first);
      const ToyPlace place;
      const auto batch = [&](const std::string& to, Arguments more) {
        more = with(options, more);
        for (std::string& word : more) {
          if (word == "bad") word += to;
        }
        return with({"batch", file, "-m", "toy", "--echo-text", "--row-errors-ok", "-o", to}, more);
      };
      place.files().write(file, first);
      REQUIRE(place.run(batch(out, {})).status == 0);
      check_last_reason(place.run(batch(out, {"--resume"})), 0, "already complete");
      place.files().write(file, first + later);
      REQUIRE(place.run(batch("fresh-" + out, {})).status == 0);
      const Outcome outcome = place.run(batch(out, kAppend));
      CAPTURE(outcome.err);
      CHECK(outcome.status == 0);
      CHECK((outcome.err.find("has grown since it was scored") != std::string::npos) ==
            (file != "rows.tsv"));
      CHECK(place.files().read(out) == place.files().read("fresh-" + out));
      if (!options.empty() && options[0] == "--errors") {
        CHECK(place.files().read("bad" + out) == place.files().read("badfresh-" + out));
      }
      check_last_reason(place.run(batch(out, kAppend)), 0, out + " is already complete");
    }
  }
}

TEST_CASE("a night without new rows has the status of all rows, and a summary of its own") {
  for (const std::string out : {"out.jsonl", "out.csv.gz"}) {
    for (const Arguments& errors : {Arguments{}, {"--errors", "bad" + out}}) {
      const ToyPlace place;
      place.add("pieces", use_word_pieces);
      const Arguments batch =
          with({"batch", "rows.jsonl", "-m", "pieces", "-o", out, "--summary", "counts.json"},
               with(errors, kAppend));
      const auto counts = [&] { return OrderedJson::parse(place.files().read("counts.json")); };
      place.files().write("rows.jsonl", rows_of("jsonl", 0, 5) + "{\"text\":\"\"}\n");
      const Outcome first = place.run(batch);
      CHECK(first.status == 3);
      CHECK(first.err.find("1 empty text scored") != std::string::npos);
      OrderedJson before = counts();
      CHECK(before["rows_this_run"] == 6);
      CHECK(before["empty"] == 1);
      const std::string time = before["time"];
      CHECK(time.size() == std::string("2026-07-01T02:00:59Z").size());
      CHECK(time[10] == 'T');
      CHECK(time.back() == 'Z');
      place.files().write("counts.json", "");
      check_last_reason(place.run(batch), 3, "1 of 6 rows could not be scored");
      OrderedJson after = counts();
      CHECK(after["rows_this_run"] == 0);
      CHECK(after["empty"] == 0);
      for (const char* name : {"rows", "errors", "model_hash", "finished"}) {
        CHECK(after[name] == before[name]);
      }
      check_last_reason(place.run(with(batch, {"--row-errors-ok"})), 0, "is already complete");
      const std::string all = rows_of("jsonl", 0, 5) + "{\"text\":\"\"}\n";
      place.files().write("rows.jsonl", all + "{\"text\":\"good\"}\n");
      CHECK(place.run(batch).status == 3);
      CHECK(counts()["rows"] == 7);
      CHECK(counts()["rows_this_run"] == 1);
    }
  }
}

TEST_CASE("an append does not throw away the rows of another stopped command") {
  const ToyPlace place;
  place.files().write("rows.jsonl", rows_of("jsonl", 0, 30));
  const Arguments batch = {"batch", "rows.jsonl", "-m", "toy", "-o", "out.jsonl"};
  REQUIRE(place.run(with(batch, {"--row-errors-ok"})).status == 0);
  const Arguments stopped = {"--logits", "--max-errors", "1"};
  REQUIRE(place.run(with(batch, with({"--force"}, stopped))).status == 1);
  const std::string partial = place.files().read("out.jsonl.partial");
  CHECK(partial != "");
  place.files().write("rows.jsonl", rows_of("jsonl", 0, 40));
  check_refusal(place.run(with(batch, kAppend)), 1,
                "out.jsonl.partial was written with --logits; this run does not use --logits");
  CHECK(place.files().read("out.jsonl.partial") == partial);
}

TEST_CASE("rows of a pipe, and of compressed files that grew, are appended") {
  const ToyPlace place;
  const auto run = [&](const std::string& rows) {
    return place.run(with({"batch", "-", "-m", "toy", "-q", "-o", "out"}, kAppend), rows);
  };
  CHECK(run("good\nbad").status == 0);
  CHECK(run("good\nbad\ngood\n").status == 0);
  CHECK(lines_of(place.files().read("out")).size() == 3);
  for (const std::string file : {"rows.txt.gz", "rows.txt.zst"}) {
    const Arguments batch = {"batch", file, "-m", "toy", "-q", "--force", "-o"};
    const auto member = [&](const std::string& rows) {
      return compressed_member(compression_of(file), rows);
    };
    place.files().write(file, member("good\nbad\n"));
    CHECK(place.run(with(batch, {"out"})).status == 0);
    place.files().write(file, member("good\nbad\n") + member("good\n"));
    CHECK(place.run(with(batch, {"fresh"})).status == 0);
    CHECK(place.run(with({"batch", file, "-m", "toy", "-o", "out"}, kAppend)).status == 0);
    CHECK(place.files().read("out") == place.files().read("fresh"));
  }
}

TEST_CASE("what is not appended is refused with what differs, and the output stays") {
  const std::string kept = "out.csv was written ";
  struct Case {
    std::string rows;
    Arguments more;
    std::string reason;
    int status = 1;
  };
  for (const auto& [rows, more, reason, status] : std::vector<Case>{
           {"good\nbad\ngood\n", {"--resume"}, kept + "before 1 row was|--append|--force"},
           {"good\nbad \ngood\n", kAppend, kept + "for other rows: the input had 2 rows|--force"},
           {"good\nbad!\n", kAppend, kept + "for other rows"},
           {"good\n", kAppend, kept + "for other rows: |and has 1 row,"},
           {"a\ngood\nbad\n", kAppend, kept + "for other rows"},
           {"good\nbad\ngood\n", with(kAppend, {"--logits"}), "this run uses --logits"},
           {"good\nbad\ngood\n", {"--append"}, "--append|--resume", 2},
       }) {
    CAPTURE(reason);
    const ToyPlace place;
    const Arguments batch = {"batch", "rows.txt", "-m", "toy", "-o", "out.csv"};
    REQUIRE(place.run(batch).status == 0);
    const std::string before = place.files().read("out.csv");
    place.files().write("rows.txt", rows);
    check_refusal(place.run(with(batch, more)), status, reason);
    CHECK(place.files().read("out.csv") == before);
    CHECK_FALSE(place.files().has("out.csv.partial"));
  }
}

TEST_CASE("files that were scored may leave the input, and ids go on from what was scored") {
  const ToyPlace place;
  const auto batch = [&](const Arguments& files, const Arguments& more = {}) {
    return place.run(with(
        {"batch"}, with(files, with({"-m", "toy", "-q", "-o", "out.jsonl"}, with(kAppend, more)))));
  };
  const auto ids = [&] {
    std::string found;
    for (const std::string& line : lines_of(place.files().read("out.jsonl"))) {
      found += OrderedJson::parse(line)["id"].dump() + ' ';
    }
    return found;
  };
  const auto write = [&](const std::string& name, const std::string& text) {
    place.files().write(
        name, "{\"text\":\"" + text + "\"}\n{\"id\":\"" + name + "\",\"text\":\"bad\"}\n");
  };
  write("1.jsonl", "good");
  write("2.jsonl", "plot");
  write("3.jsonl", "movie");
  REQUIRE(batch({"1.jsonl", "2.jsonl"}).status == 0);
  REQUIRE(batch({"2.jsonl", "3.jsonl"}).status == 0);
  const std::string three = "0 \"1.jsonl\" 2 \"2.jsonl\" 4 \"3.jsonl\" ";
  CHECK(ids() == three);
  CHECK(batch({"2.jsonl", "3.jsonl"}).status == 0);  // nothing is left to do
  CHECK(ids() == three);
  place.files().write("3.jsonl", place.files().read("3.jsonl") + "{\"text\":\"good\"}\n");
  write("4.jsonl", "good plot");
  REQUIRE(batch({"3.jsonl", "4.jsonl"}).status == 0);
  CHECK(ids() == three + "6 7 \"4.jsonl\" ");
  // The rows of a file with another name are known.
  place.files().write("old.jsonl", place.files().read("4.jsonl"));
  write("4.jsonl", "a plot");
  REQUIRE(batch({"old.jsonl", "4.jsonl"}).status == 0);
  CHECK(ids() == three + "6 7 \"4.jsonl\" 9 \"4.jsonl\" ");
  write("4.jsonl", "a good plot");
  check_last_reason(batch({"4.jsonl"}), 1, "4.jsonl: has other rows than those that were scored");
  write("5.jsonl", "good");
  place.files().write("3.jsonl", place.files().read("3.jsonl") + "{\"text\":\"a\"}\n");
  check_last_reason(batch({"3.jsonl", "5.jsonl"}), 1, "3.jsonl: has more rows than were scored");
  CHECK(lines_of(place.files().read("out.jsonl")).size() == 11);
}

TEST_CASE("--summary FILE.prom is text of Prometheus") {
  const ToyPlace place;
  const Arguments batch = {"batch", "-", "-m", "toy", "-q", "--summary", "run.prom"};
  for (int run = 0; run < 2; ++run) CHECK(place.run(batch, "good\nbad\nbad\n").status == 0);
  const std::string text = place.files().read("run.prom");
  for (const char* line :
       {"# TYPE headlight_rows gauge\nheadlight_rows{model=\"toy\"} 3\n",
        "headlight_errors{model=\"toy\"} 0\n", "headlight_finished{model=\"toy\"} 1\n",
        "headlight_labels{model=\"toy\",label=\"negative\"} 2\n",
        "headlight_time_seconds{model=\"toy\"} 1", "headlight_info{model=\"toy\",version=\"0."}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
  place.output({"batch", "-", "-m", "toy", "-q", "--summary", "RUN.PROM"});
  CHECK(place.files().read("RUN.PROM").starts_with("# "));
  place.files().write("other.prom", "mine 1\n");
  check_refusal(place.run({"batch", "-", "-m", "toy", "--summary", "other.prom"}, "good\n"), 1,
                "other.prom: exists already and is not a summary");
}

TEST_CASE("an append that is killed at any moment is finished by the same command") {
  constexpr std::size_t kRows = kSanitized ? 2'000 : 20'000;
  std::mt19937 random(11);
  for (const std::string out : {"out.jsonl", "out.csv.gz", "out.jsonl.zst"}) {
    CAPTURE(out);
    const ToyPlace place;
    const Arguments batch = {"batch", "rows.jsonl",      "-m", "toy", "--echo-text",
                             "-q",    "--row-errors-ok", "-o"};
    std::string rows = rows_of("jsonl", 0, kRows);
    place.files().write("rows.jsonl", rows);
    const auto begin = Clock::now();
    REQUIRE(place.run(with(batch, {out})).status == 0);
    const auto longest =
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    std::size_t end = kRows;
    for (int kill = 0; kill < (kSanitized ? 4 : 10); ++kill) {
      rows += rows_of("jsonl", end, end + kRows / 4);  // also while a killed run is not finished
      end += kRows / 4;
      place.files().write("rows.jsonl", rows);
      Process process(place.command(with(batch, with({out}, kAppend))));
      std::this_thread::sleep_for(
          std::chrono::microseconds(random() % static_cast<unsigned long>(longest.count())));
      process.send(SIGKILL);
      process.finish();
      CHECK(place.files().has(out));
      if (random() % 2 == 0) continue;
      const Outcome outcome = place.run(with(batch, with({out}, kAppend)));
      CAPTURE(outcome.err);
      REQUIRE(outcome.status == 0);
      REQUIRE(place.run(with(batch, {"fresh." + out, "--force"})).status == 0);
      CHECK((place.files().read(out) == place.files().read("fresh." + out)));
    }
  }
}

}  // namespace
}  // namespace headlight::append_test
