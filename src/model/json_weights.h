// weights.json: {"tensors": {NAME: nested arrays of numbers}, "transposed": true}, for weights
// written by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/safetensors.h"
#include "model/tensor_source.h"

namespace headlight {

struct JsonTensor {
  std::string name;
  Shape shape;
  std::vector<float> values;  // row-major
};

struct JsonWeights {
  std::vector<JsonTensor> tensors;
  bool transposed = false;  // matrices of linear layers are [in, out], as in NumPy's x @ W
};

/// Throws Error{where, …} that names the tensor and element: not a number, rows of unequal length,
/// a number outside the range of float32.
JsonWeights parse_json_weights(std::string_view text, const std::string& where);

/// The document of these tensors, a row of a matrix a line, with the shortest decimals.
std::string make_json_weights(const std::vector<NamedTensor>& tensors);

}  // namespace headlight
