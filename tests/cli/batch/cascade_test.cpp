// headlight evaluate --then, and batch --then: a small model answers where it is sure, a large one
// elsewhere.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::cli_cascade_test {
namespace {

const Arguments kCascade = {"batch", "rows.jsonl", "-m", "toy", "--then", "big"};
const Arguments kMeasure = {"evaluate", "rows.jsonl", "-m", "toy", "--then", "big", "--quiet"};

/// Knows "plot" as negative and "movie" as positive, and has the labels in the other order.
void make_big(const ToyPlace& place, float weight = 2.0F) {
  const auto turn = [](OrderedJson& config) {
    config["id2label"] = {{"0", "positive"}, {"1", "negative"}};
    config["max_position_embeddings"] = 6;
  };
  place.add("big", turn, [&](std::vector<Tensor>& tensors) {
    std::vector<float> words(24, 0.0F);
    words[4] = words[12] = weight;   // good, movie
    words[8] = words[20] = -weight;  // bad, plot
    tensor_of(tensors, "embeddings.token.weight") =
        float_tensor("embeddings.token.weight", {6, 4}, words);
    tensor_of(tensors, "classifier.weight") =
        float_tensor("classifier.weight", {2, 4}, {1, 0, 0, 0, -1, 0, 0, 0});
  });
}

std::string words_of_row(std::size_t number) {
  const std::vector<std::string> words = {"good", "bad", "movie", "a", "plot"};
  std::string text;
  for (std::size_t rest = number; rest > 0; rest /= 5) text += words[rest % 5] + " ";
  return text;
}

/// All texts of few words, with a label now and then wrong.
std::string many_rows(std::size_t count, bool with_errors) {
  std::string rows;
  for (std::size_t i = 1; i <= count; ++i) {
    if (with_errors && i % 50 == 7) rows += "{\"id\": 1}\n";
    rows += R"({"text": ")" + words_of_row(i) + R"(", "label": ")" +
            (i % 7 < 3 ? "negative" : "positive") + "\"}\n";
  }
  return rows;
}

/// A place with both models and rows to measure.
struct Scene {
  explicit Scene(std::size_t rows = 1000, bool with_errors = false) {
    make_big(place);
    place.files().write("rows.jsonl", many_rows(rows, with_errors));
  }
  std::string read(const std::string& name) const { return place.files().read(name); }

  ToyPlace place;
};

std::vector<OrderedJson> objects(const std::string& lines) {
  std::vector<OrderedJson> rows;
  for (const std::string& line : lines_of(lines)) rows.push_back(OrderedJson::parse(line));
  return rows;
}

TEST_CASE("a row is that of the model that answers it, with the labels of the small one") {
  const Scene scene(300, /*with_errors=*/true);
  const Arguments shown = {"--logits", "--probabilities", "-k", "2", "--row-errors-ok", "--quiet"};
  const auto rows = [&](const Arguments& arguments) {
    return objects(scene.place.run(with(arguments, shown)).out);
  };
  const auto small = rows({"batch", "rows.jsonl", "-m", "toy"});
  const auto large = rows({"batch", "rows.jsonl", "-m", "big"});
  const auto both = rows(with(kCascade, {"--keep-above", "0.7"}));
  REQUIRE(both.size() == small.size());
  std::size_t of_small = 0;
  std::size_t of_large = 0;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (both[i].contains("error")) {
      CHECK(both[i] == small[i]);
      continue;
    }
    const bool keeps = small[i]["probability"] >= 0.7F;
    OrderedJson expected = keeps ? small[i] : large[i];
    if (!keeps) {
      for (const char* field : {"logits", "probabilities"}) {
        expected[field] = {{"negative", large[i][field]["negative"]},
                           {"positive", large[i][field]["positive"]}};
      }
      if (large[i]["probability"] == 0.5) {  // a tie: the large model's verdict, labels in order
        expected["labels"] = both[i]["labels"];
      }
    }
    expected["model"] = keeps ? "toy" : "big";
    CHECK(both[i].dump() == expected.dump());
    ++(keeps ? of_small : of_large);
  }
  CHECK(of_small > 50);
  CHECK(of_large > 50);
  CHECK(rows(with(kCascade, {"--keep-above", "0"}))[0]["model"] == "toy");
  CHECK(rows(with(kCascade, {"--keep-above", "1"}))[0]["model"] == "big");
}

