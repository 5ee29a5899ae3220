// The program on published checkpoints: what a model without a classification head can still do,
// and the vectors of each layer as a file.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::published_test {
namespace {

std::string published(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
}

TEST_CASE("a published classifier classifies by its own labels") {
  const ToyPlace place;
  const auto json = place.json({"classify", "-m", published("bert-three-labels"), "--ids", "7 8 9",
                                "--type-ids", "0 0 1", "--format", "json"});
  const auto& logits = json[0]["logits"];
  CHECK(logits.size() == 3);
  CHECK(logits.contains("maybe"));
  CHECK(json[0]["tokens"] == 3);
}

TEST_CASE("classify and batch say that there is no classification head, and of which class") {
  const ToyPlace place;
  const std::string reason =
      "bert-masked-lm: has no classification head (architecture BertForMaskedLM)|"
      "headlight fit makes a classifier of it; embed, inspect, tokenize and attention need none";
  const std::string model = published("bert-masked-lm");
  check_refusal(place.run({"classify", "-m", model, "--ids", "7"}), 1, reason);
  check_refusal(place.run({"batch", "-m", model, "--ids", "-"}, "7\n"), 1, reason);
}

TEST_CASE("inspect, tokenize and attention work without a classification head") {
  const ToyPlace place;
  const std::string model = published("bert-masked-lm");
  CHECK(place.json({"inspect", "-m", model, "--format", "json"})["family"] == "bert");
  const auto tokens = place.json({"tokenize", "-m", model, "--ids", "7 8", "--format", "json"});
  CHECK(tokens[0]["ids"] == OrderedJson({7, 8}));
  const auto attention = place.json({"attention", "-m", model, "--ids", "7 8", "--format", "json"});
  CHECK_FALSE(attention.contains("label"));
  CHECK_FALSE(attention.contains("logits"));
  CHECK_FALSE(attention.contains("probabilities"));
  CHECK(attention["attention"].size() == 1);
  CHECK(attention["attention"][0].size() == 3);
}

TEST_CASE("what a cross-encoder's config says of its logits is done to them") {
  const ToyPlace place;
  const std::vector<std::string> arguments = {
      "classify", "-m", published("bert-reranker-bf16"), "--ids", "7 8", "--format", "json"};
  const auto json = place.json(arguments);
  CHECK_FALSE(json[0].contains("probabilities"));
  auto sigmoid = arguments;
  sigmoid.insert(sigmoid.end(), {"--activation", "sigmoid"});
  CHECK(place.json(sigmoid)[0].contains("probabilities"));
}

TEST_CASE("--hidden writes the vectors after the embedding and each layer") {
  const ToyPlace place;
  const std::vector<std::string> arguments = {"attention", "-m",       published("albert-groups"),
                                              "--ids",     "7 8 9",    "--hidden",
                                              "v.npy",     "--format", "json"};
  const std::string plain = place.output(
      {"attention", "-m", published("albert-groups"), "--ids", "7 8 9", "--format", "json"});
  CHECK(place.output(arguments) == plain);
  const std::string file = place.files().read("v.npy");
  CHECK(file.find("'shape': (11, 3, 12)") != std::string::npos);
  CHECK(file.size() == 128 + 11 * 3 * 12 * sizeof(float));
  CHECK_FALSE(place.files().has("v.npy.partial"));
}

TEST_CASE("--hidden keeps a file that exists, unless --force") {
  const ToyPlace place;
  place.files().write("v.npy", "mine");
  std::vector<std::string> arguments = {"attention", "-m",    "toy",      "good",
                                        "--hidden",  "v.npy", "--format", "json"};
  check_refusal(place.run(arguments), 1, "v.npy: exists already; --force replaces it");
  CHECK(place.files().read("v.npy") == "mine");
  arguments.emplace_back("--force");
  place.output(arguments);
  CHECK(place.files().read("v.npy").substr(1, 5) == "NUMPY");
  check_refusal(place.run({"attention", "-m", "toy", "good", "--hidden", "no/v.npy"}), 1,
                "no/v.npy");
  check_refusal(place.run({"attention", "-m", "toy", "good", "--hidden", ""}), 2, "--hidden");
}

TEST_CASE("tensors that nothing reads are named once, as a note, and adapters are refused") {
  const ToyPlace place;
  const TemporaryFolder& files = place.files();
  const std::string from = published("bert-three-labels");
  const auto add = [&](const std::string& tensor) {
    files.write_folder("m", {{"config.json", content_of(from + "/config.json")}});
    const std::string whole = content_of(from + "/model.safetensors");
    auto header = OrderedJson::parse(header_of(whole));
    const std::string data = data_of(whole);
    header[tensor] = {
        {"dtype", "U8"}, {"shape", {1}}, {"data_offsets", {data.size(), data.size() + 1}}};
    files.write("m/model.safetensors", safetensors(header.dump(), data + "x"));
  };
  const std::vector<std::string> arguments = {"classify", "-m", "m", "--ids", "7 8 9"};
  add("qa_outputs.bias");
  const Outcome noted = place.run(arguments);
  CHECK(noted.status == 0);
  CHECK(lines_of(noted.err).size() == 1);
  check_reason(noted.err, "ignored unknown tensors: qa_outputs.bias");
  CHECK(place.output(arguments) == noted.out);
  add("cls.predictions.bias");
  CHECK(place.run(arguments).err == "");
  auto verbose = arguments;
  verbose.emplace_back("-v");
  CHECK(place.run(verbose).err.find("ignored tensors of other heads: cls.predictions.bias") !=
        std::string::npos);
  add("bert.encoder.layer.0.attention.self.query.lora_A.weight");
  check_refusal(place.run(arguments), 1, "lora_A.weight: unknown tensor inside a layer|adapters");
}

/// Random words of the vocabulary, labelled by a word that nine of ten of them have.
std::string some_rows(unsigned seed, int count) {
  const std::string words[] = {"filler0", "filler1", "filler2", "a", "b", "e", "A"};
  std::string rows = "text,label\n";
  std::mt19937 random(seed);
  for (int i = 0; i < count; ++i) {
    const bool yes = random() % 2 == 0;
    const bool is_right = random() % 10 > 0;
    rows += yes == is_right ? "filler0" : "filler1";
    for (auto k = random() % 5; k > 0; --k) rows += ' ' + words[random() % 7];
    rows += yes ? ",up\n" : ",down\n";
  }
  return rows;
}

TEST_CASE("a fitted head in a published layout has the temperature in its weights") {
  const ToyPlace place;
  place.files().write("rows.csv", some_rows(1, 60));
  place.files().write("dev.csv", some_rows(2, 60));
  const std::string start = published("distilbert-three-labels");
  const auto fit = [&](const std::string& to, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"fit",       "rows.csv", "-m",      start,
                                          "--train",   "head",     "-o",      to,
                                          "--penalty", "0.1",      "--force", "--format"};
    arguments.push_back("json");
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome made = place.run(arguments);
    INFO(made.err);
    REQUIRE(made.status == 0);
    return OrderedJson::parse(made.out);
  };
  fit("undivided", {"--dev-share", "0"});  // the same rows, without a temperature
  const double temperature = fit("made", {"--dev", "dev.csv"})["temperature"];
  CHECK(std::abs(temperature - 1.0) > 0.01);
  CHECK_FALSE(place.files().has("made/calibration.json"));
  CHECK(place.files().read("made/README.md").find("is divided by the temperature") !=
        std::string::npos);
  const auto scored = [&](const std::string& model) {
    return place.json({"explain", "filler0 a", "-m", "./" + model, "--rows", "rows.csv", "--format",
                       "json", "-k", "5"});
  };
  const OrderedJson plain = scored("undivided");
  const OrderedJson made = scored("made");
  for (const char* label : {"up", "down"}) {
    const auto check = [&](const OrderedJson& found, const OrderedJson& undivided) {
      CHECK(found[label].get<double>() ==
            doctest::Approx(undivided[label].get<double>() / temperature).epsilon(1e-3));
    };
    check(made["logits"], plain["logits"]);
    for (std::size_t i = 0; i < 5; ++i) {
      check(made["training_rows"][i]["effect"], plain["training_rows"][i]["effect"]);
    }
  }
  // The development rows choose no other temperature.
  const OrderedJson again =
      place.json({"evaluate", "dev.csv", "-m", "./made", "--fit-temperature", "--format", "json"});
  CHECK(again["fitted"]["temperature"].get<double>() == doctest::Approx(1.0).epsilon(1e-3));
}

}  // namespace
}  // namespace headlight::published_test
