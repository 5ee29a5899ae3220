#include "cli/vector_file.h"

#include <cstring>
#include <stdexcept>

namespace headlight {

std::vector<std::vector<float>> read_vectors(const std::string& file) {
  constexpr std::size_t kBegin = 10;  // of the description
  if (file.size() < kBegin) throw std::runtime_error("no NPY file");
  const std::size_t length =
      static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
  const std::size_t header = kBegin + length;
  const std::size_t shape = file.find("'shape': (");
  if (shape == std::string::npos || file.find("'descr': '<f4'") == std::string::npos) {
    throw std::runtime_error("no float32 NPY file");
  }
  std::size_t rows = 1;
  std::size_t width = 1;
  for (std::size_t place = shape + 10; file[place] != ')';) {
    std::size_t digits = 0;
    rows *= width;
    width = std::stoul(file.substr(place), &digits);
    place += digits;
    while (file[place] == ',' || file[place] == ' ') ++place;
  }
  if (file.size() != header + rows * width * sizeof(float)) {
    throw std::runtime_error("the size of an NPY file contradicts its header");
  }
  std::vector<std::vector<float>> vectors(rows, std::vector<float>(width));
  for (std::size_t i = 0; i < rows; ++i) {
    std::memcpy(vectors[i].data(), file.data() + header + i * width * sizeof(float),
                width * sizeof(float));
  }
  return vectors;
}

}  // namespace headlight
