// Weight files that are whole but do not hold what the config asks for; weights.json; shards.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "model/model_files.h"
#include "model/refused_model.h"

namespace headlight::broken_tensors_test {
namespace {

using namespace std::string_literals;

using Tensors = std::vector<Tensor>;

void remove(Tensors& tensors, const std::string& name) {
  std::erase_if(tensors, [&](const Tensor& tensor) { return tensor.name == name; });
}

/// Puts other bytes under a name.
void store(Tensors& tensors, const std::string& name, const char* dtype,
           const std::vector<std::uint64_t>& shape, const std::string& bytes) {
  tensor_of(tensors, name) = {name, dtype, shape, bytes};
}

void set_bytes(Tensors& tensors, const std::string& name, std::size_t at,
               const std::string& bytes) {
  tensor_of(tensors, name).bytes.replace(at, bytes.size(), bytes);
}

const std::string kNan = "\x00\x00\xC0\x7F"s;       // float32, little endian
const std::string kInfinity = "\x00\x00\x80\x7F"s;  // the same
const std::string kBias = "classifier.bias";

struct TensorsCase {
  std::string name;
  void (*break_tensors)(Tensors& tensors);
  const char* reason;
};

const std::vector<TensorsCase> kTensors = {
    {"NaN in a matrix", [](auto& t) { set_bytes(t, "embeddings.token.weight", 36, kNan); },
     "tensor embeddings.token.weight|not finite at row 2, column 1"},
    {"infinity in a vector", [](auto& t) { set_bytes(t, kBias, 4, kInfinity); },
     "tensor classifier.bias|not finite at element 1"},
    {"NaN in F16", [](auto& t) { store(t, kBias, "F16", {2}, "\x00\x7E\x00\x00"s); },
     "classifier.bias|not finite at element 0"},
    {"infinity in F16", [](auto& t) { store(t, kBias, "F16", {2}, "\x00\x00\x00\x7C"s); },
     "classifier.bias|not finite at element 1"},
    {"NaN in BF16", [](auto& t) { store(t, kBias, "BF16", {2}, "\xC0\x7F\x00\x00"s); },
     "classifier.bias|not finite at element 0"},
    {"negative infinity in BF16",
     [](auto& t) { store(t, kBias, "BF16", {2}, "\x00\x00\x80\xFF"s); },
     "classifier.bias|not finite at element 1"},
    {"float64", [](auto& t) { store(t, kBias, "F64", {2}, std::string(16, '\0')); },
     "classifier.bias|found dtype F64, expected F32, F16 or BF16"},
    {"whole numbers", [](auto& t) { store(t, kBias, "I64", {2}, std::string(16, '\0')); },
     "classifier.bias|found dtype I64"},
    {"booleans", [](auto& t) { store(t, kBias, "BOOL", {2}, std::string(2, '\0')); },
     "classifier.bias|found dtype BOOL"},
    {"eight bits", [](auto& t) { store(t, kBias, "F8_E4M3", {2}, std::string(2, '\0')); },
     "classifier.bias|found dtype F8_E4M3"},
    {"no embedding", [](auto& t) { remove(t, "embeddings.token.weight"); },
     "tensor embeddings.token.weight: missing, expected shape [6, 4]"},
    {"no classifier", [](auto& t) { remove(t, "classifier.weight"); },
     "tensor classifier.weight: missing|[2, 4]"},
    {"no classifier bias", [](auto& t) { remove(t, kBias); },
     "tensor classifier.bias: missing|[2]"},
    {"no value projection", [](auto& t) { remove(t, "layers.0.attention.value.weight"); },
     "layers.0.attention.value.weight: missing|[4, 4]"},
    {"nothing but a tensor of no use", [](auto& t) { t = {float_tensor("x", {1}, {1})}; },
     "missing"},
    {"one tensor too many",
     [](auto& t) {
       t.push_back(float_tensor("layers.1.attention.query.bias", {4}, {0, 0, 0, 0}));
     },
     "tensor layers.1.attention.query.bias|does not use it"},
    {"an empty tensor too many", [](auto& t) { t.push_back(float_tensor("extra", {0}, {})); },
     "tensor extra|does not use it"},
    {"a tensor's name of control characters",
     [](auto& t) { t.push_back(float_tensor("\x1B[31mred\n\x7F", {0}, {})); },
     "x1b[31mred|does not use it"},
    {"a tensor's name with C1 and direction controls",
     [](auto& t) { t.push_back(float_tensor("a\u009B\u202Eb", {0}, {})); }, "does not use it"},
    {"a tensor's name with a NUL", [](auto& t) { t.push_back(float_tensor("a\0b"s, {0}, {})); },
     "tensor a\\x00b|does not use it"},
    {"a tensor's name of 100 KB",
     [](auto& t) { t.push_back(float_tensor(std::string(100'000, 'n'), {0}, {})); },
     "tensor nnn|does not use it"},
    {"transposed",
     [](auto& t) {
       tensor_of(t, "embeddings.token.weight").shape = {4, 6};
     },
     "embeddings.token.weight|found shape [4, 6], expected [6, 4]"},
    {"flat", [](auto& t) { tensor_of(t, "embeddings.token.weight").shape = {24}; },
     "found shape [24], expected [6, 4]"},
    {"one dimension more",
     [](auto& t) {
       tensor_of(t, "embeddings.token.weight").shape = {6, 4, 1};
     },
     "found shape [6, 4, 1], expected [6, 4]"},
    {"a number in place of a vector",
     [](auto& t) { store(t, kBias, "F32", {}, std::string(4, '\0')); },
     "classifier.bias|found shape [], expected [2]"},
    {"a row too few",
     [](auto& t) {
       store(t, "embeddings.token.weight", "F32", {5, 4}, std::string(80, '\0'));
     },
     "found shape [5, 4], expected [6, 4]"},
    {"labels that do not fit the head",
     [](auto& t) {
       store(t, "classifier.weight", "F32", {3, 4}, std::string(48, '\0'));
     },
     "id2label has 2 labels|classifier.weight has 3 rows"},
    {"a head of no rows",
     [](auto& t) {
       store(t, "classifier.weight", "F32", {0, 4}, "");
     },
     "classifier.weight"},
    {"a head that is one number",
     [](auto& t) { store(t, "classifier.weight", "F32", {}, std::string(4, '\0')); },
     "classifier.weight|found shape []"},
    {"twenty thousand empty tensors too many",
     [](auto& t) {
       for (int i = 0; i < 20'000; ++i) t.push_back(float_tensor("z" + std::to_string(i), {0}, {}));
     },
     "does not use it"},
};

/// weights.json with `from` replaced by `to`; an empty `from`: all of it.
struct JsonCase {
  std::string name;
  const char* from;
  std::string to;
  const char* reason;
};

const std::vector<JsonCase> kJson = {
    {"empty file", "", "", "weights.json: |JSON"},
    {"no JSON", "", "tensors", "weights.json: |JSON"},
    {"a list", "", "[]", "weights.json: found a list of 0, expected an object"},
    {"no tensors", "", "{}", "tensors|missing"},
    {"tensors in a list", "", R"({"tensors": [1, 2]})", "tensors: found a list of 2"},
    {"another field", "{\"tensors\"", "{\"version\":1,\"tensors\"", "version|unknown field"},
    {"no UTF-8", "", "{\"tensors\": {\"\xFF\": []}}", "weights.json: not valid UTF-8"},
    {"nested a hundred thousand deep", "", "{\"tensors\": {\"x\": " + std::string(100'000, '['),
     "nested"},
    {"cut", "}}", "", "weights.json: |JSON"},
    {"a NUL and more after its end", "}}", "}}\0 more"s, "weights.json: |JSON"},
    {"a name twice", "layers.0.attention.key.bias", "layers.0.attention.query.bias",
     "layers.0.attention.query.bias|twice"},
    {"a ragged row", "[[-1.0,0.0,0.0,0.0]", "[[-1.0,0.0,0.0]",
     "tensor classifier.weight[1]|expected a list of 3"},
    {"a longer row", "[1.0,0.0,0.0,0.0]]", "[1.0,0.0,0.0,0.0,0.0]]",
     "tensor classifier.weight[1]|found a list of 5, expected a list of 4"},
    {"a number for a row", ",[1.0,0.0,0.0,0.0]]", ",7]", "classifier.weight[1]: found 7"},
    {"a list for a number", "[[-1.0,", "[[[-1.0],", "classifier.weight[0][1]: found 0.0"},
    {"too deep by one", "[[-1.0,0.0,0.0,0.0],[1.0,0.0,0.0,0.0]]",
     "[[[-1.0,0.0,0.0,0.0],[1.0,0.0,0.0,0.0]]]", "classifier.weight"},
    {"a string", "[[-1.0,", "[[\"-1\",",
     "classifier.weight[0][0]: found \"-1\", expected a number"},
    {"null", "[[-1.0,", "[[null,", "classifier.weight[0][0]: found null"},
    {"true", "[[-1.0,", "[[true,", "classifier.weight[0][0]: found true"},
    {"an object", "[[-1.0,", "[[{},", "classifier.weight[0][0]: found an object"},
    {"1e999", "[[-1.0,", "[[1e999,", "weights.json: |number"},
    {"more than a float32 holds", "[[-1.0,", "[[1e39,", "classifier.weight[0][0]|finite"},
    {"NaN", "[[-1.0,", "[[NaN,", "weights.json: |JSON"},
    {"minus infinity", "[[-1.0,", "[[-Infinity,", "weights.json: |JSON"},
    {"an empty tensor", "[[-1.0,0.0,0.0,0.0],[1.0,0.0,0.0,0.0]]", "[]", "classifier.weight"},
    {"empty rows", "[[-1.0,0.0,0.0,0.0],[1.0,0.0,0.0,0.0]]", "[[],[]]",
     "tensor classifier.weight: found shape [2, 0], expected [2, 4]"},
    {"an object of rows", "[[-1.0,0.0,0.0,0.0],[1.0,0.0,0.0,0.0]]", "{\"0\": [1]}",
     "classifier.weight"},
    {"missing", "\"classifier.bias\"", "\"classifier.bais\"", "classifier.bias: missing|[2]"},
};

const std::string kMap = R"({"metadata": {"total_size": 456}, "weight_map": MAP})";

/// The index's weight_map, where every tensor stands in a.safetensors, with `from` replaced.
struct IndexCase {
  std::string name;
  const char* from;
  const char* to;
  const char* reason;
};

const std::vector<IndexCase> kIndex = {
    {"a folder above", "\"a.safetensors\"", "\"../a.safetensors\"",
     "weight_map.embeddings.token.weight|../a.safetensors"},
    {"a folder below", "\"a.safetensors\"", "\"sub/a.safetensors\"",
     "weight_map.embeddings.token.weight|sub/a.safetensors"},
    {"a path from the root", "\"a.safetensors\"", "\"/etc/passwd\"",
     "weight_map.embeddings.token.weight|/etc/passwd"},
    {"this folder", "\"a.safetensors\"", "\".\"", "weight_map.embeddings.token.weight"},
    {"no name", "\"a.safetensors\"", "\"\"", "weight_map.embeddings.token.weight"},
    {"a name with a NUL", "\"a.safetensors\"", "\"a.safetensors\\u0000x\"",
     "weight_map.embeddings.token.weight"},
    {"a number for a name", "\"a.safetensors\"", "5",
     "weight_map.embeddings.token.weight: found 5"},
    {"a shard that is not there", "\"a.safetensors\"", "\"b.safetensors\"",
     "toy/b.safetensors: No such file"},
    {"a shard that is the config", "\"a.safetensors\"", "\"config.json\"", "toy/config.json"},
    {"a tensor that no shard has", "\"classifier.bias\"", "\"classifier.bais\"", "classifier.bias"},
    {"no weight_map", "\"weight_map\"", "\"weightmap\"", "index.json: |weight_map|missing"},
};

OrderedJson toy_map() {
  OrderedJson map = OrderedJson::object();
  for (const Tensor& tensor : toy_tensors()) map[tensor.name] = "a.safetensors";
  return map;
}

Folder sharded(const std::string& index) {
  return {{"config.json", toy_config().dump()},
          {"a.safetensors", safetensors(toy_tensors())},
          {"model.safetensors.index.json", index}};
}

TEST_CASE("tensors that the config does not ask for, or otherwise, are refused by name") {
  for (const TensorsCase& broken : kTensors) {
    INFO("case: " << broken.name);
    Tensors tensors = toy_tensors();
    broken.break_tensors(tensors);
    Folder folder = toy_folder();
    folder["model.safetensors"] = safetensors(tensors);
    check_refused(folder, broken.reason);
  }
}

TEST_CASE("weights.json that is broken is refused with the place in it") {
  for (const JsonCase& broken : kJson) {
    INFO("case: " << broken.name);
    const std::string whole = toy_json_weights().dump();
    const std::string text =
        *broken.from == '\0' ? broken.to : replaced(whole, broken.from, broken.to);
    check_refused({{"config.json", toy_config().dump()}, {"weights.json", text}}, broken.reason);
  }
}

TEST_CASE("an index of shards that is broken is refused") {
  for (const IndexCase& broken : kIndex) {
    INFO("case: " << broken.name);
    const std::string index = replaced(kMap, "MAP", toy_map().dump());
    check_refused(sharded(replaced(index, broken.from, broken.to)), broken.reason);
  }
  check_refused(sharded("[]"), "index.json: found a list of 0, expected an object");
  check_refused(sharded("{\"weight_map\": []}"), "index.json: weight_map|found a list of 0");
  check_refused(sharded(""), "index.json: |JSON");
}

TEST_CASE("a tensor in two shards, or in another than the index says, is refused") {
  OrderedJson map = toy_map();
  map["extra"] = "b.safetensors";
  Folder folder = sharded(replaced(kMap, "MAP", map.dump()));
  folder["b.safetensors"] = safetensors({float_tensor("classifier.bias", {2}, {0, 0})});
  check_refused(folder, "b.safetensors: tensor classifier.bias|another shard");
  map["classifier.bias"] = "b.safetensors";
  map.erase("extra");
  folder = sharded(replaced(kMap, "MAP", map.dump()));
  folder["b.safetensors"] = safetensors({float_tensor("other", {2}, {0, 0})});
  check_refused(folder, "b.safetensors: tensor other|weight_map");
}

}  // namespace
}  // namespace headlight::broken_tensors_test
