#include "rows/vector_rows.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace headlight {
namespace {

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
