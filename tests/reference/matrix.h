// A matrix of float64 and a model's tensors: all the data the reference knows. Nothing is fast.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace headlight::reference {

using Vector = std::vector<double>;

struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  Vector values;  // row-major

  Matrix() = default;
  Matrix(std::size_t rows_, std::size_t cols_)
      : rows(rows_), cols(cols_), values(rows_ * cols_, 0.0) {}

  double& operator()(std::size_t i, std::size_t j) { return values[i * cols + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * cols + j]; }
};

struct Tensor {
  std::vector<std::size_t> shape;
  Vector values;  // row-major
};

using Tensors = std::map<std::string, Tensor>;

}  // namespace headlight::reference
