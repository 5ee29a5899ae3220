// Reads a matrix from an NPY file, as `headlight embed` and numpy.save write them (NumPy,
// "numpy.lib.format", versions 1 to 3).
#pragma once

#include <string>

#include "base/file.h"
#include "math/matrix.h"
#include "rows/row_reader.h"

namespace headlight {

/// Rows of float32 numbers, mapped from the file.
class TeacherVectors {
 public:
  /// Throws Error{path, …} if the file is not an NPY file of a float32 matrix in row order.
  explicit TeacherVectors(const std::string& path);

  ConstMatrix rows() const { return rows_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  MappedFile file_;
  ConstMatrix rows_;
};

/// Throws Error unless the NPY file at `path` has a vector for each of the rows, which are read to
/// their end.
void require_vectors(const std::string& path, RowReader& rows);

}  // namespace headlight
