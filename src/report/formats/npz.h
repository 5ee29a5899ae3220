// Several arrays in one file as numpy.load reads them: NPZ, a ZIP archive of stored NPY files
// (NumPy, "numpy.savez"; PKWARE, "APPNOTE.TXT", 4.3).
#pragma once

#include <cstdint>
#include <string>

#include "base/output.h"

namespace headlight {

/// Writes arrays in the order they are added. Files have no date, so the same arrays give the
/// same bytes.
class NpzWriter {
 public:
  explicit NpzWriter(Output& output) : output_(output) {}

  /// `array` is a complete NPY file. Throws Error if the archive grows past 4 GiB or 65535 arrays.
  void add(const std::string& name, const std::string& array);
  /// Call this after all arrays have been added.
  void finish();

 private:
  void write(const std::string& bytes);

  Output& output_;
  std::uint64_t written_ = 0;
  std::string directory_;
  std::uint16_t files_ = 0;
};

}  // namespace headlight
