// Arrays of vectors as NumPy reads them.
#pragma once

#include <string>
#include <vector>

namespace headlight {

/// The rows of a float32 NPY file: all but the last dimension are joined. Throws std::runtime_error
/// if the header and the size of the file contradict each other.
std::vector<std::vector<float>> read_vectors(const std::string& file);

}  // namespace headlight
