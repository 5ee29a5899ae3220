// Arrays of float32 as numpy.load reads them: NPY version 1.0 (NumPy, "numpy.lib.format").
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/output.h"

namespace headlight {

/// All that stands before the numbers of an array of this shape: a multiple of 64 bytes.
std::string npy_header(std::span<const std::size_t> shape);

/// Matrices [n, d], one after another, as one array [matrices, n, d]. Throws Error where they are
/// not all of one width.
void write_npy(Output& output, const std::vector<std::vector<float>>& matrices, std::size_t n);

}  // namespace headlight
