#include "reference/compare.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>

namespace headlight::reference {
namespace {

template <typename T>
std::string difference(std::span<const T> found, std::span<const double> expected,
                       double tolerance) {
  std::ostringstream line;
  line.precision(9);
  if (found.size() != expected.size()) {
    line << "found " << found.size() << " numbers, expected " << expected.size();
    return line.str();
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::fabs(static_cast<double>(found[i]) - expected[i]);
    if (error <= tolerance * std::max(1.0, std::fabs(expected[i]))) continue;
    line << "index " << i << ": found " << found[i] << ", expected " << expected[i];
    return line.str();
  }
  return "";
}

}  // namespace

std::string first_difference(std::span<const float> found, std::span<const double> expected,
                             double tolerance) {
  return difference(found, expected, tolerance);
}

std::string first_difference(std::span<const double> found, std::span<const double> expected,
                             double tolerance) {
  return difference(found, expected, tolerance);
}

}  // namespace headlight::reference
