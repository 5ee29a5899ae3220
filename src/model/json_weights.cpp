#include "model/json_weights.h"

#include <cmath>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
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

}  // namespace

std::vector<JsonTensor> parse_json_weights(std::string_view text, const std::string& where) {
  const Json json = parse_json(text, where);
  Fields fields(json, where);
  const Json& tensors = fields.required("tensors");
  if (!tensors.is_object()) fields.fail("tensors", "an object of tensors by name");
  fields.refuse_unknown();
  std::vector<JsonTensor> out;
  for (const auto& [name, value] : tensors.items()) {
    out.push_back({name, {}, {}});
    TensorReader(where, out.back()).read(value);
  }
  return out;
}

}  // namespace headlight
