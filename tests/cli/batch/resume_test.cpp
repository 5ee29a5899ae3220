// Runs that end before their time, and those that go on with what they left: the finished file is
// the one of a run that was never disturbed.
//
// HEADLIGHT_KILLS=200 kills as often; a short run kills less.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::resume_test {
namespace {

using Clock = std::chrono::steady_clock;
/// Rows with quotes, newlines, errors and ids of all kinds.
std::string many_rows(std::size_t count) {
  const std::vector<std::string> texts = {
      "good movie", "bad \\\"plot\\\"", "a\\nmovie, a \\\"plot\\\"\\n\\n", "good\\tbad",
      "a",          "\u00e9 good"};
  std::string rows;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& text = texts[i * i % texts.size()];
    if (i % 97 == 5) {
      rows += "{\"id\":\"no text\"}\n";
    } else {
      rows += R"({"id":)" +
              (i % 3 == 0 ? "\"r,\\\"" + std::to_string(i) + "\"" : std::to_string(i)) +
              R"(,"text":")" + text + "\"}\n";
    }
  }
  return rows;
}

Arguments batch(const std::string& out) {
  Arguments arguments = {"batch", "rows.jsonl", "-m", "toy", "-o", out};
  for (const std::string format : {"hf", "fasttext"}) {
    if (out.find(format) != std::string::npos) {
      return with(arguments, {"--format", format, "-k", "2"});
    }
  }
  arguments.insert(arguments.end(), {"--echo-text", "--logits"});
  if (out.find(".csv") != std::string::npos) arguments.insert(arguments.end(), {"--format", "csv"});
  if (out.find(".tsv") != std::string::npos) arguments.insert(arguments.end(), {"--format", "tsv"});
  return arguments;
}

