// headlight fit --resume: what a stopped or killed run left is continued by the same run alone, and
// nothing of others is lost.
#include <chrono>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_resume_test {
namespace {

namespace fs = std::filesystem;

const std::string kBare = R"({"model_type": "headlight", "vocab_size": 30, "hidden_size": 32,
    "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64,
    "norm_order": "pre", "tokenizer": {"type": "words", "lowercase": true}})";

const Arguments kHead = {"fit", "rows.csv", "-m", "toy", "--train", "head", "-o", "made"};
const Arguments kAll = {"fit", "rows.csv", "-m", "bare.json", "-o", "made", "--epochs", "1"};

std::string some_rows(int count, const std::string& yes, const std::string& no) {
  std::string rows = "text,label\n";
  for (int i = 0; i < count; ++i) {
    rows += i % 2 == 0 ? "good movie" : "bad plot";
    for (int j = 0; j < i / 2 % 7; ++j) rows += i % 3 == 0 ? " a" : " movie";
    rows += ',' + (i % 2 == 0 ? yes : no) + '\n';
  }
  return rows;
}

ToyPlace& with_rows(ToyPlace& place, int count) {
  place.files().write("rows.csv", some_rows(count, "up", "down"));
  place.files().write("bare.json", kBare);
  return place;
}

/// Stops a run once its log has a development score, which leaves a checkpoint.
void stop(const ToyPlace& place, const Arguments& run) {
  const Outcome stopped = stop_training(place, run);
  CAPTURE(stopped.err);
  REQUIRE(stopped.status == 130);
  REQUIRE(place.files().has("made.checkpoint"));
}

TEST_CASE("--resume keeps a file that is not the log of this run, and --force replaces it") {
  const std::string other = R"({"step":1,"epoch":1})"
                            "\n";
  struct Row {
    Arguments run;
    std::string content;
  };
  for (const Row& row : {Row{kHead, "a note"}, Row{kHead, other}, Row{kAll, "a note"},
                         Row{kAll, other}, Row{kAll, R"({"strength":1})"}}) {
    CAPTURE(row.content);
    ToyPlace place;
    with_rows(place, 40);
    place.files().write("notes", row.content);
    check_last_reason(place.run(with(row.run, {"--log", "notes", "--resume"})), 1,
                      "notes: exists already and is not the log of this run|--force");
    CHECK(place.files().read("notes") == row.content);
    CHECK(!place.files().has("made"));
    CHECK(place.run(with(row.run, {"--log", "notes", "--force"})).status == 0);
    CHECK(place.files().read("notes") != row.content);
  }
}

TEST_CASE("a head's log of a killed run is continued if it is of the same lines") {
  ToyPlace place;
  with_rows(place, 40);
  const Arguments logged = with(kHead, {"--log", "log", "--resume"});
  place.output(logged);
  const std::string log = place.files().read("log");
  fs::remove_all(place.files() / "made");
  for (const std::string& partial : {std::string(), log.substr(0, 20)}) {
    place.files().write("log.partial", partial);
    place.output(logged);  // the run was killed before its model got its name
    CHECK(place.files().read("log") == log);
    fs::remove_all(place.files() / "made");
  }
  place.files().write("log", log + "a note\n");
  check_last_reason(place.run(logged), 1, "log: exists already and is not the log of this run");
  CHECK(place.files().read("log") == log + "a note\n");
  place.files().write("log", "");
  place.files().write("log.partial", "a note");
  check_last_reason(place.run(logged), 1, "log.partial: exists already and is not the log");
  CHECK(place.files().read("log.partial") == "a note");
}

TEST_CASE("a stopped training is resumed with the same rows, log and arithmetic alone") {
  ToyPlace place;
  with_rows(place, 600);
  const Arguments labels = {"fit", "rows.csv", "-m", "bare.json", "-o", "made", "--epochs", "1000"};
  stop(place, labels);
  const Arguments resumed = with(labels, {"--resume"});
  const std::string state = place.files().read("made.checkpoint");
  const std::string log = place.files().read("log");

  place.files().write("notes", std::string(log.size() + 100, 'x'));
  check_last_reason(place.run(with(resumed, {"--log", "notes"})), 1,
                    "notes: exists already and is not the log of the stopped run|--log");
  CHECK(place.files().read("notes") == std::string(log.size() + 100, 'x'));

  Command other = place.command(with(resumed, {"--log", "log"}));
  other.environment = {"HEADLIGHT_INSTRUCTION_SET=SSE4"};
  check_last_reason(run(other), 1, "made.checkpoint|packed kernels without fused multiply-add");
  check_last_reason(place.run(with(resumed, {"--class-weights", "balanced"})), 1,
                    "made.checkpoint|--class-weights balanced");

  place.files().write("rows.csv", some_rows(600, "upwards", "down"));
  check_last_reason(place.run(resumed), 1, "made.checkpoint|another input: its rows");
  place.files().write("rows.csv", some_rows(600, "up", "down"));
  place.files().write("made.checkpoint", "headlight training 2\n" + std::string(100, 'x'));
  check_last_reason(place.run(resumed), 1, "made.checkpoint|or is damaged; use --force");
  place.files().write("made.checkpoint", state);
  CHECK(place.files().read("log") == log);
}

