// Keeps rows to read them a second time, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "base/temporary_file.h"
#include "rows/row.h"
#include "rows/row_sources.h"

namespace headlight {

/// Add all rows, then read them. Rows beyond the memory limit go to a temporary file. Throws its
/// errors.
class RowSpool : public RowSource {
 public:
  static constexpr std::size_t kMemory = std::size_t{64} << 20U;  // bytes

  explicit RowSpool(std::size_t memory = kMemory) : memory_(memory) {}

  void add(Row row);
  std::size_t size() const { return size_; }
  /// The rows in the order in which they were added.
  std::optional<Row> next() override;
  bool ready() override { return true; }

 private:
  std::size_t memory_;
  std::size_t used_ = 0;  // bytes of the rows in memory
  std::size_t size_ = 0;
  std::deque<Row> rows_;
  std::unique_ptr<TemporaryFile> file_;
  std::uint64_t read_ = 0;  // bytes of it
};

}  // namespace headlight
