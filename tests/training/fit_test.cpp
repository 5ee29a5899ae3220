// Trainings without the program: of a last layer, of all weights of a start, and of a bare config.
#include "training/fit.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error_of.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "model/init.h"
#include "model/locate.h"
#include "training/directory/model_directory.h"
#include "training/directory/training_facts.h"

namespace headlight::fit_test {
namespace {

using Strings = std::vector<std::string>;

const std::string kConfig = std::string(HEADLIGHT_SOURCE) + "/configs/self-attention.json";

/// 80 rows, which say "good" or "bad".
std::string some_rows() {
  const Strings words = {"the", "film", "is", "it", "a"};
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < 80; ++i) {
    const std::string word = i % 2 == 0 ? "good" : "bad";
    rows += words[i / 2 % 5] + " " + words[i / 10 % 5] + " " + word + " " + words[i / 50] +
            (i % 2 == 0 ? " one," : " been,") + word + "\n";
  }
  return rows;
}

class RowsOnDisk {
 public:
  explicit RowsOnDisk(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
        reader_(descriptor_, "rows.csv", reading()) {}
  ~RowsOnDisk() { ::close(descriptor_); }
  RowsOnDisk(const RowsOnDisk&) = delete;
  RowsOnDisk& operator=(const RowsOnDisk&) = delete;

  RowReader& reader() { return reader_; }

 private:
  static RowReading reading() {
    RowReading reading;
    reading.format = RowFormat::csv;
    reading.needs_label = true;
    return reading;
  }

  int descriptor_;
  RowReader reader_;
};

/// What a training says.
class Witness : public FitWatch {
 public:
  void note(const std::string& line) override { notes.push_back(line); }
  void begin(Stage stage, std::size_t /*before*/) override { ++begun[stage]; }
  void step(const TrainingReport& /*report*/) override { ++steps; }
  void end() override { ++ended; }

  Strings notes;
  std::map<Stage, int> begun;
  int ended = 0;
  std::size_t steps = 0;
};

struct Place {
  TemporaryFolder folder;
  std::string file = folder.write("rows.csv", some_rows());
  std::string dev_file;
  FitRequest request;
  AllSettings settings;
  std::string train = "auto";
  double minutes = 2.0;
  bool start_is_default = false;
  Engine engine{EngineSettings{}};
  Witness seen;

  Place() {
    request.place.output = folder / "made";
    request.data.seed = 1;
    request.card = [](const Fit& made) { return "# " + made.name + "\n"; };
  }

  Fit fit(FitStart start) {
    Way wanted = automatic_way(ways_of(settings), minutes);
    for (const auto& way : ways_of(settings)) {
      if (way->word == train) wanted = way;
    }
    return fit_by(wanted, std::move(start));
  }

  Fit fit_by(const Way& way, FitStart start) {
    RowsOnDisk rows(file);
    RowsOnDisk dev(dev_file.empty() ? file : dev_file);
    const FitRows files{rows.reader(), dev_file.empty() ? nullptr : &dev.reader()};
    request.way = way;
    start.is_default = start_is_default;
    return headlight::fit(std::move(start), files, request, engine, seen);
  }

  /// A toy with random weights.
  FitStart toy() const {
    init_model(kConfig, folder / "toy", 0, /*force=*/true);
    FitStart start;
    start.model = load_model(locate_model(folder / "toy", ""));
    return start;
  }

