// Encoders without a classifier: what reads them, and headlight fit, which makes one of a teacher's
// vectors.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fit_vectors_test {
namespace {

namespace fs = std::filesystem;

void remove_classifier(std::vector<Tensor>& tensors) {
  std::erase_if(tensors,
                [](const Tensor& tensor) { return tensor.name.starts_with("classifier."); });
}

/// A toy without classifier and labels.
void add_encoder(const ToyPlace& place) {
  place.add(
      "encoder", [](OrderedJson& config) { config.erase("id2label"); }, remove_classifier);
}

/// Every order of up to four of the toy's words, a text a line.
std::string many_texts() {
  const std::vector<std::string> words = {"good", "bad", "movie", "a", "plot"};
  std::string texts;
  for (const std::string& first : words) {
    for (const std::string& second : words) {
      texts += first + ' ' + second + '\n';
      for (const std::string& third : words) texts += first + ' ' + second + ' ' + third + '\n';
    }
  }
  return texts;
}

const std::string kBare = R"({"model_type": "headlight", "vocab_size": 30, "hidden_size": 4,
    "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8,
    "norm_order": "pre", "tokenizer": {"type": "words", "lowercase": true}})";

const Arguments kFit = {"fit", "texts.txt", "--teacher-vectors", "vectors.npy", "-m", "bare.json",
                        "-o",  "made",      "--learning-rate",   "0.01"};

const std::string kTeacher = R"({"model_type": "headlight", "vocab_size": 6, "hidden_size": 4,
    "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8, "tokenizer":
    {"type": "words", "vocabulary": ["[UNK]", "good", "bad", "movie", "a", "plot"]}})";

/// 150 texts, their vectors by a random model, and a config to train.
void add_teacher(const ToyPlace& place) {
  place.files().write("texts.txt", many_texts());
  place.files().write("bare.json", kBare);
  place.files().write("teacher.json", kTeacher);
  place.output({"init", "teacher.json", "-o", "teacher"});
  place.output({"embed", "-m", "./teacher", "texts.txt", "-o", "vectors.npy"});
}

TEST_CASE("a native model without a classifier gives vectors, tokens and attention") {
  const ToyPlace place;
  add_encoder(place);
  const auto vectors = [&](const char* model) {
    return place.output({"embed", "-m", model, "rows.txt", "--format", "jsonl"});
  };
  CHECK(vectors("encoder") == vectors("toy"));
  CHECK(place.output({"tokenize", "-m", "encoder", "good"}) ==
        place.output({"tokenize", "-m", "toy", "good"}));
  const auto attention = place.json({"attention", "-m", "encoder", "good bad", "--format", "json"});
  CHECK(attention["attention"] ==
        place.json({"attention", "-m", "toy", "good bad", "--format", "json"})["attention"]);
  CHECK(!attention.contains("label"));
  CHECK(place.output({"inspect", "-m", "encoder"}).find("none (no classification head)") !=
        std::string::npos);
}

TEST_CASE("what needs a verdict says that the model has no classifier, and what makes one") {
  const ToyPlace place;
  add_encoder(place);
  place.files().write("rows.csv", "text,label\ngood,positive\nbad,negative\n");
  const std::vector<Arguments> commands = {{"classify", "good"},
                                           {"batch", "rows.txt"},
                                           {"evaluate", "rows.csv"},
                                           {"explain", "good"},
                                           {"stream"}};
  for (const Arguments& command : commands) {
    CAPTURE(command[0]);
    check_refusal(place.run(with(command, {"-m", "encoder"})), 1,
                  "encoder: has no classification head|headlight fit");
  }
}

TEST_CASE("labels in the config ask for a classifier, and a classifier needs none") {
  const ToyPlace place;
  place.add("lost", {}, remove_classifier);
  check_refusal(place.run({"classify", "-m", "lost", "good"}), 1,
                "tensor classifier.weight: missing|[2, 4]");
  place.add("unnamed", [](OrderedJson& config) { config.erase("id2label"); });
  CHECK(place.json({"classify", "-m", "unnamed", "good", "--format", "json"})[0]["label"] ==
        "LABEL_1");
}

