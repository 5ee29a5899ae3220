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

/// Throws Error{where, …} that names the tensor and element: not a number, rows of unequal length,
/// a number outside the range of float32.
std::vector<JsonTensor> parse_json_weights(std::string_view text, const std::string& where);

}  // namespace headlight
