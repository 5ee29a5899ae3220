// Arrays as numpy.load reads them: NPY version 1.0 (NumPy, "numpy.lib.format").
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/output.h"

namespace headlight {

/// All that stands before the numbers of an array of this shape: a multiple of 64 bytes. `type` is
/// NumPy's name of an element: float32 unless said otherwise.
std::string npy_header(std::span<const std::size_t> shape, const std::string& type = "<f4");

/// The numbers as they stand in a file after the header.
std::string npy_numbers(std::span<const float> numbers);

/// Whole arrays of one dimension: whole numbers as int64, and texts as Unicode.
std::string npy_array(const std::vector<std::size_t>& numbers);
std::string npy_array(const std::vector<std::string>& texts);
/// Numbers of any shape.
std::string npy_array(std::span<const std::size_t> shape, std::span<const float> numbers);

/// Matrices [n, d], one after another, as one array [matrices, n, d]. Throws Error where they are
/// not all of one width.
void write_npy(Output& output, const std::vector<std::vector<float>>& matrices, std::size_t n);

}  // namespace headlight
