#include "fasttext/table.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headlight {
namespace {

float number_at(const std::byte* numbers, std::size_t i) {
  float number = 0.0F;
  std::memcpy(&number, numbers + i * sizeof(float), sizeof(float));
  return number;
}

}  // namespace

FasttextTable::FasttextTable(FileBytes& bytes, bool is_quantised, std::size_t width,
                             const char* name)
    : width_(width) {
  const bool has_norms = is_quantised && bytes.number<std::uint8_t>(name) != 0;
  const auto rows = bytes.number<std::int64_t>(name);
  const auto columns = bytes.number<std::int64_t>(name);
  const std::string place = std::string("the ") + name;
  bytes.require(rows >= 0 && rows <= UINT32_MAX && columns >= 0 &&
                    static_cast<std::uint64_t>(columns) == width,
                place + " has " + std::to_string(rows) + " rows of " + std::to_string(columns) +
                    " numbers, expected " + std::to_string(width) + " numbers");
  rows_ = static_cast<std::size_t>(rows);
  if (!is_quantised) {
    numbers_ = bytes.many(rows_, width_ * sizeof(float), name);
    return;
  }
  const auto codes = bytes.number<std::int32_t>(name);
  const auto take = [&](std::uint64_t count) {
    return reinterpret_cast<const std::uint8_t*>(bytes.many(count, 1, name));
  };
  codes_ = take(static_cast<std::uint64_t>(codes < 0 ? INT64_MAX : codes));
  quantiser_ = read_quantiser(bytes, width_, name);
  bytes.require(static_cast<std::uint64_t>(codes) == std::uint64_t{rows_} * quantiser_.parts,
                place + " has " + std::to_string(codes) + " codes, expected " +
                    std::to_string(quantiser_.parts) + " for each of " + std::to_string(rows) +
                    " rows");
  if (!has_norms) return;
  norms_ = take(rows_);
  of_norms_ = read_quantiser(bytes, 1, name);
}

FasttextQuantiser FasttextTable::read_quantiser(FileBytes& bytes, std::size_t width,
                                                const char* name) const {
  constexpr std::size_t kCentroids = 256;
  const auto dim = bytes.number<std::int32_t>(name);
  const auto parts = bytes.number<std::int32_t>(name);
  const auto size = bytes.number<std::int32_t>(name);
  const auto last = bytes.number<std::int32_t>(name);
  const auto d = static_cast<std::int64_t>(width);
  const bool fits = dim == d && parts > 0 && size > 0 && last > 0 && last <= size &&
                    (std::int64_t{parts} - 1) * size + last == d;
  bytes.require(fits, std::string("the quantiser of the ") + name + " has " +
                          std::to_string(parts) + " parts of " + std::to_string(size) +
                          " numbers, the last of " + std::to_string(last) + ", expected " +
                          std::to_string(d) + " numbers in all");
  FasttextQuantiser found;
  found.parts = static_cast<std::size_t>(parts);
  found.size = static_cast<std::size_t>(size);
  found.last = static_cast<std::size_t>(last);
  const std::byte* const numbers = bytes.many(width * kCentroids, sizeof(float), name);
  found.centroids.resize(width * kCentroids);
  std::memcpy(found.centroids.data(), numbers, found.centroids.size() * sizeof(float));
  bytes.require(std::ranges::all_of(found.centroids, [](float x) { return std::isfinite(x); }),
                std::string("the quantiser of the ") + name + " has a number that is not finite");
  return found;
}

float FasttextTable::norm_of(std::size_t row) const {
  return norms_ == nullptr ? 1.0F : *of_norms_.centroid(0, norms_[row]);
}

void FasttextTable::add_row(std::size_t row, float* x) const {
  if (codes_ == nullptr) {
    const std::byte* const numbers = numbers_ + row * width_ * sizeof(float);
    for (std::size_t i = 0; i < width_; ++i) x[i] += number_at(numbers, i);
    return;
  }
  const std::uint8_t* const codes = codes_ + row * quantiser_.parts;
  const float norm = norm_of(row);
  std::size_t part = 0;
  if (quantiser_.size == 2) {  // as almost all are
    for (; part + 1 < quantiser_.parts; ++part) {
      const float* const centroid = quantiser_.centroid(part, codes[part]);
      x[2 * part] += norm * centroid[0];
      x[2 * part + 1] += norm * centroid[1];
    }
  }
  for (; part < quantiser_.parts; ++part) {
    const float* const centroid = quantiser_.centroid(part, codes[part]);
    float* const out = x + part * quantiser_.size;
    for (std::size_t i = 0; i < quantiser_.size_of(part); ++i) out[i] += norm * centroid[i];
  }
}

float FasttextTable::dot(std::size_t row, const float* x) const {
  float sum = 0.0F;
  if (codes_ == nullptr) {
    const std::byte* const numbers = numbers_ + row * width_ * sizeof(float);
    for (std::size_t i = 0; i < width_; ++i) sum += number_at(numbers, i) * x[i];
    return sum;
  }
  const std::uint8_t* const codes = codes_ + row * quantiser_.parts;
  for (std::size_t part = 0; part < quantiser_.parts; ++part) {
    const float* const centroid = quantiser_.centroid(part, codes[part]);
    const float* const own = x + part * quantiser_.size;
    for (std::size_t i = 0; i < quantiser_.size_of(part); ++i) sum += own[i] * centroid[i];
  }
  return sum * norm_of(row);
}

}  // namespace headlight
