#include "model/json_weights.h"

#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"

namespace headlight::json_weights_test {
namespace {

TEST_CASE("nested arrays have a shape and their numbers in order") {
  struct Row {
    std::string json;
    Shape shape;
    std::vector<float> values;
  };
  const Row rows[] = {
      {"3", {}, {3.0F}},
      {"[1, 2.5, -3e-2]", {3}, {1.0F, 2.5F, -0.03F}},
      {"[[1, 2, 3], [4, 5, 6]]", {2, 3}, {1, 2, 3, 4, 5, 6}},
      {"[[[1], [2]]]", {1, 2, 1}, {1, 2}},
      {"[]", {0}, {}},
      {"[[], []]", {2, 0}, {}},
      {"[0.1, 1e-46, 16777217]", {3}, {0.1F, 0.0F, 16777216.0F}},  // the nearest float32
  };
  for (const auto& [json, shape, values] : rows) {
    CAPTURE(json);
    const auto tensors = parse_json_weights(R"({"tensors": {"x": )" + json + "}}", "w").tensors;
    REQUIRE(tensors.size() == 1);
    CHECK(tensors[0].name == "x");
    CHECK(tensors[0].shape == shape);
    CHECK(tensors[0].values == values);
  }
}

TEST_CASE("weights.json that is written has the numbers that are read") {
  const std::vector<float> values = {0.1F, -2.0F, 1e-30F, 4.0F, 5.0F, 6.0F};
  const auto read = parse_json_weights(
      make_json_weights({{"a", {6}, values}, {"b", {2, 3}, values}, {"c", {1, 2, 3}, values}}),
      "w");
  CHECK_FALSE(read.transposed);
  REQUIRE(read.tensors.size() == 3);
  for (const JsonTensor& tensor : read.tensors) CHECK(tensor.values == values);
  CHECK(read.tensors[0].shape == Shape{6});
  CHECK(read.tensors[1].shape == Shape{2, 3});
  CHECK(read.tensors[2].shape == Shape{1, 2, 3});
}

TEST_CASE("what is no tensor is named by its element") {
  struct Row {
    std::string json;
    std::string error;
  };
  const Row rows[] = {
      {R"({"tensors": {"x": [[1, 2], [3]]}})",
       "w: tensor x[1]: found a list of 1, expected a list of 2 like the lists before it"},
      {R"({"tensors": {"x": [[1, 2], 3]}})", "w: tensor x[1]: found 3, expected a list of 2"},
      {R"({"tensors": {"x": [1, [2]]}})", "w: tensor x[1]: found a list of 1, expected a number"},
      {R"({"tensors": {"x": [[1], [null]]}})", "w: tensor x[1][0]: found null, expected a number"},
      {R"({"tensors": {"x": ["1"]}})", R"(w: tensor x[0]: found "1", expected a number)"},
      {R"({"tensors": {"x": [0, 1e39]}})",
       "w: tensor x[1]: found 1e+39, expected a finite float32"},
      {R"({"tensors": {"x": [1e999]}})",
       "w: column 24: a number above 1.8e308, the most of a float64"},
      {R"({"tensors": {"x": 1, "x": 2}})", R"(w: the name "x" occurs twice in one object)"},
      {R"({"tensors": []})",
       "w: tensors: found a list of 0, expected an object of tensors by name"},
      {R"({"x": [1]})", "w: tensors: missing"},
      {R"({"tensors": {}, "transposed": 1})", "w: transposed: found 1, expected true or false"},
      {R"({"tensors": {}, "tensor": {}})", "w: tensor: unknown field; did you mean tensors?"},
  };
  for (const auto& [json, error] : rows) {
    CHECK(error_of([&, &text = json] { parse_json_weights(text, "w"); }) == error);
  }
}

}  // namespace
}  // namespace headlight::json_weights_test
