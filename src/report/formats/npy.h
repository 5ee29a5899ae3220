// Arrays as numpy.load reads them: NPY version 1.0 (NumPy, "numpy.lib.format"), and NPZ, several in
// one ZIP archive of stored NPY files (NumPy, "numpy.savez"; PKWARE, "APPNOTE.TXT", 4.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/output.h"

namespace headlight {

/// The header of an array of this shape, a multiple of 64 bytes. `type` is
/// NumPy's name of the element type, by default float32.
std::string npy_header(std::span<const std::size_t> shape, const std::string& type = "<f4");

/// The bytes of the numbers, which follow the header.
std::string npy_numbers(std::span<const float> numbers);

/// Complete arrays: integers as int64, texts, in one dimension, as Unicode.
std::string npy_array(std::span<const std::size_t> shape, const std::vector<std::size_t>& numbers);
std::string npy_array(const std::vector<std::size_t>& numbers);
std::string npy_array(const std::vector<std::string>& texts);
/// A complete float32 array of any shape.
std::string npy_array(std::span<const std::size_t> shape, std::span<const float> numbers);

/// Matrices [n, d], one after another, as one array [matrices, n, d]. Throws Error if their
/// widths differ.
void write_npy(Output& output, const std::vector<std::vector<float>>& matrices, std::size_t n);

/// Writes arrays in the order they are added. Files have no date, so the same arrays give the
/// same bytes.
class NpzWriter {
 public:
  using Write = std::function<void(const std::string& bytes)>;
  explicit NpzWriter(Write write) : write_(std::move(write)) {}

  /// `array` is a complete NPY file. Throws Error if the archive grows past 4 GiB or 65535 arrays.
  void add(const std::string& name, const std::string& array);
  /// What must follow the last array: the list of all.
  std::string ending() const;
  /// Call this after all arrays have been added.
  void finish() const { write_(ending()); }

 private:
  void write(const std::string& bytes);

  Write write_;
  std::uint64_t written_ = 0;
  std::string directory_;
  std::uint16_t files_ = 0;
};

}  // namespace headlight
