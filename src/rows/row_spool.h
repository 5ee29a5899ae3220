// Keeps rows to read them a second time, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdio>
#include <deque>
#include <memory>
#include <optional>

#include "rows/row.h"
#include "rows/row_source.h"

namespace headlight {

/// Add all rows, then read them. Rows beyond the memory limit go to a temporary file in TMPDIR, or
/// /tmp, that has no name and is gone with the process.
class RowSpool : public RowSource {
 public:
  static constexpr std::size_t kMemory = std::size_t{64} << 20U;  // bytes

  explicit RowSpool(std::size_t memory = kMemory) : memory_(memory) {}

  /// Throws Error if the temporary file cannot be written.
  void add(Row row);
  std::size_t size() const { return size_; }
  /// The rows in the order in which they were added. Throws Error if the file cannot be read.
  std::optional<Row> next() override;
  bool ready() override { return true; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::size_t memory_;
  std::size_t used_ = 0;  // bytes of the rows in memory
  std::size_t size_ = 0;
  std::deque<Row> rows_;
  std::size_t in_file_ = 0;  // rows that were written and not yet read
  std::unique_ptr<std::FILE, Close> file_;
  bool reading_ = false;
};

}  // namespace headlight
