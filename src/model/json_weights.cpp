#include "model/json_weights.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/utf8.h"

namespace headlight {
namespace {

/// Reads one tensor. The first element at each level determines the shape; the others must match
/// it.
class TensorReader {
 public:
  TensorReader(const std::string& where, JsonTensor& tensor) : where_(where), tensor_(tensor) {}

  void read(const Json& json) {
    for (const Json* level = &json; level->is_array(); level = &level->front()) {
      tensor_.shape.push_back(level->size());
      if (level->empty()) break;
    }
    read_level(json, 0, "");
  }

 private:
  void read_level(const Json& json, std::size_t depth, const std::string& place) {
    if (depth == tensor_.shape.size()) return read_number(json, place);
    if (!json.is_array()) fail(place, json, "a list of " + std::to_string(tensor_.shape[depth]));
    if (json.size() != tensor_.shape[depth]) {
      fail(place, json,
           "a list of " + std::to_string(tensor_.shape[depth]) + " like the lists before it");
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      read_level(json[i], depth + 1, place + "[" + std::to_string(i) + "]");
    }
  }

  void read_number(const Json& json, const std::string& place) {
    if (!json.is_number()) fail(place, json, "a number");
    const auto value = static_cast<float>(json.get<double>());
    if (!std::isfinite(value)) fail(place, json, "a finite float32");
    tensor_.values.push_back(value);
  }

  [[noreturn]] void fail(const std::string& place, const Json& found, const std::string& expected) {
    throw Error(where_, "tensor " + shortened(tensor_.name) + place + ": found " + excerpt(found) +
                            ", expected " + expected);
  }

  const std::string& where_;
  JsonTensor& tensor_;
};

/// Nested arrays, the innermost one on a line.
void write_level(std::string& out, std::span<const float> values,
                 std::span<const std::size_t> shape) {
  JsonWriter json(out);
  if (shape.size() < 2) {
    if (shape.empty()) {
      json.number(values[0]);
    } else {
      json.array(values, [&](float value) { json.number(value); });
    }
    return;
  }
  const std::size_t size = values.size() / std::max<std::size_t>(shape[0], 1);
  out += '[';
  for (std::size_t i = 0; i < shape[0]; ++i) {
    out += i == 0 ? "\n" : ",\n";
    write_level(out, values.subspan(i * size, size), shape.subspan(1));
  }
  out += ']';
}

}  // namespace

std::string make_json_weights(const std::vector<NamedTensor>& tensors) {
  std::string out = R"({"tensors": {)";
  for (const NamedTensor& tensor : tensors) {
    out += &tensor == tensors.data() ? "\n" : ",\n";
    JsonWriter(out).key(tensor.name);
    out += ' ';
    write_level(out, tensor.values, tensor.shape);
  }
  return out + "\n}}\n";
}

JsonWeights parse_json_weights(std::string_view text, const std::string& where) {
  const Json json = parse_json(text, where);
  Fields fields(json, where);
  const Json& tensors = fields.required("tensors");
  if (!tensors.is_object()) fields.fail("tensors", "an object of tensors by name");
  JsonWeights out;
  out.transposed = fields.flag_or("transposed", false);
  fields.refuse_unknown();
  for (const auto& [name, value] : tensors.items()) {
    out.tensors.push_back({name, {}, {}});
    TensorReader(where, out.tensors.back()).read(value);
  }
  return out;
}

}  // namespace headlight