TEST_CASE("tables, kept fields and echoed texts say who answered") {
  const Scene scene(40);
  const Arguments keep = with(kCascade, {"--keep-above", "0.7", "--quiet"});
  const auto lines = [&](const Arguments& more) {
    return lines_of(scene.place.output(with(keep, more)));
  };
  const auto table = lines({"--format", "csv", "--logits"});
  CHECK(table[0] == "id,label,probability,logit.negative,logit.positive,truncated,model,error");
  CHECK(table[1].ends_with(",toy,"));
  CHECK(table[2].ends_with(",,big,"));
  CHECK(lines({"--format", "tsv"})[3] == "2\tpositive\t0.5\t\tbig\t");
  CHECK(OrderedJson::parse(lines({"--keep", "--column-prefix", "our_"})[0])["our_model"] == "toy");
  CHECK(OrderedJson::parse(lines({"--echo-text"})[0])["text"] == words_of_row(1));
}

TEST_CASE("threads, shards, pipes and a run that goes on give the same bytes") {
  const Scene scene(1500, /*with_errors=*/true);
  const Arguments keep = with(kCascade, {"--keep-above", "0.7", "--quiet"});
  const auto bytes = [&](const Arguments& more) { return scene.place.run(with(keep, more)).out; };
  const std::string whole = bytes({"--threads", "1"});
  CHECK(bytes({"--threads", "3"}) == whole);
  const auto first = lines_of(bytes({"--shard", "0/2"}));
  const auto second = lines_of(bytes({"--shard", "1/2"}));
  std::string joined;
  for (std::size_t i = 0; i < first.size(); ++i) {
    joined += first[i] + '\n' + (i < second.size() ? second[i] + '\n' : "");
  }
  CHECK(joined == whole);
  const Arguments to_file = with(keep, {"-o", "out.jsonl"});
  CHECK(scene.place.run(with(to_file, {"--max-errors", "12"})).status == 1);
  CHECK(lines_of(scene.read("out.jsonl.partial")).size() > 100);
  const Arguments other = {"batch", "rows.jsonl", "-m",       "toy",          "--then", "big",
                           "-o",    "out.jsonl",  "--resume", "--keep-above", "0.8"};
  check_last_reason(scene.place.run(other), 1,
                    "with --keep-above 0.7|this run uses --keep-above 0.8");
  make_big(scene.place, 3.0F);
  check_last_reason(scene.place.run(with(to_file, {"--resume"})), 1, "--then");
  make_big(scene.place);
  check_last_reason(
      scene.place.run({"batch", "rows.jsonl", "-m", "toy", "-o", "out.jsonl", "--resume"}), 1,
      "--keep-above 0.7; this run does not use --keep-above");
  const Outcome resumed =
      scene.place.run(with(to_file, {"--resume", "--row-errors-ok", "--summary", "counts.json"}));
  CHECK(resumed.status == 0);
  CHECK(scene.read("out.jsonl") == whole);
  CHECK(scene.place.run(with(to_file, {"--resume", "--row-errors-ok"})).status == 0);
}

TEST_CASE("--summary counts who answered") {
  const Scene scene(300, /*with_errors=*/true);
  const Outcome outcome = scene.place.run(
      with(kCascade, {"--keep-above", "0.7", "--summary", "counts.json", "--row-errors-ok"}));
  CHECK(outcome.status == 0);
  const OrderedJson counts = OrderedJson::parse(scene.read("counts.json"));
  std::size_t of_small = 0;
  for (const OrderedJson& row : objects(outcome.out)) {
    if (row.contains("model") && row["model"] == "toy") ++of_small;
  }
  CHECK(counts["answered"].dump() ==
        OrderedJson({{"toy", of_small}, {"big", 300 - of_small}}).dump());
  CHECK(counts["model"] == "toy");
}

TEST_CASE("evaluate measures the cascade, and --write lets batch promise an agreement") {
  const Scene scene;
  const OrderedJson found = scene.place.json(with(kMeasure, {"--format", "json"}));
  const auto points = found["cascade"];
  REQUIRE(points.size() > 3);
  const std::vector<std::string> fields = {"threshold",       "kept",     "agreement",
                                           "agreement_bound", "accuracy", "accuracy_interval",
                                           "rows_per_second"};
  std::vector<std::string> names;
  for (const auto& [name, value] : points[0].items()) names.push_back(name);
  CHECK(names == fields);
  CHECK(points.back()["kept"] == 1.0);
  CHECK(points.back()["accuracy"] == found["accuracy"]);
  CHECK(points[0]["agreement"] == 1.0);
  CHECK(found["cascade_large"]["accuracy"] < 1.0);
  const std::string text = scene.place.output(kMeasure);
  CHECK(text.find("for rows like those measured") != std::string::npos);
  for (const std::string& line : lines_of(text)) CHECK(line.size() <= 90);  // bytes

  CHECK_FALSE(scene.place.files().has("toy/cascade.json"));
  scene.place.run(with(kMeasure, {"--write"}));
  const std::string written = scene.read("toy/cascade.json");
  CHECK(written.find("\"rows\":1000") != std::string::npos);
  // The loosest threshold whose bound, and that of all stricter ones, is high enough:
  double threshold = 0.0;
  for (const OrderedJson& point : points) {
    if (point["agreement_bound"] < 0.9) break;
    threshold = point["threshold"];
  }
  REQUIRE(threshold > 0.0);
  const std::string promised = scene.place.output(with(kCascade, {"--agree", "90%", "--quiet"}));
  const auto by_hand = [&](double least) {
    return scene.place.output(
        with(kCascade, {"--keep-above", OrderedJson(least).dump(), "--quiet"}));
  };
  CHECK(promised == by_hand(threshold));
  CHECK(promised.find("\"model\":\"big\"") != std::string::npos);
  scene.place.run(with(kCascade, {"--agree", "90%", "--quiet", "-o", "out.jsonl"}));
  CHECK(scene.place
            .run(with(kCascade, {"--keep-above", OrderedJson(threshold).dump(), "-o", "out.jsonl",
                                 "--resume"}))
            .err.find("out.jsonl is already complete") != std::string::npos);
}

