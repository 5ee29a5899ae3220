// headlight fit --long window: long texts in training, and what each command then does by default.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_long_texts_test {
namespace {

/// Texts of 10 to 16 words, of which the toy reads 8; the last word decides.
std::string long_rows() {
  std::string rows = "text,label\n";
  for (int i = 0; i < 60; ++i) {
    for (int word = 0; word < 9 + i % 7; ++word) rows += (i + word) % 3 == 0 ? "plot " : "movie ";
    rows += i % 2 == 0 ? "good,up\n" : "bad,down\n";
  }
  return rows;
}

const Arguments kFit = {"fit", "rows.csv", "--dev-share", "0.2", "-q"};
const Arguments kHead = with(kFit, {"-m", "toy"});

/// A config of 8 positions.
const std::string kSmall = R"({"model_type": "headlight", "vocab_size": 30, "hidden_size": 8,
    "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8, "id2label": {"0": "a"},
    "max_position_embeddings": 8, "tokenizer": {"type": "words", "lowercase": true}})";

TEST_CASE("what was trained with windows reads windows by default, and says so") {
  const ToyPlace place;
  place.files().write("rows.csv", long_rows());
  place.output(with(kHead, {"-o", "cut"}));
  place.output(with(kHead, {"-o", "made", "--long", "window"}));
  const auto config = OrderedJson::parse(place.files().read("made/config.json"));
  CHECK(config["long"] == "window");
  CHECK(place.files().read("cut/config.json").find("\"long\"") == std::string::npos);
  CHECK(place.json({"inspect", "-m", "./made", "--format", "json"})["long"] == "window");
  CHECK(place.output({"inspect", "-m", "./made"}).find("8 tokens, longer texts in windows\n") !=
        std::string::npos);

  const Arguments batch = {"batch", "rows.csv", "-m", "./made", "--logits"};
  const std::string rows = place.output(batch);
  CHECK(rows.find(R"("windows":2)") != std::string::npos);
  CHECK(rows.find("truncated") == std::string::npos);
  CHECK(rows == place.output(with(batch, {"--long", "window"})));
  CHECK(place.output(with(batch, {"--long", "truncate"})).find("truncated") != std::string::npos);
  const Arguments evaluate = {"evaluate", "rows.csv", "--format", "json", "-m"};
  CHECK(place.json(with(evaluate, {"./made"}))["accuracy"] == 1.0);
  CHECK(place.json(with(evaluate, {"./cut"}))["accuracy"] < 0.9);

  const std::string text = "movie movie movie movie movie plot movie movie good";
  const auto verdict = [&](const Arguments& run) {
    return place.json(with(run, {text, "-m", "./made", "--format", "jsonl"}))["logits"];
  };
  const OrderedJson logits = verdict({"classify"});
  CHECK(verdict({"classify", "--long", "window"}) == logits);
  CHECK(verdict({"explain"}) == logits);
  CHECK(verdict({"classify", "--long", "truncate"}) != logits);
  CHECK(verdict({"explain", "--method", "gradient"}) ==
        verdict({"classify", "--long", "truncate"}));
  // A model that is made of it does the same, unless it is told not to.
  place.output(with(kFit, {"-m", "./made", "-o", "again"}));
  CHECK(OrderedJson::parse(place.files().read("again/config.json"))["long"] == "window");
  place.output(with(kFit, {"-m", "./made", "-o", "short", "--long", "truncate"}));
  CHECK(place.files().read("short/config.json").find("\"long\"") == std::string::npos);
}

TEST_CASE(
    "the vectors of long texts are those of embed, and the bytes those of every number of "
    "threads") {
  const ToyPlace place;
  place.files().write("rows.csv", long_rows());
  auto config = OrderedJson::parse(kSmall);
  config["vocab_size"] = 5;
  config["tokenizer"]["vocabulary"] = {"[UNK]", "good", "bad", "movie", "plot"};
  place.files().write("small.json", config.dump());
  place.output({"init", "small.json", "-o", "small"});
  const Arguments fit = with(kFit, {"-m", "./small", "--long", "window"});
  place.output(with(fit, {"-o", "one", "--threads", "1", "--vectors", "kept"}));
  for (const char* threads : {"2", "3"}) {
    place.output(with(fit, {"-o", threads, "--threads", threads}));
    for (const char* file : {"model.safetensors", "training.json", "calibration.json"}) {
      CHECK(place.files().read(std::string(threads) + '/' + file) ==
            place.files().read(std::string("one/") + file));
    }
  }
  const std::string kept = place.files().read("kept");
  place.output({"embed", "rows.csv", "-m", "./small", "--long", "window", "-o", "vectors.npy"});
  const std::string vectors = place.files().read("vectors.npy");
  constexpr std::size_t kBytes = 8 * sizeof(float);
  for (std::size_t i = 0; i < 60; ++i) {
    CHECK(kept.find(vectors.substr(vectors.size() - (i + 1) * kBytes, kBytes)) !=
          std::string::npos);
  }
}

TEST_CASE("the rows that pushed a verdict are found for long texts too") {
  const ToyPlace place;
  place.files().write("rows.csv", long_rows());
  place.output(with(kHead, {"-o", "made", "--long", "window", "--penalty", "1"}));
  const auto found = place.json({"explain", "movie movie movie movie movie plot movie movie good",
                                 "-m", "./made", "--rows", "rows.csv", "--format", "json"});
  CHECK(found["training_rows"].size() == 10);
  const std::string label = found["label"];
  CHECK(label == "up");
}

TEST_CASE("all weights are trained on windows, from a model and from none") {
  const ToyPlace place;
  place.files().write("rows.csv", long_rows());
  place.files().write("bare.json", kSmall);
  for (const char* start : {"toy", "bare.json"}) {
    place.output({"fit", "rows.csv", "-m", start, "--train", "all", "--epochs", "2", "--long",
                  "window", "-o", "all", "--force", "-q"});
    CHECK(OrderedJson::parse(place.files().read("all/config.json"))["long"] == "window");
    const std::string rows = place.output({"batch", "rows.csv", "-m", "./all"});
    CHECK(rows.find(R"("windows":2)") != std::string::npos);
  }
  // Its verdicts are those of evaluate.
  place.files().write("dev.csv", long_rows());
  const auto made =
      place.json({"fit", "rows.csv", "--dev", "dev.csv", "-m", "bare.json", "--long", "window",
                  "--epochs", "3", "-o", "figures", "-q", "--format", "json"});
  const auto found = place.json({"evaluate", "dev.csv", "-m", "./figures", "--format", "json"});
  CHECK(made["development"]["accuracy"] == found["accuracy"]);
}

TEST_CASE("a model without layers reads whole texts, so --long is refused") {
  const ToyPlace place;
  place.files().write("rows.csv", long_rows());
  check_last_reason(
      place.run({"fit", "rows.csv", "-o", "made", "--train", "static", "--long", "window"}), 2,
      "--long|--train static");
  CHECK(!place.files().has("made"));
}

}  // namespace
}  // namespace headlight::fit_long_texts_test
