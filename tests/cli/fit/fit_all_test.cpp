// headlight fit --train all: from a config without weights and from a model.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/base64.h"
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

OrderedJson film_in(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="film">)";
  const std::size_t from = page.find(begin) + begin.size();
  return OrderedJson::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST_CASE("without a text, a film shows the first row, with its second text") {
  const ToyPlace place;
  place.files().write("rows.csv",
                      "text,pair,label\na good plot,bad movie,x\na bad plot,good movie,y\n");
  place.output({"fit", "rows.csv", "-m", "toy", "--pair-text", "pair", "--train", "all", "--epochs",
                "1", "--dev-share", "0", "-o", "made", "--film", "film.html"});
  const OrderedJson film = film_in(place.files().read("film.html"));
  const OrderedJson now = place.json(
      {"attention", "-m", "./made", "--format", "json", "a good plot", "--pair", "bad movie"});
  CHECK(film["tokens"] == now["tokens"]);
}

TEST_CASE("a film has the attention, prediction and loss after the epochs of a training") {
  ToyPlace place;
  with_files(place, 200);
  const auto all = [](const std::string& start, const std::string& epochs) {
    return Arguments{"fit", "rows.csv", "-m",   start,          "--train", "all",
                     "-q",  "--epochs", epochs, "--keep-state", "last"};
  };
  place.output(with(all("bare.json", "3"), {"-o", "unfilmed"}));
  place.output(with(all("bare.json", "3"), {"-o", "start", "--film", "start.html"}));
  CHECK(place.files().read("start/model.safetensors") ==
        place.files().read("unfilmed/model.safetensors"));
  place.output(
      with(all("./start", "37"), {"-o", "made", "--film", "film.html", "a good plot bad"}));
  const OrderedJson film = film_in(place.files().read("film.html"));
  const auto& frames = film["frames"];
  CHECK(frames.size() > 15);
  CHECK(frames.size() <= 30);
  CHECK(frames[0]["epoch"] == 0.0);
  CHECK_FALSE(frames[0].contains("loss"));
  CHECK(frames.back()["epoch"] == 37.0);
  CHECK(frames.back()["loss"] < frames[1]["loss"]);
  CHECK(frames.back()["devLoss"].is_number());
  const auto now = place.json({"attention", "-m", "./made", "--format", "json", "a good plot bad"});
  CHECK(film["tokens"] == now["tokens"]);
  for (std::size_t label = 0; label < film["labels"].size(); ++label) {
    const std::string name = film["labels"][label];
    CHECK(frames.back()["scores"][label].get<double>() ==
          doctest::Approx(now["probabilities"][name].get<double>()).epsilon(1e-4));
  }
  std::string bytes;  // of each weight, 255 is 1
  for (const auto& head : now["attention"][0]) {
    for (const auto& row : head) {
      for (const auto& weight : row) {
        bytes += static_cast<char>(std::lround(weight.get<float>() * 255.0F));
      }
    }
  }
  CHECK(frames.back()["attention"] == encode_base64(bytes));
  check_refusal(place.run(with(all("./start", "1"), {"--film", "film.svg", "-o", "other"})), 2,
                "--film|html");
  check_refusal(place.run(with(all("./start", "1"), {"--film", "film.html", "-o", "other"})), 1,
                "film.html|exists");
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
  const Outcome stopped = stop_training(place, long_run);
  CAPTURE(stopped.err);
  REQUIRE(stopped.status == 130);
  CHECK(stopped.err.find("--resume to continue") != std::string::npos);
  CHECK(fs::exists(place.files() / "made.checkpoint"));
  check_last_reason(place.run(with(kFit, {"--seed", "4", "--resume"})), 1,
                    "made.checkpoint|was written with --epochs 8; this run does not use --epochs");
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

TEST_CASE("where all weights gain nothing, the summary and the card say what was kept") {
  ToyPlace place;
  with_files(place, 300);
  place.output(kFit);
  const Arguments spoiled = {"fit", "rows.csv",        "-m", "./made", "--train", "all", "--epochs",
                             "1",   "--learning-rate", "10", "-o",     "kept"};
  const std::string kKept =
      "the last layer alone, which is best; all weights after 1 epochs: accuracy ";
  CHECK(place.output(spoiled).find("\ntrained                 " + kKept) != std::string::npos);
  CHECK(place.files().read("kept/README.md").find("| trained | " + kKept) != std::string::npos);
  const OrderedJson json = place.json(with(spoiled, {"--force", "--format", "json"}));
  CHECK(json["trained"].get<std::string>().starts_with(kKept));
  CHECK(json["development"]["accuracy"] > 0.95);
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

/// The lines of a vocabulary, and how many of them every smaller one keeps: special tokens and
/// single characters.
struct Pieces {
  std::vector<std::string> all;
  std::size_t required = 5;
};

Pieces pieces_of(const ToyPlace& place, const std::string& model) {
  Pieces pieces;
  std::istringstream lines(place.files().read(model + "/vocab.txt"));
  for (std::string line; std::getline(lines, line);) {
    pieces.all.push_back(line);
    if (line.size() == 1 || (line.size() == 3 && line.starts_with("##"))) ++pieces.required;
  }
  return pieces;
}

TEST_CASE("training from a model can keep some of its layers, pieces and neurons") {
  ToyPlace place;
  with_files(place, 600);
  OrderedJson config = OrderedJson::parse(kBare);
  config["vocab_size"] = 60;
  config["num_hidden_layers"] = 2;
  config["tokenizer"]["type"] = "wordpiece";
  place.files().write("bare.json", config.dump());
  place.output(kFit);
  const Pieces whole = pieces_of(place, "made");
  const std::size_t size = whole.required + 8;
  REQUIRE(size < whole.all.size());
  const Arguments small = {"fit",
                           "rows.csv",
                           "-m",
                           "./made",
                           "--train",
                           "all",
                           "-o",
                           "small",
                           "--keep-layers",
                           "1",
                           "--vocabulary-size",
                           std::to_string(size),
                           "--feed-forward-size",
                           "3"};
  const Outcome outcome = place.run(with(small, {"--epochs", "20"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.find("kept 1 of 2 layers of the start") != std::string::npos);
  CHECK(outcome.err.find("kept " + std::to_string(size) + " of " +
                         std::to_string(whole.all.size()) + " tokens") != std::string::npos);
  CHECK(outcome.err.find("neurons of each feed-forward of the start, which explain at least") !=
        std::string::npos);
  const Pieces kept = pieces_of(place, "small");
  CHECK(kept.all.size() == size);
  CHECK(kept.required == whole.required);
  CHECK(std::ranges::is_permutation(kept.all, std::set(kept.all.begin(), kept.all.end())));
  std::size_t at = 0;  // in the order of the ids
  for (const std::string& piece : whole.all) at += at < size && piece == kept.all[at] ? 1 : 0;
  CHECK(at == size);
  const OrderedJson made = OrderedJson::parse(place.files().read("small/config.json"));
  CHECK(made["vocab_size"] == size);
  CHECK(made["num_hidden_layers"] == 1);
  CHECK(made["intermediate_size"] == 3);
  CHECK(place.json({"classify", "-m", "./small", "--format", "json",
                    "a good and bad plot"})[0]["label"] == "up");
  for (const char* left : {"small.start.partial", "small.vectors", "small.checkpoint"}) {
    CHECK(!fs::exists(place.files() / left));
  }
  const std::string bytes = place.files().read("small/model.safetensors");
  place.output(with(small, {"--epochs", "20", "--force", "--threads", "2"}));
  CHECK(place.files().read("small/model.safetensors") == bytes);
}

TEST_CASE("layers and pieces that a model does not have are refused") {
  ToyPlace place;
  with_files(place, 40);
  place.add("pieces", use_word_pieces);
  const Arguments all = {"fit", "rows.csv", "--train", "all", "-o", "made", "-m"};
  check_refusal(place.run(with(all, {"toy", "--keep-layers", "4"})), 2, "--keep-layers");
  check_last_reason(place.run(with(all, {"toy", "--vocabulary-size", "5"})), 1,
                    "config.json|WordLevel|WordPiece");
  check_last_reason(place.run(with(all, {"pieces", "--vocabulary-size", "5"})), 1,
                    "pieces/config.json|vocab.txt");
  CHECK(!fs::exists(place.files() / "made"));
}

TEST_CASE("options that do not go together are refused") {
  ToyPlace place;
  with_files(place, 40);
  const Arguments of_toy = {"fit", "rows.csv", "-m", "toy", "-o", "made"};
  check_refusal(place.run(with(of_toy, {"--epochs", "2"})), 2, "--epochs needs --train all");
  check_refusal(place.run(with(of_toy, {"--dropout", "0.2"})), 2, "--dropout needs --train all");
  check_refusal(place.run(with(of_toy, {"--vocabulary-size", "50"})), 2,
                "--vocabulary-size needs --train all");
  check_refusal(place.run(with(of_toy, {"--keep-layers", "0"})), 2,
                "--keep-layers needs --train all");
  check_refusal(place.run(with(kFit, {"--keep-layers", "0"})), 2, "--keep-layers needs a start");
  check_refusal(place.run(with(of_toy, {"--keep-state", "last"})), 2,
                "--keep-state last needs --train all");
  check_refusal(place.run(with(of_toy, {"--feed-forward-size", "4"})), 2,
                "--feed-forward-size needs --train all");
  check_refusal(place.run(with(kFit, {"--feed-forward-size", "4"})), 2,
                "--feed-forward-size needs a start");
  check_refusal(place.run(with(kFit, {"--train", "head"})), 1, "bare.json|--train all");
  check_refusal(place.run(with(kFit, {"--vocabulary-size", "1"})), 2, "--vocabulary-size");
}

}  // namespace
}  // namespace headlight::fit_all_test
