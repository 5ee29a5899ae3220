// Sentence vectors as JSONL, or as one NPY array [rows, width].
#pragma once

#include <cstddef>
#include <string>

#include "classifier/embedder.h"
#include "report/predictions/row_serializer.h"
#include "rows/scoring.h"

namespace headlight {

class VectorWriter : public RowSerializer {
 public:
  virtual std::string row(const ScoredRow<EmbeddedText>& scored) const = 0;
};

/// {"id": 7, "vector": […], "tokens": 9, …}
class VectorLines : public VectorWriter {
 public:
  explicit VectorLines(bool ascii) : ascii_(ascii) {}

  std::string row(const ScoredRow<EmbeddedText>& scored) const override;

 private:
  bool ascii_;
};

/// The number of rows is known at the end, so the header is written twice, with the same size. A
/// row with an error is NaN. A last number of 0 is written as -0, because zeros that a power
/// failure leaves are not a row (rows/vector_rows.h).
class VectorArray : public VectorWriter {
 public:
  /// Of each possible header of a matrix.
  static constexpr std::size_t kHeaderSize = 128;

  /// `is_half`: float16, else float32.
  VectorArray(std::size_t width, bool is_half) : width_(width), is_half_(is_half) {}

  std::string header() const override { return final_header(0); }
  std::string row(const ScoredRow<EmbeddedText>& scored) const override;
  std::string final_header(std::size_t rows) const override;

  /// Bytes of a number.
  std::size_t number_size() const { return is_half_ ? 2 : 4; }

 private:
  std::size_t width_;
  bool is_half_;
};

}  // namespace headlight