TEST_CASE("fit puts a classifier on a native encoder") {
  const ToyPlace place;
  add_encoder(place);
  std::string rows = "text,label\n";
  for (const std::string& text : lines_of(many_texts())) {
    rows += text + (text.starts_with("good") ? ",first\n" : ",other\n");
  }
  place.files().write("rows.csv", rows);
  place.output({"fit", "rows.csv", "-m", "./encoder", "-o", "made"});
  CHECK(place.json({"classify", "-m", "./made", "good", "--format", "json"})[0]["label"] ==
        "first");
}

TEST_CASE("fit makes an encoder of texts and a teacher's vectors alone") {
  const ToyPlace place;
  add_teacher(place);
  const auto report = place.json(with(kFit, {"--epochs", "40", "--batch-tokens", "16", "--dropout",
                                             "0", "--store", "f16", "--format", "json"}));
  CHECK(report["cosine"] > 0.9);
  CHECK(report["train_rows"] == 135);
  CHECK(report["dev_rows"] == 15);
  CHECK(!report.contains("labels"));
  const auto config = OrderedJson::parse(place.files().read("made/config.json"));
  CHECK(!config.contains("id2label"));
  const auto header = OrderedJson::parse(header_of(place.files().read("made/model.safetensors")));
  CHECK(header["embeddings.token.weight"]["dtype"] == "F16");
  CHECK(header["final_norm.weight"]["dtype"] == "F32");
  CHECK(!header.contains("classifier.weight"));
  const std::string card = place.files().read("made/README.md");
  CHECK(card.find("--teacher-vectors vectors.npy") != std::string::npos);
  CHECK(card.find("of texts.txt") != std::string::npos);
  place.output({"embed", "-m", "./made", "rows.txt", "-o", "again.npy"});
  check_refusal(place.run({"classify", "-m", "./made", "good"}), 1, "no classification head");
}

TEST_CASE("teacher vectors are those of the file's row numbers, whichever rows are selected") {
  const ToyPlace place;
  add_teacher(place);
  const std::vector<std::string> lines = lines_of(many_texts());
  struct Row {
    Arguments selection;
    std::size_t begin, end, step;  // the lines that are selected
  };
  const Row rows[] = {
      {{"--skip", "70"}, 70, 150, 1},
      {{"--limit", "80"}, 0, 80, 1},
      {{"--shard", "1/2"}, 1, 150, 2},
      {{"--skip", "10", "--limit", "90", "--shard", "0/3"}, 12, 100, 3},
  };
  const auto weights = [&](const std::string& file, const std::string& vectors,
                           const Arguments& selection) {
    place.output(with({"fit", file, "--teacher-vectors", vectors, "-m", "bare.json", "-o", "made",
                       "--force", "--epochs", "1"},
                      selection));
    return place.files().read("made/model.safetensors");
  };
  for (const Row& row : rows) {
    CAPTURE(row.selection.back());
    std::string part;
    for (std::size_t i = row.begin; i < row.end; i += row.step) part += lines[i] + '\n';
    place.files().write("part.txt", part);
    place.output({"embed", "-m", "./teacher", "part.txt", "-o", "part.npy", "--force"});
    CHECK(weights("texts.txt", "vectors.npy", row.selection) ==
          weights("part.txt", "part.npy", {}));
    check_refusal(place.run(with({"fit", "texts.txt", "--teacher-vectors", "part.npy", "-m",
                                  "bare.json", "-o", "other"},
                                 row.selection)),
                  1, "part.npy: has |vectors, but texts.txt has 150 rows|each row of the file");
  }
}

TEST_CASE("a row that cannot be read has a teacher's vector too") {
  const ToyPlace place;
  add_teacher(place);
  std::string whole;
  std::string good;
  for (const std::string& text : lines_of(many_texts())) {
    good += R"({"text": ")" + text + "\"}\n";
    whole += R"({"text": ")" + text + "\"}\n" + (whole.size() % 3 == 0 ? "broken\n" : "");
  }
  place.files().write("good.jsonl", good);
  place.files().write("whole.jsonl", whole);
  std::vector<std::string> weights;
  for (const std::string file : {"good.jsonl", "whole.jsonl"}) {
    place.run({"embed", "-m", "./teacher", file, "-o", "all.npy", "--force"});
    const Outcome outcome =
        place.run({"fit", file, "--teacher-vectors", "all.npy", "-m", "bare.json", "-o", "made",
                   "--force", "--epochs", "1", "--dev-share", "0", "--row-errors-ok"});
    CHECK(outcome.status == 0);
    weights.push_back(place.files().read("made/model.safetensors"));
  }
  CHECK(weights[1] == weights[0]);
}

