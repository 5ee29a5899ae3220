// The program on published checkpoints: what a model without a classification head can still do,
// and the vectors of each layer as a file.
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

}  // namespace
}  // namespace headlight::published_test