TEST_CASE("cascade.json is no part of the model, and is replaced only where that is asked for") {
  const Scene scene;
  const Arguments plain = {"batch",       "rows.jsonl", "-m",          "toy",    "-o",
                           "plain.jsonl", "--summary",  "counts.json", "--quiet"};
  const auto model_hash = [&] {
    return OrderedJson::parse(scene.read("counts.json"))["model_hash"];
  };
  scene.place.output(plain);
  const auto before = model_hash();
  scene.place.run(with(kMeasure, {"--write"}));
  check_last_reason(scene.place.run(with(kMeasure, {"--write"})), 1,
                    "toy/cascade.json: exists already|--force replaces it");
  CHECK(scene.place.run(with(kMeasure, {"--write", "--force"})).status == 0);
  CHECK(scene.place.run(with(plain, {"--resume"})).status == 0);
  scene.place.output(with(plain, {"--force"}));
  CHECK(model_hash() == before);
  const Arguments fit = {"fit",  "rows.jsonl", "-m", "toy",     "-o",
                         "made", "--limit",    "60", "--resume"};
  CHECK(scene.place.run(fit).status == 0);
  CHECK(scene.place.run({"evaluate", "rows.jsonl", "-m", "made", "--then", "big", "--write"})
            .status == 0);
  CHECK(scene.place.run(fit).err.find("made is already complete") != std::string::npos);
  check_last_reason(scene.place.run({"batch", "rows.jsonl", "-m", "toy", "--summary",
                                     "toy/cascade.json", "--force"}),
                    1, "toy/cascade.json");
}

TEST_CASE("an agreement that was measured for anything else is refused with the difference") {
  const Scene scene;
  const Arguments agree = with(kCascade, {"--agree", "90%"});
  const std::string writes = "headlight evaluate FILE -m ./toy --then ./big";
  check_last_reason(scene.place.run(agree), 1,
                    "toy/cascade.json: not found|" + writes + " --write");
  scene.place.run(with(kMeasure, {"--write"}));
  const std::string force = " --write --force replaces it";
  const auto refused = [&](const Arguments& more, const std::string& reason) {
    CAPTURE(reason);
    check_last_reason(scene.place.run(with(agree, more)), 1, reason);
  };
  refused({"--precision", "int8"},
          "toy/cascade.json was written without --precision; this run "
          "uses --precision int8|" +
              writes + " --precision int8" + force);
  refused({"--max-length", "3"}, "without --max-length; this run uses --max-length 3");
  refused({"--prepend", "good "}, "--prepend 'good '" + force);
  refused({"--plain-text"}, writes + " --plain-text" + force);
  scene.place.run(with(kMeasure, {"--write", "--force", "--long", "window"}));
  refused({}, "with --long window; this run does not use --long");
  scene.place.run(with(kMeasure, {"--write", "--force"}));
  make_big(scene.place, 3.0F);
  refused({}, "another model: --then was ");
  make_big(scene.place);
  CHECK(scene.place.run(agree).status == 0);
  scene.place.files().write("toy/calibration.json", "{\"temperature\": 2}\n");
  refused({}, "another model: -m was ");
  std::filesystem::remove(scene.place.files() / "toy/calibration.json");
  scene.place.files().write("toy/cascade.json", "{}");
  refused({}, "toy/cascade.json: rows: missing");
}

TEST_CASE("too few rows, or too many disagreements, promise nothing") {
  const Scene scene(298);
  scene.place.run(with(kMeasure, {"--write"}));
  check_last_reason(scene.place.run(with(kCascade, {"--agree", "99%"})), 1,
                    "cannot promise --agree 99% from 298 different texts; at least 299 are needed");
  CHECK(scene.place.run(with(kCascade, {"--agree", "98%"})).status == 0);
  make_big(scene.place, -2.0F);  // the opposite
  scene.place.run(with(kMeasure, {"--write", "--force"}));
  check_last_reason(scene.place.run(with(kCascade, {"--agree", "98%"})), 1,
                    "cannot promise --agree 98%|disagree too often");
}