/// Waits until something stands in the file.
void wait_for_bytes(const ToyPlace& place, const std::string& file) {
  const auto begin = Clock::now();
  while (place.files().read(file).empty() && Clock::now() - begin < Process::kPatience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// A place with rows to score, and how long that takes.
struct Scene {
  explicit Scene(std::size_t rows) { place.files().write("rows.jsonl", many_rows(rows)); }

  /// The bytes of a run that nobody disturbs.
  std::string undisturbed(const std::string& out) {
    const auto begin = Clock::now();
    const Outcome outcome = place.run(batch("undisturbed." + out));
    took = Clock::now() - begin;
    CHECK(outcome.status == 3);
    last_line = lines_of(outcome.err).back();
    return place.files().read("undisturbed." + out);
  }
  /// Waits until a run has written rows to the file, or holds some for a member of it.
  void wait_for_rows(const std::string& out) const {
    wait_for_bytes(place, out + (out.ends_with(".gz") ? ".partial.json" : ".partial"));
    if (out.ends_with(".gz")) std::this_thread::sleep_for(took / 8);
  }
  std::size_t rows_in(const std::string& file) const {
    const std::string bytes = place.files().read(file);
    return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  }

  ToyPlace place;
  Clock::duration took{};
  std::string last_line;  // counts of the errors
};

std::size_t kills() {
  const char* asked = std::getenv("HEADLIGHT_KILLS");  // NOLINT(concurrency-mt-unsafe)
  constexpr std::size_t kFew = kSanitized ? 12 : 40;
  return asked == nullptr ? kFew : std::stoul(asked);
}

/// What a power cut may do to a file that was being written.
void cut_power(const ToyPlace& place, const std::string& name, std::mt19937& random) {
  std::string bytes = place.files().read(name);
  const std::size_t lost = std::min<std::size_t>(bytes.size(), random() % 3000);
  const std::string zeros(random() % 2 * (random() % 5000), '\0');
  place.files().write(name, bytes.substr(0, bytes.size() - lost) + zeros);
}

struct Kills {
  std::size_t done = 0;
  std::size_t runs = 0;  // that came to their end
};

/// Kills a run again and again until it is whole; the moments are spread over all of it.
void kill_until_whole(Scene& scene, const std::string& out, const std::string& expected,
                      std::mt19937& random, Kills& kills) {
  const std::string partial = out + ".partial";
  const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(scene.took).count();
  std::uniform_int_distribution<long> moment(0, longest);
  for (int attempt = 0;; ++attempt) {
    const bool peace = attempt == 6;
    Process process(scene.place.command(
        with(batch(out), {"--resume", "--threads", random() % 2 == 0 ? "1" : "2"})));
    if (!peace) {
      std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
      process.send(SIGKILL);
    }
    const Outcome outcome = process.finish();
    if (outcome.signal == 0) {
      CHECK(outcome.complaint() == "");
      CHECK(outcome.status == 3);
      const std::string last = lines_of(outcome.err).back();
      CHECK(last.substr(0, last.find(';')) == scene.last_line.substr(0, scene.last_line.find(';')));
      break;
    }
    ++kills.done;
    if (random() % 3 == 0 && scene.place.files().has(partial)) {
      cut_power(scene.place, partial, random);
    }
    if (scene.place.files().has(out)) break;  // killed after all was done
  }
  ++kills.runs;
  CHECK((scene.place.files().read(out) == expected));
  CHECK_FALSE(scene.place.files().has(partial));
  std::filesystem::remove(scene.place.files() / out);
}

TEST_CASE("a run that is killed at any moment goes on to the same bytes, no row lost or doubled") {
  Scene scene(kSanitized ? 3'000 : 40'000);
  std::mt19937 random(7);
  Kills count;
  const Arguments outs = {"out.jsonl", "out.csv",      "out.jsonl.gz", "out.tsv",
                          "out.hf",    "out.fasttext", "out.csv.zst"};
  Arguments expected;
  for (const auto& out : outs) expected.push_back(scene.undisturbed(out));
  for (std::size_t i = 0; count.done < kills(); ++i) {
    const std::string& out = outs[i % outs.size()];
    INFO("file: " << out);
    kill_until_whole(scene, out, expected[i % outs.size()], random, count);
  }
  MESSAGE(count.done << " kills, " << count.runs << " files finished");
}

TEST_CASE("a run that a signal ends says how to go on, and leaves whole rows") {
  Scene scene(kSanitized ? 3'000 : 40'000);
  for (const std::string out : {"out.jsonl", "out.csv", "out.jsonl.gz"}) {
    INFO("file: " << out);
    const std::string expected = scene.undisturbed(out);
    for (const int number : {SIGINT, SIGTERM}) {
      {
        Process process(scene.place.command(batch(out)));
        scene.wait_for_rows(out);
        process.send(number);
        const auto begin = Clock::now();
        const Outcome outcome = process.finish();
        CHECK(Clock::now() - begin < std::chrono::seconds(kSanitized ? 5 : 1));
        check_last_reason(outcome, 128 + number, "stopped after |; use --resume to continue");
      }
      const Outcome outcome = scene.place.run(with(batch(out), {"--resume"}));
      check_sane(outcome);
      CHECK(outcome.err.find("resuming after ") != std::string::npos);
      CHECK(outcome.status == 3);
      CHECK((scene.place.files().read(out) == expected));
      std::filesystem::remove(scene.place.files() / out);
    }
  }
}

TEST_CASE("a disk that is full ends a run with one line, and its rows stay") {
  Scene scene(5'000);
  for (const std::string out : {"out.jsonl", "out.csv", "out.csv.zst"}) {
    INFO("file: " << out);
    const std::string expected = scene.undisturbed(out);
    for (const long size : {20'000L, 100'001L, 30'000L}) {  // the last has no room for any more
      Command command = scene.place.command(with(batch(out), {"--resume"}));
      command.largest_file = out.ends_with(".zst") ? size / 20 : size;
      const Outcome outcome = run(command);
      check_last_reason(outcome, 1, "cannot write: File too large|--resume continues");
    }
    if (!out.ends_with(".zst")) CHECK(scene.rows_in(out + ".partial") > 100);
    CHECK(scene.place.run(with(batch(out), {"--resume"})).status == 3);
    CHECK((scene.place.files().read(out) == expected));
  }
}

TEST_CASE("resuming what is whole does nothing, and says so") {
  const Scene scene(100);
  CHECK(scene.place.run(batch("out.jsonl")).status == 3);
  const std::string bytes = scene.place.files().read("out.jsonl");
  const Outcome again = scene.place.run(with(batch("out.jsonl"), {"--resume"}));
  CHECK(again.err.find("out.jsonl is already complete") != std::string::npos);
  check_last_reason(again, 3, "1 of 100 rows could not be scored");
  CHECK(scene.place.files().read("out.jsonl") == bytes);
}

/// Leaves a file of some rows as a run does that is stopped.
void leave_rows(const ToyPlace& place, const Arguments& arguments) {
  place.files().write("rows.txt", "good\nbad\n\xFF\ngood\n");
  check_last_reason(place.run(with(arguments, {"--on-error", "stop"})), 1,
                    "row 2|use --resume to continue");
}

TEST_CASE("what would change the rows is refused with the difference named") {
  const ToyPlace place;
  const Arguments first = {"batch", "rows.txt", "-m", "toy", "-o", "out", "--logits"};
  leave_rows(place, first);
  const std::string rows = place.files().read("out.partial");
  CHECK(lines_of(rows).size() == 2);
  const std::string prefix = "out.partial was written ";
  const auto refuse = [&](const Arguments& arguments, const std::string& reason) {
    INFO("reason: " << reason);
    check_refusal(place.run(with(arguments, {"--resume"})), 1,
                  prefix + reason + "|--force starts over");
    CHECK(place.files().read("out.partial") == rows);
  };
  refuse({"batch", "rows.txt", "-m", "toy", "-o", "out"},
         "with --logits; this run does not use --logits");
  refuse(with(first, {"--limit", "7"}), "without --limit; this run uses --limit 7");
  refuse(with(first, {"--prepend", "a"}), "without --prepend; this run uses --prepend a");
  place.files().write("rows.text", place.files().read("rows.txt"));
  refuse({"batch", "rows.text", "-m", "toy", "-o", "out", "--logits"},
         "for another input: its ending was .txt and is now .text");
  place.files().write("rows.txt", "good\nbad\n\xFE\ngood\n");
  refuse(first, "for another input: its content was ");
  place.files().write("rows.txt", "good\nbad\n\xFF\ngood\n");
  place.add("other", [](OrderedJson& config) { config["id2label"] = {"no", "yes"}; });
  refuse({"batch", "rows.txt", "-m", "other", "-o", "out", "--logits"},
         "with another model: config.json was ");
  check_refusal(place.run(first), 1, "out.partial: contains rows of a stopped run|--resume");
  const Outcome last = place.run(with(
      {"batch", "--logits", "-o", "out", "--threads", "1", "rows.txt", "-q", "--model", "./toy/"},
      {"--resume"}));
  check_last_reason(last, 3, "1 of 4 rows|row 2");
  CHECK(lines_of(place.files().read("out")).size() == 4);
}

TEST_CASE("--force starts over, and --resume needs a file and no --force") {
  const ToyPlace place;
  const Arguments first = {"batch", "rows.txt", "-m", "toy", "-o", "out"};
  leave_rows(place, first);
  CHECK(place.run(with(first, {"--force", "--logits"})).status == 3);
  CHECK(place.files().read("out").find("logits") != std::string::npos);
  check_refusal(place.run(with(first, {"--force", "--resume"})), 2, "--resume");
  check_refusal(place.run({"batch", "rows.txt", "-m", "toy", "--resume"}), 2, "--resume needs -o");
}

TEST_CASE("a pipe can be resumed too, as long as it gives the rows again") {
  const ToyPlace place;
  const Arguments arguments = {"batch", "-", "-m", "toy", "-o", "out"};
  check_last_reason(place.run(with(arguments, {"--on-error", "stop"}), "good\nbad\n\xFF\n"), 1,
                    "row 2");
  const Arguments resumed = with(arguments, {"--resume"});
  check_last_reason(place.run(resumed, "good\n"), 1, "has only 1 row, but 2 are already scored");
  CHECK(place.run(resumed, "good\nbad\na\n").status == 0);
  CHECK(place.files().read("out") == place.output({"batch", "-", "-m", "toy"}, "good\nbad\na\n"));
}

TEST_CASE("another run on the same output is refused while the first one writes") {
  const ToyPlace place;
  const Arguments arguments = {"batch", "-", "-m", "toy", "-o", "out"};
  Process first(place.command(arguments));
  REQUIRE(first.write("good\n"));
  wait_for_bytes(place, "out.partial");
  for (const Arguments& more : {Arguments{}, {"--resume"}, {"--force"}}) {
    check_refusal(place.run(with(arguments, more), "bad\n"), 1,
                  "out.partial: is being written by another run");
  }
  CHECK(first.finish().status == 0);
  CHECK(lines_of(place.files().read("out")).size() == 1);
}

TEST_CASE("errors end a run where they are told to, the row with the last one not written") {
  const ToyPlace place;
  struct Row {
    Arguments options;
    std::size_t rows;  // good ones, then as many bad ones as good
    int status;
    std::size_t written;
    std::string reason;
  };
  for (const auto& [options, rows, status, written, reason] :
       std::vector<Row>{{{"--on-error", "stop"}, 2, 1, 2, "row 2 (line 3): not valid UTF-8"},
                        {{"--on-error", "continue"}, 2, 3, 4, "2 of 4 rows"},
                        {{"--max-errors", "0"}, 2, 1, 2, "--max-errors 0|row 2"},
                        {{"--max-errors", "1"}, 2, 1, 3, "--max-errors 1|row 3"},
                        {{"--max-errors", "2"}, 2, 3, 4, "2 of 4 rows"},
                        {{"--max-errors", "2", "--row-errors-ok"}, 2, 0, 4, "2 of 4 rows"},
                        {{"--max-errors", "50%"}, 2, 3, 4, "2 of 4 rows"},
                        {{"--max-errors", "49.9%"}, 2, 1, 4, "2 of 4 rows|--max-errors 49.9%"},
                        {{"--max-errors", "20%"}, 90, 1, 112, "--max-errors 20%|row 112"},
                        {{"--max-errors", "0%"}, 90, 1, 99, "--max-errors 0%|row 99"},
                        {{"--max-errors", "0%"}, 120, 1, 120, "--max-errors 0%|row 120"}}) {
    INFO("options: " << options[1] << ", rows " << rows);
    std::string input;
    for (std::size_t i = 0; i < rows; ++i) input += "good\n";
    for (std::size_t i = 0; i < rows; ++i) input += "\xFF\n";
    const Outcome outcome = place.run(with({"batch", "-", "-m", "toy"}, options), input);
    check_last_reason(outcome, status, reason);
    CHECK(lines_of(outcome.out).size() == written);
  }
  for (const std::string bad : {"", "x", "-1", "1.5", "101%", "%", "nan", "1e3"}) {
    check_refusal(place.run({"batch", "rows.txt", "-m", "toy", "--max-errors", bad}), 2,
                  "--max-errors");
  }
}

TEST_CASE("--summary counts for machines, also where a run was stopped") {
  const ToyPlace place;
  const Arguments arguments = {"batch", "-", "-m", "toy", "-o", "out", "--summary", "counts.json"};
  const auto counts = [&] { return OrderedJson::parse(place.files().read("counts.json")); };
  place.files().write("counts.json", R"({"rows":7})");
  check_last_reason(place.run(with(arguments, {"--on-error", "stop"}), "good movie\nbad\n\xFF\n"),
                    1, "row 2");
  OrderedJson stopped = counts();
  CHECK(stopped["rows"] == 2);
  CHECK(stopped["errors"] == 0);
  CHECK(stopped["tokens"] == 3);
  CHECK(stopped["finished"] == false);
  check_last_reason(place.run(with(arguments, {"--resume"}), "good movie\nbad\n\xFF\na a a\n"), 3,
                    "1 of 4 rows");
  const OrderedJson finished = counts();
  CHECK(finished["rows"] == 4);
  CHECK(finished["errors"] == 1);
  CHECK(finished["tokens"] == 3);
  CHECK(finished["resumed"] == 2);
  CHECK(finished["truncated"] == 0);
  CHECK(finished["finished"] == true);
  CHECK(finished["model"] == "toy");
  CHECK(finished["model_hash"].get<std::string>().size() == 32);
  CHECK(finished["model_hash"] == stopped["model_hash"]);
  CHECK(finished["seconds"].get<double>() >= 0.0);
  const Outcome aside = place.run({"batch", "rows.txt", "-q", "-m", "toy", "--summary", "-"});
  CHECK(OrderedJson::parse(aside.err)["rows"] == 2);
  CHECK(lines_of(aside.out).size() == 2);
}

}  // namespace
}  // namespace headlight::resume_test
