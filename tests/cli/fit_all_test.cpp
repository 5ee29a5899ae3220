// headlight fit --train all: from a config without weights and from a model.
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

namespace headlight::fit_all_test {
namespace {

namespace fs = std::filesystem;

/// Whether "good" comes before "bad": bags of words cannot tell.
std::string order_rows(int count, const std::string& yes = "up", const std::string& no = "down") {
  const std::vector<std::string> others = {"movie", "a", "plot", "the", "of", "and"};
  std::minstd_rand engine(1);  // its numbers are standardized
  const auto words = [&](std::size_t least) {
    std::string text;
    for (std::size_t n = least + engine() / 8 % 2; n > 0; --n) {
      text += others[engine() / 8 % others.size()] + ' ';
    }
    return text;
  };
  std::string rows = "text,label\n";
  for (int i = 0; i < count; ++i) {
    const bool first = engine() / 8 % 2 == 0;
    rows += words(1) + (first ? "good " : "bad ") + words(0) + (first ? "bad " : "good ") +
            words(0) + ',' + (first ? yes : no) + '\n';
  }
  return rows;
}

const std::string kBare = R"({"model_type": "headlight", "vocab_size": 30, "hidden_size": 32,
    "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 64,
    "norm_order": "pre", "tokenizer": {"type": "words", "lowercase": true}})";

const Arguments kFit = {"fit", "rows.csv", "-m", "bare.json", "-o", "made"};

ToyPlace& with_files(ToyPlace& place, int rows) {
  place.files().write("rows.csv", order_rows(rows));
  place.files().write("bare.json", kBare);
  return place;
}

std::string label_of(const ToyPlace& place, const std::string& text) {
  return place.json({"classify", "-m", "./made", "--format", "json", text})[0]["label"];
}

TEST_CASE("a config without weights and words learns both from the rows") {
  ToyPlace place;
  with_files(place, 600);
  const Outcome outcome = place.run(kFit);
  check_sane(outcome);
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.find("learned a vocabulary of 9 tokens") != std::string::npos);
  CHECK(label_of(place, "a good and bad plot") == "up");
  CHECK(label_of(place, "a bad and good plot") == "down");
  CHECK(place.files().read("made/vocab.txt").starts_with("[UNK]\n"));
  const OrderedJson config = OrderedJson::parse(place.files().read("made/config.json"));
  CHECK(config["vocab_size"] == 9);
  CHECK(config["id2label"] == OrderedJson({{"0", "down"}, {"1", "up"}}));
  CHECK(place.files().read("made/README.md").find("AdamW") != std::string::npos);
  CHECK(!fs::exists(place.files() / "made.checkpoint"));
}

TEST_CASE("training all weights gives the same bytes for any number of threads") {
  ToyPlace place;
  with_files(place, 100);
  std::vector<std::string> weights;
  std::vector<std::string> logs;
  for (const char* threads : {"1", "2", "3"}) {
    place.output(with(kFit, {"--threads", threads, "--force", "--epochs", "2", "--log", "log"}));
    weights.push_back(place.files().read("made/model.safetensors"));
    logs.push_back(place.files().read("log"));
  }
  CHECK(weights[1] == weights[0]);
  CHECK(weights[2] == weights[0]);
  CHECK(logs[1] == logs[0]);
  CHECK(logs[2] == logs[0]);
}

TEST_CASE("a training that is stopped keeps its best state, and --resume ends in the same bytes") {
  ToyPlace place;
  with_files(place, 600);
  const Arguments long_run = with(kFit, {"--epochs", "8", "--seed", "3"});
  place.output(with(long_run, {"--log", "whole"}));
  const std::string whole = place.files().read("made/model.safetensors");
  fs::remove_all(place.files() / "made");
  const Arguments logged = with(long_run, {"--log", "log"});
  Process process(place.command(logged));
  for (int i = 0; i < 2000 && place.files().read("log").find("development") == std::string::npos;
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send(SIGINT);
  const Outcome stopped = process.finish();
  CAPTURE(stopped.err);
  REQUIRE(stopped.status == 130);
  CHECK(stopped.err.find("--resume to continue") != std::string::npos);
  CHECK(fs::exists(place.files() / "made.checkpoint"));
  check_last_reason(place.run(with(kFit, {"--seed", "4", "--resume"})), 1,
                    "made.checkpoint|--seed");
  place.output(with(logged, {"--resume"}));
  CHECK(place.files().read("made/model.safetensors") == whole);
  CHECK(place.files().read("log") == place.files().read("whole"));
  CHECK(!fs::exists(place.files() / "made.checkpoint"));
}

TEST_CASE("a model with weights gets a fitted head first, then all of it is trained") {
  ToyPlace place;
  with_files(place, 300);
  place.output(kFit);
  const std::string before = place.files().read("made/model.safetensors");
  const OrderedJson tuned = place.json({"fit", "rows.csv", "-m", "./made", "--train", "all",
                                        "--epochs", "1", "-o", "tuned", "--format", "json"});
  CHECK(tuned["development"]["accuracy"] > 0.95);
  CHECK(place.files().read("tuned/model.safetensors") != before);
  CHECK(!fs::exists(place.files() / "tuned.vectors"));
}

TEST_CASE("a student learns the logits of a teacher, and as much of the labels as it is told to") {
  ToyPlace place;
  with_files(place, 600);
  place.output(kFit);
  place.files().write("swapped.csv", order_rows(600, "down", "up"));
  place.files().write("taught.jsonl",
                      place.output({"batch", "swapped.csv", "-m", "./made", "--logits", "--keep",
                                    "--column-prefix", "teacher_"}));
  for (const bool believes_teacher : {true, false}) {
    place.output({"fit", "taught.jsonl", "-m", "bare.json", "-o", "made", "--force", "--dev-share",
                  "0", "--epochs", "30", "--teacher-logits", "teacher_logits", "--teacher-share",
                  believes_teacher ? "1" : "0"});
    CHECK(label_of(place, "a good and bad plot") == (believes_teacher ? "up" : "down"));
    CHECK(label_of(place, "a bad and good plot") == (believes_teacher ? "down" : "up"));
  }
}

TEST_CASE("options that do not go together are refused") {
  ToyPlace place;
  with_files(place, 40);
  const Arguments of_toy = {"fit", "rows.csv", "-m", "toy", "-o", "made"};
  check_refusal(place.run(with(of_toy, {"--epochs", "2"})), 2, "--epochs needs --train all");
  check_refusal(place.run(with(of_toy, {"--dropout", "0.2"})), 2, "--dropout needs --train all");
  check_refusal(place.run(with(of_toy, {"--vocabulary-size", "50"})), 2,
                "--vocabulary-size needs a config without weights and words");
  check_refusal(place.run(with(kFit, {"--train", "head"})), 1, "bare.json|--train all");
  check_refusal(place.run(with(kFit, {"--vocabulary-size", "1"})), 2, "--vocabulary-size");
}

}  // namespace
}  // namespace headlight::fit_all_test