TEST_CASE("models that are no cascade, and options that do not go together, are refused") {
  const Scene scene(20);
  scene.place.add("value", [](OrderedJson& config) { config["problem_type"] = "regression"; });
  scene.place.add("several", [](OrderedJson& config) {
    config["problem_type"] = "multi_label_classification";
  });
  scene.place.add("others", [](OrderedJson& config) { config["id2label"] = {"cold", "warm"}; });
  scene.place.add_token_labels("names");
  scene.place.files().write_folder("copies/toy", toy_folder());
  struct Case {
    Arguments options;
    int status;
    std::string said;
  };
  const std::vector<Case> cases = {
      {{"-m", "toy", "--then", "value"}, 1, "value: predicts a value, but --then needs labels"},
      {{"-m", "several", "--then", "several"}, 1, "several: gives any number of labels"},
      {{"-m", "toy", "--then", "others"}, 1, "others: has other labels (cold, warm) than toy"},
      {{"-m", "toy", "--then", "names"}, 1, "names: labels each token|--then"},
      {{"-m", "names", "--then", "toy"}, 2, "--then needs a model that labels texts"},
      {{"-m", "toy", "--then", "copies/toy"}, 1, "has the name of the model of -m"},
      {{"-m", "toy", "--then", "big", "--activation", "none"}, 2, "--then needs probabilities"},
      {{"-m", "toy", "--then", "big", "--zero-shot", "a,b"}, 2, "--then|--zero-shot"},
      {{"-m", "toy", "--then", "big", "--ids"}, 2, "--then|--ids, which are those of one"},
      {{"-m", "toy", "--then", "missing"}, 1, "missing"}};
  for (const auto& [options, status, said] : cases) {
    CAPTURE(said);
    const Arguments evaluate = {"evaluate", "rows.jsonl"};
    check_last_reason(scene.place.run(with(evaluate, options)), status, said);
    const Arguments batch = {"batch", "rows.jsonl", "--keep-above", "0.5"};
    check_last_reason(scene.place.run(with(batch, options)), status, said);
  }
  const auto refused = [&](const Arguments& arguments, const std::string& said) {
    CAPTURE(said);
    check_last_reason(scene.place.run(arguments), 2, said);
  };
  refused({"batch", "rows.jsonl", "-m", "value", "--then", "big", "--keep-above", "0.5"},
          "--then needs probabilities");
  refused(kCascade, "--then needs --agree P% or --keep-above P");
  refused(with(kCascade, {"--agree", "90%", "--keep-above", "0.5"}), "--agree|--keep-above");
  for (const std::string format : {"hf", "fasttext"}) {
    refused(with(kCascade, {"--keep-above", "0.5", "--format", format}),
            "--then cannot be combined with --format " + format);
  }
  refused({"batch", "rows.jsonl", "-m", "toy", "--agree", "90%"}, "--agree needs --then");
  refused({"batch", "rows.jsonl", "-m", "toy", "--keep-above", "0.5"}, "--keep-above needs --then");
  for (const std::string wrong : {"90", "0%", "100%", "-1%", "x%", "nan%"}) {
    refused(with(kCascade, {"--agree", wrong}), "--agree: found \"" + wrong + '"');
  }
  refused(with(kCascade, {"--keep-above", "1.5"}), "--keep-above");
  refused({"evaluate", "rows.jsonl", "-m", "toy", "--write"}, "--write needs --then");
  refused(with(kMeasure, {"--compare", "big"}), "--then|--compare");
  refused(with(kMeasure, {"--ablate", "heads"}), "--then|--ablate");
  refused(with(kMeasure, {"--html", "page.html"}), "--then|--html");
}

TEST_CASE("what only the large model can score is passed on, and no verdict is an error row") {
  ToyPlace place;
  place.add("toy", [](OrderedJson& config) { config["max_position_embeddings"] = 2; });
  make_big(place);
  place.files().write("rows.jsonl",
                      "{\"text\": \"good good good\"}\n{\"text\": \"a a a a a a a a a\"}\n");
  const Outcome outcome =
      place.run(with(kCascade, {"--keep-above", "0.5", "--long", "error", "--quiet"}));
  CHECK(outcome.status == 3);
  const auto rows = objects(outcome.out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["model"] == "big");
  CHECK(rows[1].contains("error"));
  CHECK_FALSE(rows[1].contains("model"));
}

}  // namespace
}  // namespace headlight::cli_cascade_test
