// weights.json: {"tensors": {NAME: nested arrays of numbers}}, for weights written by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/tensor_source.h"

namespace headlight {

struct JsonTensor {
  std::string name;
  Shape shape;
  std::vector<float> values;  // row-major
};

/// Throws Error{where, …} naming the tensor and element: not a number, rows of unequal length, a
/// number that no float32 holds.
std::vector<JsonTensor> parse_json_weights(std::string_view text, const std::string& where);

}  // namespace headlight
