// What a native config says of classifiers that scripts/import head reads: a normalized vector, a
// hidden layer, and how decision values become probabilities.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::imported_head_test {
namespace {

using Numbers = std::vector<double>;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

Numbers shares(Numbers x) {
  double sum = 0.0;
  for (const double each : x) sum += each;
  for (double& each : x) each /= sum;
  return x;
}

/// A model whose text "good" has the vector (3, 4), with these fields and tensors of its head.
void make(const ToyPlace& place, const std::string& fields, const std::vector<Tensor>& head) {
  auto config = OrderedJson::parse(R"({"model_type": "headlight", "vocab_size": 1,
    "hidden_size": 2, "num_hidden_layers": 0, "num_attention_heads": 1, "id2label": ["a", "b", "c"],
    "position_embedding_type": "none", "norm_order": "none",
    "tokenizer": {"type": "whitespace", "vocabulary": ["good"], "unk_token": null}})");
  config.update(OrderedJson::parse("{" + fields + "}"));
  std::vector<Tensor> tensors = {float_tensor("embeddings.token.weight", {1, 2}, {3, 4})};
  tensors.insert(tensors.end(), head.begin(), head.end());
  place.files().write("m/config.json", config.dump());
  place.files().write("m/model.safetensors", safetensors(tensors));
}

std::vector<Tensor> classifier() {
  return {float_tensor("classifier.weight", {3, 2}, {1, 0, 0, 1, -1, 0.5F}),
          float_tensor("classifier.bias", {3}, {0, -4, 1})};
}

const std::vector<std::string> kClassify = {"classify", "good", "-m", "./m", "--format", "json"};

Numbers values(const OrderedJson& row, const char* field) {
  Numbers found;
  for (const OrderedJson& value : row[field]) found.push_back(value);
  return found;
}

void check_close(const Numbers& found, const Numbers& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  }
}

OrderedJson scored(const ToyPlace& place) { return place.json(kClassify)[0]; }

TEST_CASE("decision values become shares of sigmoids, or no probabilities") {
  const ToyPlace place;
  make(place, R"("output": "sigmoid_share")", classifier());
  const Numbers logits = {3, 0, 0};
  check_close(values(scored(place), "logits"), logits);
  check_close(values(scored(place), "probabilities"), shares({sigmoid(3), sigmoid(0), sigmoid(0)}));
  make(place, R"("output": "none")", classifier());
  check_close(values(scored(place), "logits"), logits);
  CHECK_FALSE(scored(place).contains("probability"));
  CHECK(scored(place)["label"] == "a");
}

TEST_CASE("the vector of a text is normalized, in embed too") {
  const ToyPlace place;
  make(place, R"("normalize": true)", classifier());
  check_close(values(scored(place), "logits"), {0.6, -3.2, 0.8});
  const auto row = place.output({"embed", "-", "-m", "./m", "--format", "jsonl"}, "good\n");
  check_close(values(OrderedJson::parse(row), "vector"), {0.6, 0.8});
}

TEST_CASE("a hidden layer has a width of its own") {
  const ToyPlace place;
  make(place, R"("head_dense_act": "relu", "head_dense_size": 4)",
       {float_tensor("head.dense.weight", {4, 2}, {1, 0, 0, 1, 1, -1, 1, 1}),
        float_tensor("head.dense.bias", {4}, {0, 0, 0, 1}),
        float_tensor("classifier.weight", {3, 4}, {1, 0, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0.25F}),
        float_tensor("classifier.bias", {3}, {0, 0, 0})});
  check_close(values(scored(place), "logits"), {3, 4, 2});
}

TEST_CASE("probabilities are the means of those of folds, and decide") {
  const ToyPlace place;
  std::vector<Tensor> tensors = {
      float_tensor("classifier.weight", {3, 2}, {0, 0, 0, 0, 0, 0}),
      float_tensor("classifier.bias", {3}, {2, 2.5F, 0}),
      float_tensor("classifier.folds.weight", {6, 2}, std::vector<float>(12, 0.0F)),
      float_tensor("classifier.folds.bias", {6}, {2, -3, 0, 2, 8, 0})};
  for (const char* output : {"sigmoid_share", "softmax"}) {
    INFO("output: " << output);
    make(place, R"("folds": 2, "output": ")" + std::string(output) + '"', tensors);
    const bool is_softmax = output == std::string("softmax");
    const auto each = [&](double x) { return is_softmax ? std::exp(x) : sigmoid(x); };
    Numbers expected = shares({each(2), each(-3), each(0)});
    const Numbers second = shares({each(2), each(8), each(0)});
    for (std::size_t i = 0; i < 3; ++i) expected[i] = (expected[i] + second[i]) / 2;
    const OrderedJson row = scored(place);
    check_close(values(row, "probabilities"), expected);
    check_close(values(row, "logits"), {2, 2.5, 0});
    const auto best = std::max_element(expected.begin(), expected.end()) - expected.begin();
    CHECK(row["label"] == std::string(1, static_cast<char>('a' + best)));
    CHECK(row["probability"].get<double>() == doctest::Approx(expected[best]).epsilon(1e-6));
  }
  place.files().write("rows.csv", "text,label\ngood,a\n");
  check_refusal(place.run({"evaluate", "rows.csv", "-m", "./m", "--fit-temperature"}), 1,
                "m/config.json: |has probabilities that are neither a softmax nor a sigmoid");
  check_refusal(place.run({"classify", "good", "-m", "./m", "--among", "a,b"}), 1,
                "has no softmax over its labels");
  tensors.pop_back();
  make(place, R"("folds": 2)", tensors);
  check_refusal(place.run(kClassify), 1, "tensor classifier.folds.bias: missing");
}

TEST_CASE("fit replaces such a head by one of its own") {
  const ToyPlace place;
  make(place, R"("folds": 2, "output": "sigmoid_share", "normalize": true)",
       {float_tensor("classifier.weight", {3, 2}, std::vector<float>(6, 1.0F)),
        float_tensor("classifier.bias", {3}, {1, 2, 3}),
        float_tensor("classifier.folds.weight", {6, 2}, std::vector<float>(12, 1.0F)),
        float_tensor("classifier.folds.bias", {6}, {1, 2, 3, 1, 2, 3})});
  place.files().write("rows.csv", "text,label\ngood,a\ngood,b\ngood,a\ngood,b\n");
  for (const char* way : {"head", "all"}) {
    INFO("way: " << way);
    CHECK(place
              .run({"fit", "rows.csv", "-m", "./m", "--train", way, "--dev-share", "0", "-o",
                    std::string("made-") + way})
              .status == 0);
    const auto config =
        OrderedJson::parse(place.files().read(std::string("made-") + way + "/config.json"));
    CHECK(config["normalize"] == true);
    CHECK_FALSE(config.contains("folds"));
    CHECK_FALSE(config.contains("output"));
  }
}

}  // namespace
}  // namespace headlight::imported_head_test
