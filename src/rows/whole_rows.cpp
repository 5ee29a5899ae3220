#include "rows/whole_rows.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/utf8.h"
#include "rows/json_line.h"

namespace headlight {
namespace {

// Output rows are never longer: twice the longest input line with every byte escaped.
constexpr std::size_t kLongestRecord = std::size_t{256} * 1024 * 1024;

bool is_nan(std::string_view number) {
  if (number.size() == sizeof(std::uint16_t)) {
    std::uint16_t half = 0;
    std::memcpy(&half, number.data(), sizeof half);
    return (half & 0x7FFFU) > 0x7C00U;
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, number.data(), sizeof bits);
  return (bits & 0x7FFFFFFFU) > 0x7F800000U;
}

}  // namespace

void WholeRowFinder::add(std::string_view bytes) {
  if (damaged_) return;
  // A power failure leaves zeros. A text in a table may contain one; its row is scored again.
  const std::size_t zero = bytes.find('\0');
  pending_ += bytes.substr(0, zero);
  std::size_t begin = 0;
  while (!damaged_) {
    const std::size_t end = end_of_record();
    if (end == std::string::npos) break;
    const std::string_view record = std::string_view(pending_).substr(begin, end - begin);
    damaged_ = !take_record(record);
    taken_ += record.size() + 1;
    if (!damaged_ && found_.rows > 0) found_.bytes = taken_;
    begin = end + 1;
    searched_ = begin;
    csv_end_.begin();
  }
  pending_.erase(0, begin);
  searched_ -= begin;
  damaged_ = damaged_ || zero != std::string_view::npos || pending_.size() > kLongestRecord;
}

std::size_t WholeRowFinder::end_of_record() {
  const std::size_t end = shape_.format == RowFormat::csv ? csv_end_.find(pending_, searched_)
                                                          : pending_.find('\n', searched_);
  searched_ = end == std::string::npos ? pending_.size() : end;
  return end;
}

bool WholeRowFinder::take_record(std::string_view record) {
  if (found_.rows == most_ || find_bad_utf8(record)) return false;
  try {
    if (shape_.format == RowFormat::fasttext) return take_line(record);
    return is_table(shape_.format) ? take_cells(record) : take_json(record);
  } catch (const TextError&) {
    return false;
  }
}

bool WholeRowFinder::take_json(std::string_view line) {
  const bool is_list = shape_.format == RowFormat::hf && line.starts_with('[');
  const JsonLine row(is_list ? "{\"\":" + std::string(line) + '}' : std::string(line));
  ++found_.rows;
  if (row.find(shape_.error) != nullptr) ++found_.errors;
  return true;
}

bool WholeRowFinder::take_line(std::string_view line) {
  ++found_.rows;
  if (line.starts_with(shape_.error)) ++found_.errors;
  return true;
}

bool WholeRowFinder::take_cells(std::string_view record) {
  const std::vector<Cell> cells = shape_.format == RowFormat::csv ? split_csv(record, shape_.null)
                                                                  : split_tsv(record, shape_.null);
  const bool first = columns_ == 0;
  if (first) columns_ = cells.size();
  if (cells.size() != columns_) return false;
  if (first && shape_.header) return true;
  ++found_.rows;
  if (cells.back() && !cells.back()->empty()) ++found_.errors;
  return true;
}

void VectorRowFinder::add(std::string_view bytes) {
  if (damaged_) return;
  const std::size_t header = std::min(bytes.size(), header_size_ - header_);
  header_ += header;
  pending_ += bytes.substr(header);
  std::size_t begin = 0;
  while (!damaged_ && pending_.size() - begin >= row_size_) {
    take_row(std::string_view(pending_).substr(begin, row_size_));
    begin += row_size_;
  }
  pending_.erase(0, begin);
}

void VectorRowFinder::take_row(std::string_view row) {
  const std::string_view last = row.substr(row.size() - number_size_);
  damaged_ = last.find_first_not_of('\0') == std::string_view::npos;
  if (damaged_) return;
  ++found_.rows;
  if (is_nan(row.substr(0, number_size_))) ++found_.errors;
  found_.bytes = header_size_ + found_.rows * row_size_;
}

}  // namespace headlight
