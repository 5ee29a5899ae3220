// The reference against numbers that were worked out by hand from the specification.
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reference/architecture.h"
#include "reference/compare.h"
#include "reference/encoder.h"
#include "reference/functions.h"
#include "reference/matrix.h"
#include "reference/model_directory.h"

namespace headlight::reference::reference_self_test {
namespace {

using Json = nlohmann::json;

void check_close(const Vector& found, const Vector& expected) {
  CHECK(first_difference(std::span<const double>(found), expected, 1e-12) == "");
}

/// d = 2, two tokens in the vocabulary, no positions, and as many layers as asked for.
Json tiny_config(std::size_t layers, const Json& changes) {
  Json config = {{"model_type", "headlight"},
                 {"vocab_size", 2},
                 {"hidden_size", 2},
                 {"num_hidden_layers", layers},
                 {"num_attention_heads", 1},
                 {"position_embedding_type", "none"},
                 {"intermediate_size", 0},
                 {"attention_bias", false},
                 {"residual", false},
                 {"norm_order", "none"},
                 {"classifier_bias", false},
                 {"attention_output_projection", false},
                 {"problem_type", "regression"}};
  config.update(changes);
  return config;
}

/// The token vectors are (1, 0) and (0, 1); the classifier gives z back.
Tensors tiny_tensors() {
  return {{"embeddings.token.weight", {{2, 2}, {1, 0, 0, 1}}},
          {"classifier.weight", {{2, 2}, {1, 0, 0, 1}}}};
}

/// One head with q·k of ln 3 from the first token to the second, else 0; the values are (4, 0) and
/// (0, 8).
Tensors one_head() {
  Tensors tensors = tiny_tensors();
  tensors["layers.0.attention.query.weight"] = {{2, 2}, {0, 0, std::log(3.0), 0}};
  tensors["layers.0.attention.key.weight"] = {{2, 2}, {1, 0, 0, 1}};
  tensors["layers.0.attention.value.weight"] = {{2, 2}, {4, 0, 0, 8}};
  return tensors;
}

const Text kBoth = {{0, 1}, {0, 0}};
const Text kFirst = {{0}, {0}};
const Text kSecond = {{1}, {0}};

}  // namespace

TEST_CASE("reference: one head over two tokens gives the weights 1/4, 3/4 and 1/2, 1/2") {
  const Result result = encode(tiny_config(1, {{"attention_scale", 1}}), one_head(), kBoth);
  check_close(result.attention.at(0), {0.25, 0.75, 0.5, 0.5});
  REQUIRE(result.hidden.size() == 2);
  check_close(result.hidden[0], {1, 0, 0, 1});
  check_close(result.hidden[1], {1, 6, 2, 4});
  check_close(result.logits, {1.5, 5});
}

TEST_CASE("reference: a causal mask hides the second token from the first") {
  const Json config = tiny_config(1, {{"attention_scale", 1}, {"attention_mask", "causal"}});
  const Result result = encode(config, one_head(), kBoth);
  check_close(result.attention.at(0), {1, 0, 0.5, 0.5});
  check_close(result.hidden[1], {4, 0, 2, 4});
}

TEST_CASE("reference: without attention_scale the scores are divided by the root of e") {
  Tensors tensors = one_head();
  tensors["layers.0.attention.query.weight"].values[2] = std::log(3.0) * std::sqrt(2.0);
  const Result result = encode(tiny_config(1, Json::object()), tensors, kBoth);
  check_close(result.attention.at(0), {0.25, 0.75, 0.5, 0.5});
}

TEST_CASE("reference: each pooling of (1, 6) and (2, 4)") {
  const std::vector<std::pair<std::string, Vector>> rows = {
      {"cls", {1, 6}}, {"last", {2, 4}}, {"mean", {1.5, 5}}, {"max", {2, 6}}};
  for (const auto& row : rows) {
    CAPTURE(row.first);
    const Json config = tiny_config(1, {{"attention_scale", 1}, {"pooling", row.first}});
    check_close(encode(config, one_head(), kBoth).logits, row.second);
  }
}

TEST_CASE("reference: unequal heads, the wider one first, side by side into the classifier") {
  const Json config = tiny_config(1, {{"num_attention_heads", 2}, {"head_sizes", {2, 1}}});
  Tensors tensors = tiny_tensors();
  tensors["layers.0.attention.query.weight"] = {{3, 2}, Vector(6, 1.0)};
  tensors["layers.0.attention.key.weight"] = {{3, 2}, Vector(6, 1.0)};
  tensors["layers.0.attention.value.weight"] = {{3, 2}, {1, 10, 2, 20, 3, 30}};
  tensors["classifier.weight"] = {{1, 3}, {1, 100, 10000}};
  const Result result = encode(config, tensors, kSecond);
  check_close(result.hidden[1], {10, 20, 30});
  check_close(result.logits, {302010});
}

TEST_CASE("reference: a head with sliced input sees its own column; biases and projection") {
  const Json config = tiny_config(1, {{"num_attention_heads", 2},
                                      {"head_input", "slice"},
                                      {"attention_bias", true},
                                      {"attention_output_projection", true}});
  Tensors tensors = tiny_tensors();
  for (const char* name : {"query", "key", "value"}) {
    const std::string prefix = std::string("layers.0.attention.") + name;
    tensors[prefix + ".weight"] = {{2, 1}, {3, 5}};
    tensors[prefix + ".bias"] = {{2}, {100, 200}};
  }
  tensors["layers.0.attention.output.weight"] = {{2, 2}, {0, 1, 1, 0}};
  tensors["layers.0.attention.output.bias"] = {{2}, {1000, 2000}};
  check_close(encode(config, tensors, kFirst).hidden[1], {1200, 2103});
  check_close(encode(config, tensors, kSecond).hidden[1], {1205, 2100});
}

TEST_CASE("reference: the order of norms, residuals and feed-forward") {
  // One token (1, 3) whose attention gives it back; the norm without eps makes any rising pair
  // (-1, 1), from which the feed-forward makes relu(1 + 1) = 2, then (2, 4) + (0, -1) = (2, 3).
  Tensors tensors = tiny_tensors();
  tensors["embeddings.token.weight"].values = {1, 3, 0, 0};
  for (const char* name : {"query", "key", "value"}) {
    tensors[std::string("layers.0.attention.") + name + ".weight"] = {{2, 2}, {1, 0, 0, 1}};
  }
  for (const char* name : {"layers.0.attention.norm", "layers.0.feed_forward.norm", "final_norm"}) {
    tensors[std::string(name) + ".weight"] = {{2}, {1, 1}};
    tensors[std::string(name) + ".bias"] = {{2}, {0, 0}};
  }
  tensors["layers.0.feed_forward.up.weight"] = {{1, 2}, {0, 1}};
  tensors["layers.0.feed_forward.up.bias"] = {{1}, {1}};
  tensors["layers.0.feed_forward.down.weight"] = {{2, 1}, {1, 2}};
  tensors["layers.0.feed_forward.down.bias"] = {{2}, {0, -1}};
  struct Example {
    const char* order;
    bool residual;
    Vector layer;
    Vector encoded;
  };
  const std::vector<Example> rows = {
      {"pre", true, {2, 7}, {-1, 1}},    // (1,3)+(-1,1) = (0,4), +(2,3)
      {"pre", false, {2, 3}, {-1, 1}},   // (-1,1), then (2,3)
      {"post", true, {-1, 1}, {-1, 1}},  // LN(2,6) = (-1,1), LN(1,4)
      {"none", true, {9, 19}, {9, 19}},  // (2,6), relu(7) = 7: +(7,13)
      {"none", false, {4, 7}, {4, 7}}};  // (1,3), relu(4) = 4: (4,7)
  for (const Example& row : rows) {
    CAPTURE(row.order);
    CAPTURE(row.residual);
    const Json config = tiny_config(1, {{"intermediate_size", 1},
                                        {"residual", row.residual},
                                        {"norm_order", row.order},
                                        {"layer_norm_eps", 0.0}});
    const Result result = encode(config, tensors, kFirst);
    check_close(result.hidden[1], row.layer);
    check_close(result.encoded, row.encoded);
  }
}

TEST_CASE("reference: where epsilon stands in each form of the norm") {
  const Matrix x = {{1, 3}};  // mean 2, variance 1
  check_close(numbers_of(layer_norm({{1, 10}, {0, 1}, 3.0, "variance"}, x)), {-0.5, 6});
  check_close(numbers_of(layer_norm({{1, 10}, {0, 1}, 3.0, "deviation"}, x)), {-0.25, 3.5});
}

TEST_CASE("reference: embedding is scaled token, then position, then type, then norm") {
  Json config = tiny_config(0, {{"embedding_scale", 3},
                                {"position_embedding_type", "absolute"},
                                {"max_position_embeddings", 2},
                                {"type_vocab_size", 2},
                                {"layer_norm_eps", 0.0}});
  Tensors tensors = tiny_tensors();
  tensors["embeddings.position.weight"] = {{2, 2}, {10, 20, 30, 40}};
  tensors["embeddings.token_type.weight"] = {{2, 2}, {100, 200, 300, 400}};
  tensors["embeddings.norm.weight"] = {{2}, {1, 2}};
  tensors["embeddings.norm.bias"] = {{2}, {0, 5}};
  const Text text = {{1, 0}, {0, 1}};
  check_close(encode(config, tensors, text).hidden.at(0), {110, 223, 333, 440});
  config["embedding_layer_norm"] = true;
  check_close(encode(config, tensors, text).hidden.at(0), {-1, 7, -1, 7});
}

TEST_CASE("reference: sinusoidal positions of an odd width") {
  check_close(sinusoidal(0, 3), {0, 1, 0});
  check_close(sinusoidal(1, 3), {0.8414709848078965, 0.5403023058681398, 0.0021544330233656});
}

TEST_CASE("reference: a class attends with its own query and has its own vector") {
  const Json config = tiny_config(
      0, {{"attention_scale", 1}, {"pooling", "label_attention"}, {"attention_mask", "causal"}});
  Tensors tensors = tiny_tensors();
  tensors["label_attention.queries"] = {{2, 2}, {0, std::log(3.0), std::log(4.0), 0}};
  for (const char* name : {"query", "key"}) {
    tensors[std::string("label_attention.") + name + ".weight"] = {{2, 2}, {1, 0, 0, 1}};
  }
  tensors["label_attention.value.weight"] = {{2, 2}, {20, 0, 0, 40}};
  tensors["classifier.weight"] = {{2, 2}, {1, 100, 100, 1}};
  const Result result = encode(config, tensors, kBoth);
  check_close(result.label_attention, {0.25, 0.75, 0.8, 0.2});
  check_close(result.logits, {3005, 1608});  // (5, 30) · (1, 100), (16, 8) · (100, 1)
}

TEST_CASE("reference: the head's dense and its activation come before the classifier") {
  const Json config = tiny_config(0, {{"head_dense_act", "relu"}, {"classifier_bias", true}});
  Tensors tensors = tiny_tensors();
  tensors["head.dense.weight"] = {{2, 2}, {0, -5, 7, 0}};
  tensors["head.dense.bias"] = {{2}, {1, 1}};
  tensors["classifier.weight"] = {{1, 2}, {100, 10}};
  tensors["classifier.bias"] = {{1}, {3}};
  check_close(encode(config, tensors, kFirst).logits, {183});
  check_close(encode(config, tensors, kSecond).logits, {13});
}

TEST_CASE("reference: probabilities as the problem type says") {
  Tensors tensors = tiny_tensors();
  const auto scored = [&](const char* type) {
    return encode(tiny_config(0, {{"problem_type", type}}), tensors, kFirst).probabilities;
  };
  tensors["classifier.weight"].values = {std::log(3.0), 0, 0, 0};
  check_close(scored("single_label_classification"), {0.75, 0.25});
  check_close(scored("multi_label_classification"), {0.75, 0.5});
  check_close(scored("regression"), {std::log(3.0), 0});
  tensors["classifier.weight"] = {{1, 2}, {std::log(4.0), 0}};
  check_close(scored("single_label_classification"), {0.8});
}

TEST_CASE("reference: pad_to_length fills on the right, and cuts; fillers are tokens") {
  Json config = tiny_config(0, {{"pad_to_length", 3}, {"pad_token_id", 1}});
  check_close(encode(config, tiny_tensors(), kFirst).hidden[0], {1, 0, 0, 1, 0, 1});
  config["pad_to_length"] = 1;
  check_close(encode(config, tiny_tensors(), kBoth).hidden[0], {1, 0});
}

TEST_CASE("reference: activations at a point or two") {
  struct Example {
    const char* name;
    double x;
    double y;
  };
  const std::vector<Example> rows = {{"relu", -2, 0},
                                     {"relu", 2, 2},
                                     {"relu2", 3, 9},
                                     {"relu6", 7, 6},
                                     {"relu6", 2, 2},
                                     {"leaky_relu", -2, -0.02},
                                     {"linear", -2, -2},
                                     {"gelu_10", 12, 10},
                                     {"gelu", 1, 0.8413447460685429},
                                     {"gelu_10", 1, 0.8413447460685429},
                                     {"gelu_python", 1, 0.8413447460685429},
                                     {"gelu_new", 1, 0.8411919906082768},
                                     {"gelu_new", -2, -0.04540230591222},
                                     {"gelu_accurate", 1, 0.8411919906082768},
                                     {"gelu_pytorch_tanh", 1, 0.8411919906082768},
                                     {"quick_gelu", 1, 0.8457957659328212},
                                     {"silu", 2.5, 2.5 * 0.9241418199787566},
                                     {"swish", 2.5, 2.5 * 0.9241418199787566},
                                     {"mish", 1, 0.8650983882673103},
                                     {"sigmoid", 2.5, 0.9241418199787566},
                                     {"tanh", 1, 0.7615941559557649}};
  for (const Example& row : rows) {
    CAPTURE(row.name);
    check_close({activate(row.name, row.x)}, {row.y});
  }
  CHECK(activate("gelu_fast", 1) == doctest::Approx(0.8411919906).epsilon(1e-9));
}

TEST_CASE("reference: numbers are rounded to the nearest of a type, ties to even") {
  CHECK(rounded_to(NumberType::f16, 0.1) == 0.0999755859375);
  CHECK(rounded_to(NumberType::f16, 1.7e-7) == 3 * 0x1p-24);
  CHECK(rounded_to(NumberType::f16, 1.0 + 0x1p-11) == 1.0);
  CHECK(rounded_to(NumberType::bf16, 0.1) == 0.10009765625);
  CHECK(rounded_to(NumberType::bf16, -1.0 - 0x1.8p-7) == -1.0 - 0x1p-6);
}

}  // namespace headlight::reference::reference_self_test
