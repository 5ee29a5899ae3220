// Numbers that must agree within an absolute and a relative tolerance:
//
//   CHECK(close_to(found, expected, {.absolute = 1e-6, .relative = 1e-5}));
//
// A failed check names the first index that is off.
#pragma once

#include <cmath>
#include <cstddef>
#include <ostream>
#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace headlight {

struct Tolerance {
  double absolute = 0.0;
  double relative = 0.0;  // of the expected number
};

class Closeness {
 public:
  explicit Closeness(std::string complaint) : complaint_(std::move(complaint)) {}
  explicit operator bool() const { return complaint_.empty(); }
  friend std::ostream& operator<<(std::ostream& out, const Closeness& closeness) {
    return out << (closeness ? "all close" : closeness.complaint_);
  }

 private:
  std::string complaint_;  // empty: all close
};

/// Whether |found - expected| ≤ absolute + relative · |expected| at each index. Nothing is close to
/// a number that is not finite.
inline Closeness close_to(std::span<const float> found, std::span<const double> expected,
                          Tolerance tolerance) {
  std::ostringstream complaint;
  complaint.precision(9);
  if (found.size() != expected.size()) {
    complaint << "found " << found.size() << " numbers, expected " << expected.size();
    return Closeness(complaint.str());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off = std::abs(static_cast<double>(found[i]) - expected[i]);
    const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected[i]);
    if (off <= allowed) continue;
    complaint << "index " << i << ": found " << found[i] << ", expected " << expected[i]
              << ", off by " << off << ", allowed " << allowed;
    return Closeness(complaint.str());
  }
  return Closeness("");
}

}  // namespace headlight
