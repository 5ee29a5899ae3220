// Arrays as NPY.
#include "report/npy.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight {
namespace {

TEST_CASE("a header says shape and type, and ends with a newline at a multiple of 64 bytes") {
  const std::string begin("\x93NUMPY\x01\x00\x76\x00", 10);
  const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 20, 384), }";
  const std::string header = npy_header(std::array<std::size_t, 3>{3, 20, 384});
  CHECK(header == begin + text + std::string(128 - 10 - text.size() - 1, ' ') + '\n');
  CHECK(npy_header(std::array<std::size_t, 1>{5}).find("'shape': (5,), }") != std::string::npos);
  for (std::size_t size = 1; size < 1'000'000'000'000; size = size * 10 + 1) {
    const std::string longer = npy_header(std::vector<std::size_t>(5, size));
    CHECK(longer.size() % 64 == 0);
    CHECK(longer.back() == '\n');
    const std::size_t length =
        static_cast<unsigned char>(longer[8]) + 256U * static_cast<unsigned char>(longer[9]);
    CHECK(longer.size() == 10 + length);
  }
}

std::string written(const std::vector<std::vector<float>>& matrices, std::size_t n) {
  const TemporaryFolder folder;
  OutputFile file(folder / "a.npy", false);
  write_npy(file.output(), matrices, n);
  file.finish();
  return content_of(folder / "a.npy");
}

TEST_CASE("numbers follow the header, row by row, as float32") {
  const std::string bytes = written({{1, 2, 3, 4}, {5, 6, 7, -0.1F}}, 2);
  const std::string header = npy_header(std::array<std::size_t, 3>{2, 2, 2});
  REQUIRE(bytes.size() == header.size() + 8 * sizeof(float));
  CHECK(bytes.substr(0, header.size()) == header);
  std::vector<float> numbers(8);
  std::memcpy(numbers.data(), bytes.data() + header.size(), 8 * sizeof(float));
  CHECK(numbers == std::vector<float>{1, 2, 3, 4, 5, 6, 7, -0.1F});
  CHECK(written({}, 4) == npy_header(std::array<std::size_t, 3>{0, 4, 0}));
}

TEST_CASE("matrices of two widths are refused") {
  CHECK(error_of([] {
          written({{1, 2}, {1, 2, 3, 4}}, 2);
        }) == "vectors of 1 and of 2 numbers do not fit in one array");
}

}  // namespace
}  // namespace headlight
