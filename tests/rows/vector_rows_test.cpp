#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rows/whole_rows.h"

namespace headlight::vector_rows_test {
namespace {

constexpr std::size_t kHeader = 128;
constexpr std::size_t kWidth = 3;

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

WholeRows found_in(const std::string& file, std::size_t number_size, std::size_t piece) {
  VectorRowFinder finder(kHeader, kWidth, number_size);
  for (std::size_t i = 0; i < file.size(); i += piece) {
    finder.add(std::string_view(file).substr(i, piece));
  }
  return finder.found();
}

TEST_CASE("the rows of a file that ends anywhere are those that are complete, NaN is an error") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string file = std::string(kHeader, 'h') + bytes_of({1, 2, 3}) +
                           bytes_of({nan, nan, nan}) + bytes_of({0, 0, 1});
  for (std::size_t size = 0; size <= file.size(); ++size) {
    CAPTURE(size);
    const std::size_t rows = size < kHeader ? 0 : (size - kHeader) / 12;
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
      const WholeRows found = found_in(file.substr(0, size), sizeof(float), piece);
      CHECK(found.rows == rows);
      CHECK(found.errors == (rows > 1 ? 1 : 0));
      CHECK(found.bytes == (rows == 0 ? 0 : kHeader + 12 * rows));
    }
  }
}

TEST_CASE("after a row that ends with the bits of +0 there are none") {
  const std::string header(kHeader, 'h');
  const std::string row = bytes_of({1, 2, 3});
  const std::string zeros(4096, '\0');
  CHECK(found_in(header + row + bytes_of({0, 0, -0.0F}), sizeof(float), 5).rows == 2);
  for (const std::size_t cut : {0U, 4U, 8U, 12U}) {
    const std::string file = header + row + row.substr(0, cut) + zeros + row;
    CHECK(found_in(file, sizeof(float), 5).rows == (cut == 12 ? 2 : 1));
    CHECK(found_in(file, sizeof(float), 5000).bytes == kHeader + (cut == 12 ? 24 : 12));
  }
}

TEST_CASE("float16 has rows of half the size, and its own NaN") {
  const std::vector<std::uint16_t> halves = {0x7E00, 0x7E00, 0x7E00, 0x7C00, 0x3C00, 0x3C00};
  const std::string file =
      std::string(kHeader, 'h') +
      std::string(reinterpret_cast<const char*>(halves.data()), halves.size() * 2);
  const WholeRows found = found_in(file, sizeof(std::uint16_t), 5);
  CHECK(found.rows == 2);
  CHECK(found.errors == 1);
  CHECK(found.bytes == kHeader + 12);
}

}  // namespace
}  // namespace headlight::vector_rows_test