/// Stops a run as soon as `is_time`.
Outcome stop_when(const ToyPlace& place, const Arguments& run,
                  const std::function<bool()>& is_time) {
  Process process(place.command(run));
  for (int i = 0; i < 8000 && !is_time(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process.send(SIGINT);
  return process.finish();
}

void check_stopped(const Outcome& outcome) {
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 130);
  CHECK(outcome.err.find("stopped ") != std::string::npos);
  CHECK(outcome.err.ends_with("; use --resume to continue\n"));
  CHECK(outcome.out.empty());
}

void check_same_end(const ToyPlace& place, const Arguments& resumed) {
  CHECK(!place.files().has("made"));
  place.output(resumed);
  CHECK(place.files().read("made/model.safetensors") ==
        place.files().read("whole/model.safetensors"));
  CHECK(place.files().read("log") == place.files().read("whole.jsonl"));
  for (const char* left : {"made.checkpoint", "made.checkpoint-2", "made.checkpoint-3"}) {
    CHECK(!place.files().has(left));
  }
}

TEST_CASE("a static training resumes in each of its courses, and ends in the same bytes") {
  const ToyPlace place;
  place.files().write("rows.csv", unknown_rows(2000));
  const Arguments run = {"fit", "rows.csv", "--train", "static", "--log"};
  place.output(with(run, {"whole.jsonl", "-o", "whole"}));
  const Arguments resumed = with(run, {"log", "-o", "made", "--resume"});
  const std::size_t epochs = lines_of(place.files().read("whole.jsonl")).size() / 3;
  for (const std::size_t lines : {epochs / 4, epochs + 2, 2 * epochs + 2}) {
    check_stopped(stop_when(place, resumed, [&] {
      return place.files().has("log") && lines_of(place.files().read("log")).size() >= lines;
    }));
    CHECK(place.files().has("made.checkpoint"));
  }
  CHECK(place.files().has("made.checkpoint-3"));
  check_last_reason(place.run(with(resumed, {"--seed", "4"})), 1,
                    "made.checkpoint|was written without --seed");
  check_same_end(place, resumed);
}

TEST_CASE("a contrastive training resumes in both of its courses, and ends in the same bytes") {
  const ToyPlace place;
  place.files().write("rows.csv", some_rows(60, "up", "down"));
  const Arguments run = {"fit",         "rows.csv", "-m",   "toy",  "--train",
                         "contrastive", "--epochs", "1000", "--log"};
  place.output(with(run, {"whole.jsonl", "-o", "whole"}));
  const Arguments resumed = with(run, {"log", "-o", "made", "--resume"});
  check_stopped(stop_when(place, resumed, [&] {
    return place.files().has("log") && lines_of(place.files().read("log")).size() > 10;
  }));
  CHECK(place.files().has("made.checkpoint"));
  check_stopped(stop_when(place, resumed, [&] { return place.files().has("made.vectors"); }));
  check_same_end(place, resumed);
}

TEST_CASE("a target that differs in its last bit, or rows in another order, are other rows") {
  ToyPlace place;
  with_rows(place, 0);
  const auto rows = [](const std::string& first, const std::string& second) {
    return some_rows(600, "0.5", "0.25") + "good," + first + "\nbad," + second + "\n";
  };
  place.files().write("rows.csv", rows("0.5", "0.25"));
  const Arguments run = {"fit",  "rows.csv", "-m",   "bare.json",   "-o",
                         "made", "--epochs", "1000", "--regression"};
  stop(place, run);
  place.files().write("rows.csv", rows("0.50000006", "0.25"));
  check_last_reason(place.run(with(run, {"--resume"})), 1, "another input: its rows");
  place.files().write("rows.csv", rows("0.25", "0.5"));
  check_last_reason(place.run(with(run, {"--resume"})), 1, "another input: its rows");
}

TEST_CASE("what a run leaves that is killed before its end is removed by the next one") {
  if (kSanitized) return;
  ToyPlace place;
  with_rows(place, 40);
  Command killed = place.command(kHead);
  killed.environment = {"LD_PRELOAD=" HEADLIGHT_FAULTS, "HEADLIGHT_FAULT=unlink:1:0"};
  CHECK(run(killed).signal == SIGKILL);
  REQUIRE(place.files().has("made/model.safetensors"));
  REQUIRE(place.files().has("made.vectors"));
  place.output(with(kHead, {"--resume"}));
  CHECK(!place.files().has("made.vectors"));

  for (const char* left : {"made.checkpoint", "made.checkpoint-2.partial"}) {
    place.files().write(left, "headlight training 2\n");
  }
  place.files().write("made.vectors", "mine");  // no run wrote it, and this one does not need it
  place.output(with(kAll, {"--force"}));
  CHECK(!place.files().has("made.checkpoint"));
  CHECK(!place.files().has("made.checkpoint-2.partial"));
  CHECK(place.files().read("made.vectors") == "mine");
}

TEST_CASE("fit through a symbolic link replaces the model that it leads to, and keeps the link") {
  for (const bool dangles : {false, true}) {
    CAPTURE(dangles);
    ToyPlace place;
    with_rows(place, 40);
    fs::create_directory(place.files() / "models");
    if (!dangles) place.files().write("models/first/config.json", "{}");
    fs::create_directory_symlink("models/first", place.files() / "latest");
    fs::create_directory_symlink("latest", place.files() / "made");
    place.output(with(kHead, {"--force"}));
    CHECK(fs::is_symlink(place.files() / "made"));
    CHECK(fs::is_symlink(place.files() / "latest"));
    CHECK(place.files().has("models/first/model.safetensors"));
    CHECK(std::distance(fs::directory_iterator(place.files() / "models"), {}) == 1);
  }
}

TEST_CASE("unfinished files in a model's directory do not keep it from being replaced") {
  ToyPlace place;
  with_rows(place, 40);
  place.output(kHead);
  for (const char* left : {"calibration.json.partial", "model.safetensors.partial"}) {
    place.files().write(std::string("made/") + left, "{");
  }
  place.output(with(kHead, {"--force"}));
  CHECK(!place.files().has("made/calibration.json.partial"));
  place.files().write("made/calibration.json.partial-of-mine", "{");
  check_last_reason(place.run(with(kHead, {"--force"})), 1,
                    "has files of other kinds, such as calibration.json.partial-of-mine");
}

TEST_CASE("what a killed run of another kind left does not stand in the way, and is removed") {
  ToyPlace place;
  with_rows(place, 12);
  place.files().write("d.csv.partial", "");
  const Outcome checked = place.run({"check", "rows.csv", "-m", "toy", "-o", "d.csv"});
  INFO(checked.err);
  CHECK(checked.status == 0);
  CHECK_FALSE(place.files().has("d.csv.partial"));
  const std::string vectors = "headlight vectors of a killed run";
  place.files().write("made.ngrams.vectors", vectors);
  fs::create_directory(place.files() / "made.static");  // a model of that name
  place.files().write("made.static.vectors", vectors);
  CHECK(place.run(kHead).status == 0);
  CHECK_FALSE(place.files().has("made.ngrams.vectors"));
  CHECK(place.files().has("made.static.vectors"));
}

TEST_CASE("stopped while several trainings are tried, fit promises what the next run does") {
  const ToyPlace place;
  std::string rows = "text,label\n";
  for (int i = 0; i < 400; ++i) {
    rows += "film " + std::to_string(i / 4) + (i % 2 == 0 ? " is good,a\n" : " is bad,b\n");
  }
  place.files().write("rows.csv", rows);
  struct Row {
    std::string share;  // the usual one: few rows are scored in folds
    std::string hint;
  };
  for (const Row& row :
       {Row{"0.1", "the same command starts again"}, Row{"0.2", "use --resume to continue"}}) {
    CAPTURE(row.share);
    Process process(
        place.command({"fit", "rows.csv", "--dev-share", row.share, "-o", "out" + row.share}));
    REQUIRE(process.says("--train static: "));
    process.send(SIGINT);
    const Outcome outcome = process.finish();
    CHECK(outcome.status == 130);
    CHECK(outcome.err.ends_with("stopped, and no model was written; " + row.hint + '\n'));
    CHECK(!place.files().has("out" + row.share));
  }
}

}  // namespace
}  // namespace headlight::fit_resume_test
