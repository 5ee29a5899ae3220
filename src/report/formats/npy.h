// Arrays as numpy.load reads them: NPY version 1.0 (NumPy, "numpy.lib.format").
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/output.h"

namespace headlight {

/// The header of an array of this shape, a multiple of 64 bytes. `type` is
/// NumPy's name of the element type, by default float32.
std::string npy_header(std::span<const std::size_t> shape, const std::string& type = "<f4");

/// The bytes of the numbers, which follow the header.
std::string npy_numbers(std::span<const float> numbers);

/// Complete one-dimensional arrays: integers as int64, texts as Unicode.
std::string npy_array(const std::vector<std::size_t>& numbers);
std::string npy_array(const std::vector<std::string>& texts);
/// A complete float32 array of any shape.
std::string npy_array(std::span<const std::size_t> shape, std::span<const float> numbers);

/// Matrices [n, d], one after another, as one array [matrices, n, d]. Throws Error if their
/// widths differ.
void write_npy(Output& output, const std::vector<std::vector<float>>& matrices, std::size_t n);

}  // namespace headlight