  Model made() const { return load_model(locate_model(folder / "made", "")); }
};

TEST_CASE("a last layer is fitted to the vectors of a start") {
  Place place;
  place.train = "head";
  const Fit made = place.fit(place.toy());
  CHECK(made.end == FitEnd::finished);
  CHECK(made.name == "made");
  CHECK(made.trained.starts_with("the last layer"));
  CHECK(made.train_rows + made.dev_rows == 80);
  CHECK(made.train_counts.size() == 2);
  CHECK(made.strength);
  CHECK(made.figures);
  CHECK(made.is_refitted);
  CHECK(place.made().description.labels == Strings{"bad", "good"});
  CHECK(place.folder.read("made/README.md") == "# made\n");
  CHECK(!place.folder.has("made.vectors"));
  CHECK(place.seen.notes.front().ends_with("development rows, 2 labels"));
  CHECK(place.seen.begun[FitWatch::Stage::encoding] == 1);
  CHECK(place.seen.begun[FitWatch::Stage::fitting] == 1);
  CHECK(place.seen.ended == 2);
}

TEST_CASE("all weights of a start are trained, once") {
  Place place;
  place.dev_file = place.file;
  place.train = "all";
  place.settings.course.epochs = 2;
  place.settings.cut.kept_layers = {0};
  place.request.place.log = place.folder / "log.jsonl";
  const Fit made = place.fit(place.toy());
  CHECK(made.end == FitEnd::finished);
  CHECK(made.trained.starts_with("all weights"));
  CHECK(made.layout == "native");
  CHECK(!made.strength);
  CHECK(!made.is_refitted);
  CHECK(place.seen.steps > 0);
  CHECK(place.seen.begun[FitWatch::Stage::training] == 1);
  CHECK(place.folder.has("log.jsonl"));
  CHECK(place.made().description.layers.size() == 1);

  CHECK(error_of([&] { place.fit(place.toy()); }).find("exists already") != std::string::npos);
  place.request.place.resume = true;
  CHECK(place.fit(place.toy()).end == FitEnd::already_complete);
  CHECK(place.seen.notes.back().ends_with("is already complete"));
}

/// The letters of the checkpoints of tests/golden, in different texts.
std::string rows_of_letters(std::size_t count) {
  const Strings words = {"a", "b", "ab", "ba"};
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < count; ++i) {
    rows += words[i % 4] + " " + words[i / 4 % 4] + " " + words[i / 16 % 4] + " " +
            words[i / 64 % 4] + (i % 2 == 0 ? ",yes" : ",no") + "\n";
  }
  return rows;
}

/// The tensors in a model's file, without the number of labels.
std::vector<std::pair<std::string, Shape>> shapes_of(const Model& model) {
  std::vector<std::pair<std::string, Shape>> shapes;
  for (SafetensorsEntry each : model.tensors->entries()) {
    const bool is_last = each.name.starts_with(
        model.classifier_tensor.substr(0, model.classifier_tensor.rfind('.')));
    if (is_last) each.shape[0] = 0;
    shapes.emplace_back(each.name, each.shape);
  }
  std::ranges::sort(shapes);
  return shapes;
}

/// A copy of a checkpoint without its head: the class is that of the encoder.
void write_bare(const std::string& from, const std::string& to) {
  const Model model = load_model(locate_model(from, ""));
  nlohmann::ordered_json config =
      nlohmann::ordered_json::parse(MappedFile(from + "/config.json").text());
  std::string name = config["architectures"][0];
  config["architectures"][0] = name.replace(name.find("For"), std::string::npos, "Model");
  config.erase("id2label");
  config.erase("label2id");
  ModelDirectory directory(to, /*force=*/true);
  directory.write("config.json", config.dump());
  copy_tokenizer(model, directory);
  std::vector<SafetensorsEntry> encoder;
  for (const SafetensorsEntry& each : model.tensors->entries()) {
    const bool is_head = each.name.starts_with("score") || each.name.starts_with("head") ||
                         each.name.find("classifier") != std::string::npos ||
                         each.name.find("pooler") != std::string::npos;
    if (!is_head) encoder.push_back(each);
  }
  directory.write_weights(encoder);
  directory.place();
}

TEST_CASE("a start of the reference has its class and layout when all weights are trained") {
  for (const char* name : {"bert-three-labels", "roberta-three-labels", "camembert-two-labels",
                           "distilbert-three-labels", "electra-narrow", "modernbert-three-labels",
                           "deberta-three-labels", "deberta-v2-three-labels", "llama-three-labels",
                           "qwen2-three-labels", "qwen3-three-labels"}) {
    const std::string golden = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
    for (const bool is_bare : {false, true}) {
      CAPTURE(name);
      CAPTURE(is_bare);
      Place place;
      place.file = place.folder.write("rows.csv", rows_of_letters(40));
      place.train = "all";
      place.settings.course.epochs = 1;
      place.settings.keep_last = true;
      if (is_bare) write_bare(golden, place.folder / "bare");
      const Model start = load_model(locate_model(golden, ""));
      const Fit made =
          place.fit({load_model(locate_model(is_bare ? place.folder / "bare" : golden, ""))});
      CHECK(made.layout == "that of the start, " + start.family);
      const Model found = place.made();
      CHECK(found.architecture == start.architecture);
      CHECK(shapes_of(found) == shapes_of(start));
      CHECK(found.tensors->leftovers().empty());
      CHECK(found.description.labels == Strings{"no", "yes"});
      CHECK(found.remarks.empty());
      CHECK(!place.folder.has("made/calibration.json"));
      for (const auto& file : std::filesystem::directory_iterator(golden)) {
        const std::string tokens = file.path().filename().string();
        if (tokens == "expected.json") continue;
        CHECK(place.folder.has("made/" + tokens));
      }
    }
  }
}

TEST_CASE("a smaller start of the reference keeps its layout where its config can say so") {
  Place place;
  place.file = place.folder.write("rows.csv", rows_of_letters(40));
  place.train = "all";
  place.settings.course.epochs = 1;
  place.settings.cut.kept_layers = {1};
  const std::string golden = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";
  for (const auto& [name, layout] : std::vector<std::pair<std::string, std::string>>{
           {"distilbert-three-labels", "that of the start, distilbert"},
           {"modernbert-three-labels", "native"},
           {"gpt2-three-labels", "that of the start, gpt2"}}) {
    CAPTURE(name);
    place.request.place.force = true;
    const Fit made = place.fit({load_model(locate_model(golden + name, ""))});
    CHECK(made.layout == layout);
    CHECK(place.made().description.layers.size() == 1);
    if (layout != "native") continue;
    CHECK(made.notes.back().starts_with("the files have the layout of headlight, not that of "));
  }
}

TEST_CASE("of a start of the reference only trainings are tried that keep its layout") {
  Place place;
  place.file = place.folder.write("rows.csv", rows_of_letters(160));
  place.dev_file = place.file;
  const std::string golden = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";
  const Fit made = place.fit({load_model(locate_model(golden + "roberta-three-labels", ""))});
  CHECK(joined(made.candidates, " ", &FitCandidate::train) == "head all");
  CHECK(std::ranges::find(place.seen.notes,
                          "not tried, as they do not keep the layout of the start: --train "
                          "ngrams, static") != place.seen.notes.end());
}

TEST_CASE("few rows are scored by folds, and the best training has all of them") {
  Place place;
  place.start_is_default = true;
  const Fit made = place.fit(place.toy());
  CHECK(made.end == FitEnd::finished);
  CHECK(made.folds == 5);
  CHECK(made.train_rows == 80);
  CHECK(made.train_counts == std::vector<std::size_t>{40, 40});
  CHECK(made.dev_rows == 80);
  CHECK(made.is_refitted);
  REQUIRE(made.candidates.size() == 5);
  CHECK(made.candidates[3].train == "all");
  CHECK(made.candidates[4].train == "contrastive");
  int chosen = 0;
  for (const FitCandidate& each : made.candidates) {
    CHECK(each.measure == "accuracy");
    CHECK(each.seconds > 0.0);
    CHECK(each.bytes > 0);
    CHECK(each.interval->low <= each.score);
    if (!each.chosen) continue;
    ++chosen;
    CHECK(each.score == made.figures->evaluation.find("accuracy")->value);
  }
  CHECK(chosen == 1);
  CHECK(place.made().description.labels == Strings{"bad", "good"});
  for (const char* file : {"made.head.vectors", "made.all.vectors", "made.all.checkpoint",
                           "made.contrastive.checkpoint"}) {
    CHECK(!place.folder.has(file));
  }
}

/// Sentences, each with a phrase of it.
std::string rows_with_phrases() {
  const Strings words = {"film", "it", "is", "a"};
  std::string rows = "text,label\n";
  for (std::size_t i = 0; i < 64; ++i) {
    const std::string label = i % 2 == 0 ? "good" : "bad";
    const std::string phrase =
        words[i % 4] + " " + words[i / 4 % 4] + " " + words[i / 16] + " " + label;
    rows += "the " + phrase + " one," + label + "\n" + phrase + "," + label + "\n";
  }
  return rows;
}

TEST_CASE("n-grams choose a penalty of their own, and all others that of a last layer") {
  Place place;
  std::map<std::string, std::optional<double>> settled;  // the last, by way
  std::vector<Way> ways;
  for (const Way& way : ways_of(place.settings)) {
    const auto watched = std::make_shared<TrainingWay>(*way);
    watched->begin = [&settled, way](FitStart start, const TrainingRun& run) {
      settled[way->word] = run.settled.penalty;
      return way->begin(std::move(start), run);
    };
    ways.push_back(watched);
  }
  place.request.data.dev_share = 0.0;
  std::map<std::string, std::optional<double>> chosen;
  for (const char* alone : {"head", "ngrams"}) {
    place.train = alone;
    chosen[alone] = place.fit(place.toy()).strength;
    place.request.place.force = true;
  }
  REQUIRE(chosen["head"] != chosen["ngrams"]);
  place.request.data.dev_share = DataOptions{}.dev_share;
  place.fit_by(automatic_way(ways, place.minutes), place.toy());
  CHECK(settled["ngrams"] == chosen["ngrams"]);
  for (const char* other : {"all", "contrastive"}) CHECK(settled[other] == chosen["head"]);
}

TEST_CASE("a phrase of a held-out sentence is held out with it, in every training") {
  Place place;
  place.file = place.folder.write("rows.csv", rows_with_phrases());
  const auto held_apart = [&](const char* word) {
    place.train = word;
    place.request.place.force = true;
    place.fit(place.train == "static" ? FitStart{} : place.toy());
    std::map<std::size_t, std::size_t> held;  // rows of each sentence
    for (const std::size_t row : read_training_facts(place.folder / "made").development) {
      ++held[row / 2];
    }
    CHECK(!held.empty());
    return std::ranges::count_if(held, [](const auto& each) { return each.second == 1; });
  };
  CHECK(held_apart("ngrams") == 0);
  CHECK(held_apart("static") == 0);
  CHECK(held_apart("all") == 0);
  CHECK(held_apart("head") == 0);
}

TEST_CASE("what is chosen on development rows of a file is what its own --train makes") {
  Place place;
  place.dev_file = place.file;
  place.start_is_default = true;
  const Fit made = place.fit(place.toy());
  CHECK(made.folds == 0);
  CHECK(made.dev_rows == 80);
  const std::string weights = place.folder.read("made/model.safetensors");
  const auto chosen = std::ranges::find(made.candidates, true, &FitCandidate::chosen);
  REQUIRE(chosen != made.candidates.end());
  place.train = chosen->train;
  place.request.place.output = place.folder / "alone";
  place.fit(chosen->train == "static" ? FitStart{} : place.toy());
  CHECK(place.folder.read("alone/model.safetensors") == weights);
}

TEST_CASE("without time, only the cheapest training is tried, and the others are named") {
  Place place;
  place.minutes = 0.0;
  const Fit made = place.fit(place.toy());
  CHECK(made.candidates.size() == 1);
  CHECK(made.candidates.front().chosen);
  CHECK(made.notes.back() == "--train contrastive was not tried; --minutes 1 has time for it");
}

TEST_CASE("a bare config gets words, labels and weights from the rows") {
  Place place;
  const ModelPlace bare =
      locate_model(place.folder.write("bare.json", R"({"model_type": "headlight", "vocab_size": 40,
          "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
          "tokenizer": {"type": "words"}})"),
                   "");
  place.settings.course.epochs = 3;
  const Fit made = place.fit({{}, bare});
  CHECK(made.end == FitEnd::finished);
  CHECK(made.start == bare.name);
  CHECK(place.seen.notes.front().starts_with("learned a vocabulary of "));
  CHECK(place.folder.read("made/vocab.txt").starts_with("[UNK]\n"));
  CHECK(place.made().description.labels == Strings{"bad", "good"});
  place.train = "head";
  place.request.place.force = true;
  CHECK(error_of([&] { place.fit({{}, bare}); }).find("use --train all") != std::string::npos);
}

}  // namespace
}  // namespace headlight::fit_test
