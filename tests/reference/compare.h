// Numbers that must agree: where they first do not, and by how much.
#pragma once

#include <span>
#include <string>

namespace headlight::reference {

/// Empty where |found - expected| ≤ tolerance · max(1, |expected|) at every index and the sizes are
/// equal; else one line that names the first bad index. A number that is not finite is bad.
std::string first_difference(std::span<const float> found, std::span<const double> expected,
                             double tolerance);
std::string first_difference(std::span<const double> found, std::span<const double> expected,
                             double tolerance);

}  // namespace headlight::reference
