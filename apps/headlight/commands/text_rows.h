// Rows for the texts of the command line or of standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "options/text_options.h"
#include "rows/row_reader.h"
#include "rows/row_source.h"

namespace headlight {

/// Texts given as arguments.
class TypedRows : public RowSource {
 public:
  /// `options` must outlive it.
  TypedRows(std::vector<std::string> texts, const TextOptions& options)
      : texts_(std::move(texts)), options_(options) {}

  std::optional<Row> next() override;
  bool ready() override { return true; }

 private:
  std::vector<std::string> texts_;
  const TextOptions& options_;
  std::size_t given_ = 0;
};

/// Standard input, one text per line.
class LineRows : public RowSource {
 public:
  /// `options` must outlive it.
  explicit LineRows(const TextOptions& options);

  std::optional<Row> next() override;
  bool ready() override { return lines_.ready(); }

 private:
  RowReader lines_;
  const TextOptions& options_;
};

}  // namespace headlight
