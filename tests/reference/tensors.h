// A model's tensors, in float64 as they are in a file.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace headlight::reference {

using Vector = std::vector<double>;

struct Tensor {
  std::vector<std::size_t> shape;
  Vector values;  // row-major
};

using Tensors = std::map<std::string, Tensor>;

}  // namespace headlight::reference
