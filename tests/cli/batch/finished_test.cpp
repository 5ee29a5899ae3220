// --resume where the output is finished: nothing to do where nothing changed, else refused with
// what changed, and the output stays.
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sys/xattr.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::finished_test {
namespace {

namespace fs = std::filesystem;

const std::string kCsv = "text,label\ngood movie,yes\nbad plot,no\ngood,yes\nbad,no\n";
const Arguments kBatch = {"batch", "rows.csv", "-m", "toy", "--prepend", "a ", "-o", "out.csv"};
constexpr const char* kComplete = "out.csv is already complete";

/// An arrangement of the files after the first run, the command that follows it, and what the last
/// line says.
struct Change {
  std::string reason;
  std::function<void(const TemporaryFolder&)> change;
  Arguments more;
  int status = 1;
  Arguments command = kBatch;
};

void keep(const TemporaryFolder& /*files*/) {}

std::function<void(const TemporaryFolder&)> rows(const std::string& content) {
  return [content](const TemporaryFolder& files) { files.write("rows.csv", content); };
}

void check_change(const Change& change) {
  CAPTURE(change.reason);
  const ToyPlace place;
  place.files().write("rows.csv", kCsv);
  place.add("other", [](OrderedJson& config) { config["id2label"] = {"no", "yes"}; });
  REQUIRE(place.run(kBatch).status == 0);
  const std::string bytes = place.files().read("out.csv");
  change.change(place.files());
  const std::string before = place.files().read("out.csv");
  const Outcome outcome = place.run(with(change.command, with(change.more, {"--resume"})));
  check_last_reason(outcome, change.status, change.reason);
  CHECK(place.files().read("out.csv") == before);
  CHECK_FALSE(place.files().has("out.csv.partial"));
  if (change.status == 0) return;
  CHECK(place.run(with(kBatch, {"--force"})).status == 0);
  if (change.reason.find("model") != std::string::npos)
    CHECK(place.files().read("out.csv") == bytes);
}

Arguments batch_with(const std::string& from, const std::string& to) {
  Arguments arguments = kBatch;
  for (std::string& word : arguments) {
    if (word == from) word = to;
  }
  return arguments;
}

TEST_CASE("a finished output is complete only where nothing that it was made from changed") {
  const std::string prefix = "out.csv was written ";
  for (const Change& change : std::vector<Change>{
           {kComplete, keep, {}, 0},
           {kComplete, keep, {"--threads", "1", "--format", "csv"}, 0, kBatch},
           {kComplete, keep, {}, 0, batch_with("toy", "./toy/")},
           {kComplete, rows(kCsv.substr(0, kCsv.size() - 1)), {}, 0},  // without the last newline
           {prefix + "before 1 row was appended to the input|--force",
            rows(kCsv + "good,yes\n"),
            {}},
           {prefix + "before 10 rows were appended to the input",
            rows(kCsv + "a,no\nbad,no\na,b\na,b\na,b\na,b\na,b\na,b\na,b\na,\n"),
            {}},
           {prefix + "for other rows: the input had 4 rows, |and has 3 rows, ",
            rows("text,label\ngood movie,yes\nbad plot,no\ngood,yes\n"),
            {}},
           {prefix + "for other rows",
            rows("text,label\nbad movie,yes\nbad plot,no\ngood,yes\nbad,no\n"),
            {}},
           {prefix + "for other rows", rows(kCsv.substr(0, kCsv.size() - 2) + "maybe\n"), {}},
           {prefix + "for other rows", rows("text,mark\n" + kCsv.substr(11)), {}},
           {prefix + "without --logits; this run uses --logits", keep, {"--logits"}},
           {prefix + "with another --prepend;", keep, {}, 1, batch_with("a ", "b ")},
           {prefix + "with another model: config.json was ",
            keep,
            {},
            1,
            batch_with("toy", "other")},
           {"out.csv: was changed after it was written",
            [](const TemporaryFolder& files) {
              const int length = 5;
              fs::resize_file(files / "out.csv", length);
            },
            {}},
           {"out.csv: exists already, and nothing tells what it was made from",
            [](const TemporaryFolder& files) {
              files.write("out.csv.new", files.read("out.csv"));
              fs::rename(files / "out.csv.new", files / "out.csv");
            },
            {}},
       }) {
    check_change(change);
  }
}

TEST_CASE("a finished output may be renamed, and its rows may come from elsewhere") {
  const ToyPlace place;
  place.files().write("rows.csv", kCsv);
  REQUIRE(place.run(kBatch).status == 0);
  fs::rename(place.files() / "out.csv", place.files() / "moved.csv");
  fs::create_directory(place.files() / "old");
  fs::rename(place.files() / "rows.csv", place.files() / "old/films.csv");
  const Arguments moved = {"batch", "old/films.csv", "-m",      "toy", "--prepend", "a ",
                           "-o",    "moved.csv",     "--resume"};
  check_last_reason(place.run(moved), 0, "moved.csv is already complete");
  fs::rename(place.files() / "moved.csv", place.files() / "moved.jsonl");
  Arguments other = moved;
  other[7] = "moved.jsonl";
  check_last_reason(place.run(other), 1, "moved.jsonl was written with another --format");
}

TEST_CASE("of rows from a pipe, and of some rows, those that were read are compared") {
  const ToyPlace place;
  const auto run = [&](const Arguments& more, const std::string& input) {
    return place.run(with({"batch", "-", "-m", "toy", "-o", "out"}, more), input);
  };
  const std::string rows = "good\nbad\ngood\nbad\n";
  REQUIRE(run({}, rows).status == 0);
  check_last_reason(run({"--resume"}, rows), 0, "out is already complete");
  check_last_reason(run({"--resume"}, rows + "a\n"), 1, "before 1 row was appended");
  check_last_reason(run({"--resume", "--limit", "2"}, rows), 1, "without --limit");
  REQUIRE(run({"--limit", "2", "--skip", "1", "--force"}, rows).status == 0);
  const Arguments limited = {"--limit", "2", "--skip", "1", "--resume"};
  check_last_reason(run(limited, "good\nbad\ngood\na\na\n"), 0, "out is already complete");
  check_last_reason(run(limited, "good\nbad\na\na\n"), 1, "for other rows");
  REQUIRE(run({"--shard", "1/2", "--force"}, rows).status == 0);
  check_last_reason(run({"--shard", "1/2", "--resume"}, rows), 0, "out is already complete");
  check_last_reason(run({"--shard", "0/2", "--resume"}, rows), 1, "with another --shard");
  check_last_reason(run({"--shard", "1/2", "--resume"}, rows + "a\na\n"), 1,
                    "before 2 rows were appended");
}

TEST_CASE("each command that resumes knows its finished output") {
  struct Row {
    Arguments arguments;
    std::string output;
    Arguments other;  // options
    std::string reason;
  };
  for (const auto& [arguments, output, other, reason] : std::vector<Row>{
           {{"batch", "rows.csv", "-o", "out.jsonl.gz"}, "out.jsonl.gz", {"--logits"}, "--logits"},
           {{"embed", "rows.csv", "-o", "out.npy"}, "out.npy", {"--half"}, "--half"},
           {{"embed", "rows.csv", "-o", "out.npy"}, "out.npy", {"--pooling", "max"}, "--pooling"},
           {{"explain", "--input", "rows.csv", "-o", "out.jsonl"},
            "out.jsonl",
            {"--method", "shapley"},
            "--method"},
           {{"attention", "--input", "rows.csv", "--stats", "-o", "out.jsonl"},
            "out.jsonl",
            {"--words"},
            "--words"},
           {{"fit", "rows.csv", "-o", "made"}, "made", {"--seed", "4"}, "--seed"},
           {{"fit", "rows.csv", "-o", "made"}, "made", {"--dev", "dev.csv"}, "--dev"},
       }) {
    CAPTURE(arguments);
    const ToyPlace place;
    const std::string labelled = kCsv + "good,yes\nbad plot,no\ngood plot,yes\nbad movie,no\n";
    place.files().write("rows.csv", labelled);
    place.files().write("dev.csv", labelled);
    const Arguments first = with(arguments, {"-m", "toy", "-q", "--row-errors-ok"});
    const Arguments again = with(first, {"--resume"});
    REQUIRE(place.run(first).status == 0);
    CHECK(place.run(again).status == 0);
    check_refusal(place.run(with(again, other)), 1, output + " was written without " + reason);
    place.files().write("rows.csv", labelled + "good good,yes\n");
    check_refusal(place.run(again), 1, output + " was written |row|--force starts over");
    CHECK(place.run(with(first, {"--force"})).status == 0);
    CHECK(place.run(again).status == 0);
  }
}

TEST_CASE("where a file system has no attributes, the fingerprint is a file beside the output") {
  if (kSanitized) return;  // a sanitizer must be loaded first
  const ToyPlace place;
  place.files().write("rows.csv", kCsv);
  const auto without = [&](const Arguments& more) {
    Command command = place.command(with(kBatch, more));
    command.environment = {"LD_PRELOAD=" HEADLIGHT_FAULTS,
                           "HEADLIGHT_FAULT=setxattr:1:" + std::to_string(ENOTSUP) + "+"};
    return run(command);
  };
  place.files().write(".out.csv.headlight", "mine");
  CHECK(without({}).status == 0);
  CHECK(place.files().read(".out.csv.headlight") == "mine");
  check_last_reason(without({"--resume"}), 1, "nothing tells what it was made from");
  fs::remove(place.files() / ".out.csv.headlight");
  CHECK(without({"--force"}).status == 0);
  CHECK(place.files().has(".out.csv.headlight"));
  check_last_reason(without({"--resume"}), 0, kComplete);
  check_last_reason(without({"--resume", "--logits"}), 1, "this run uses --logits");
  place.files().write("rows.csv", kCsv + "good,yes\n");
  check_last_reason(without({"--resume"}), 1, "before 1 row was appended to the input");
  CHECK(without({"--force"}).status == 0);
  check_last_reason(without({"--resume"}), 0, kComplete);
  CHECK(place.run(with(kBatch, {"--force"})).status == 0);  // with an attribute
  check_last_reason(place.run(with(kBatch, {"--resume"})), 0, kComplete);
}

/// Names another build in what a run left.
std::string of_build(std::string text, const std::string& build) {
  const std::string key = "\"headlight\": \"";
  const std::size_t begin = text.find(key) + key.size();
  return text.replace(begin, text.find('"', begin) - begin, build);
}

TEST_CASE("rows of another build are named, and gone on with where that is accepted") {
  const ToyPlace place;
  const std::string version = place.output({"--version"});
  const std::string build = version.substr(10, version.find_first_of(",\n") - 10);
  CAPTURE(version);
  CHECK(build.substr(build.find('+') + 1).size() == std::string("3f2a9c1b04de").size());
  const Arguments command = {"batch", "rows.txt", "-m", "toy", "-o", "out"};
  const std::string other = "written by build 0.1.0+before; this is build " + build;
  place.files().write("rows.txt", "good\nbad\n\xFF\ngood\n");
  CHECK(place.run(with(command, {"--on-error", "stop"})).status == 1);
  const std::string manifest = place.files().read("out.partial.json");
  place.files().write("out.partial.json", of_build(manifest, "0.1.0+before"));
  check_refusal(place.run(with(command, {"--resume"})), 1,
                "out.partial was " + other + "|--accept-build");
  const Arguments accepting = with(command, {"--resume", "--accept-build"});
  CHECK(place.run(with(accepting, {"--on-error", "stop"})).status == 1);
  CHECK(place.files().read("out.partial.json") == manifest);
  CHECK(place.run(with(command, {"--resume"})).status == 3);

  const std::string path = place.files() / "out";
  std::string mark(4096, '\0');
  const ssize_t size = ::getxattr(path.c_str(), "user.headlight", mark.data(), mark.size());
  if (size < 0) return;  // a file system without attributes
  mark = of_build(mark.substr(0, static_cast<std::size_t>(size)), "0.1.0+before");
  REQUIRE(::setxattr(path.c_str(), "user.headlight", mark.data(), mark.size(), 0) == 0);
  check_last_reason(place.run(with(command, {"--resume"})), 1,
                    "out was " + other + "|--accept-build");
  check_last_reason(place.run(with(accepting, {"--row-errors-ok"})), 0, "out is already complete");
  check_last_reason(place.run(with(accepting, {"--logits"})), 1, "this run uses --logits");
  check_refusal(place.run(with(command, {"--accept-build"})), 2, "--accept-build|--resume");
}

}  // namespace
}  // namespace headlight::finished_test