TEST_CASE("a model with a classifier loses it when it learns vectors alone") {
  const ToyPlace place;
  add_teacher(place);
  place.output({"fit", "texts.txt", "--teacher-vectors", "vectors.npy", "-m", "toy", "-o", "made",
                "--epochs", "1"});
  check_refusal(place.run({"classify", "-m", "./made", "good"}), 1, "no classification head");
  const auto header = OrderedJson::parse(header_of(place.files().read("made/model.safetensors")));
  CHECK(header["embeddings.token.weight"]["dtype"] == "F32");
}

TEST_CASE("a finished fit knows the teacher's vectors that it learned") {
  const ToyPlace place;
  add_teacher(place);
  const Arguments run = with(kFit, {"--epochs", "1"});
  const Arguments again = with(run, {"--resume"});
  place.output(run);
  check_last_reason(place.run(again), 0, "made is already complete");
  std::string vectors = place.files().read("vectors.npy");
  vectors.back() ^= 1;
  place.files().write("vectors.npy", vectors);
  check_last_reason(place.run(again), 1, "made was written for another input: its teacher vectors");
}

TEST_CASE("a training on vectors alone that is stopped ends in the same bytes") {
  const ToyPlace place;
  add_teacher(place);
  const Arguments long_run = with(kFit, {"--epochs", "400", "--batch-tokens", "16"});
  place.output(with(long_run, {"--log", "whole"}));
  const std::string whole = place.files().read("made/model.safetensors");
  fs::remove_all(place.files() / "made");
  const Arguments logged = with(long_run, {"--log", "log"});
  Process process(place.command(logged));
  for (int i = 0; i < 2000 && place.files().read("log").find("cosine") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send(SIGINT);
  const Outcome stopped = process.finish();
  CAPTURE(stopped.err);
  REQUIRE(stopped.status == 130);
  const std::string vectors = place.files().read("vectors.npy");
  std::string other = vectors;
  other.back() = static_cast<char>(other.back() ^ 1);
  place.files().write("vectors.npy", other);
  check_last_reason(place.run(with(logged, {"--resume"})), 1, "its teacher vectors was");
  place.files().write("vectors.npy", vectors);
  place.output(with(logged, {"--resume"}));
  CHECK(place.files().read("made/model.safetensors") == whole);
}

TEST_CASE("options about labels need labels") {
  const ToyPlace place;
  add_teacher(place);
  const auto refused = [&](const Arguments& more, const std::string& reason) {
    check_refusal(place.run(with(kFit, more)), 2, reason);
  };
  refused({"--dev", "texts.txt"}, "--dev needs --label|--dev-share");
  refused({"--class-weights", "balanced"}, "--class-weights balanced needs --label");
  refused({"--label-smoothing", "0.1"}, "--label-smoothing needs --label");
  refused({"--teacher-logits", "logits"}, "--teacher-logits needs --label");
  const Arguments of_toy = {"fit", "rows.txt", "-m", "toy", "-o", "made"};
  check_refusal(place.run(with(of_toy, {"--store", "f16"})), 2, "which have no labels");
  check_refusal(place.run(with(of_toy, {"--teacher-vectors", "vectors.npy", "--train", "head"})), 2,
                "--teacher-vectors needs --train all");
  place.files().write("one.txt", "good\n");
  place.output({"embed", "-m", "toy", "one.txt", "-o", "one.npy"});
  check_last_reason(place.run({"fit", "texts.txt", "--teacher-vectors", "one.npy", "-m",
                               "bare.json", "-o", "made"}),
                    1, "one.npy: has 1 vector, but texts.txt has 150 rows");
}

}  // namespace
}  // namespace headlight::fit_vectors_test
