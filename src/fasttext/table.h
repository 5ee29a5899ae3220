// A matrix in a model file of fastText, as floats or as codes of a product quantiser (Joulin et al.
// 2016, "FastText.zip"; fastText 0.9.2, densematrix.cc, quantmatrix.cc, productquantizer.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fasttext/file_bytes.h"

namespace headlight {

/// A vector of d numbers as parts, each one of 256 centroids.
struct FasttextQuantiser {
  std::size_t parts = 0;
  std::size_t size = 0;          // numbers of a part
  std::size_t last = 0;          // of the last part
  std::vector<float> centroids;  // [256 · d]: those of a part one after another

  /// `part` begins at float `part · size`.
  const float* centroid(std::size_t part, std::uint8_t code) const {
    constexpr std::size_t kCentroids = 256;
    const std::size_t own = part + 1 == parts ? last : size;
    return &centroids[part * kCentroids * size + code * own];
  }
  std::size_t size_of(std::size_t part) const { return part + 1 == parts ? last : size; }
};

/// [m, d], in the memory of the file. Sums are float32 in the order of the original.
class FasttextTable {
 public:
  /// The bytes must outlive it. `name` is for messages. Throws Error if these bytes are no such
  /// matrix with `width` columns.
  FasttextTable(FileBytes& bytes, bool is_quantised, std::size_t width, const char* name);

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }
  bool is_quantised() const { return codes_ != nullptr; }
  bool has_norms() const { return norms_ != nullptr; }

  /// Lets the processor find the pages of rows, which is most of the time of a large table.
  void find_pages(std::span<const std::uint32_t> rows) const {
    if (codes_ != nullptr) return;  // few pages
    for (const std::uint32_t row : rows)
      __builtin_prefetch(numbers_ + row * width_ * sizeof(float));
  }
  /// Asks for a row that is needed soon.
  void prefetch(std::size_t row) const {
    constexpr std::size_t kLine = 64;
    if (codes_ != nullptr) return __builtin_prefetch(codes_ + row * quantiser_.parts);
    const std::size_t size = width_ * sizeof(float);
    const std::byte* const numbers = numbers_ + row * size;
    for (std::size_t at = 0; at < size; at += kLine) __builtin_prefetch(numbers + at);
    __builtin_prefetch(numbers + size - 1);  // rows do not begin where lines do
  }
  /// x [d] += row
  void add_row(std::size_t row, float* x) const;
  /// row · x [d]
  float dot(std::size_t row, const float* x) const;

 private:
  FasttextQuantiser read_quantiser(FileBytes& bytes, std::size_t width, const char* name) const;
  float norm_of(std::size_t row) const;

  std::size_t rows_ = 0;
  std::size_t width_ = 0;
  const std::byte* numbers_ = nullptr;   // [m, d] float32, not aligned
  const std::uint8_t* codes_ = nullptr;  // [m, parts]
  const std::uint8_t* norms_ = nullptr;  // [m]
  FasttextQuantiser quantiser_, of_norms_;
};

}  // namespace headlight
