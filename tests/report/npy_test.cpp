// Arrays as NPY, and several as NPZ.
#include "report/formats/npy.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace headlight::npy_test {
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
        }) == "vectors of 1 and 2 numbers cannot be stored in one array");
}

TEST_CASE("whole numbers are int64, and texts code points that end in zeros") {
  const std::string numbers = npy_array(std::vector<std::size_t>{1, 258});
  CHECK(numbers.find("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }") !=
        std::string::npos);
  CHECK(numbers.substr(numbers.size() - 16) == std::string("\1\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0", 16));
  const std::string texts = npy_array(std::vector<std::string>{"é😀", "b"});
  CHECK(texts.find("{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }") !=
        std::string::npos);
  CHECK(texts.substr(texts.size() - 16) == std::string("\xe9\0\0\0\0\xf6\1\0b\0\0\0\0\0\0\0", 16));
  CHECK(npy_array(std::vector<std::string>{}).find("'<U1'") != std::string::npos);
}

TEST_CASE("an archive holds its files stored, with their checksums, and a directory of them") {
  const TemporaryFolder folder;
  OutputFile file(folder / "a.npz", false);
  NpzWriter npz([&](const std::string& bytes) { file.output().write(bytes); });
  npz.add("a", "123456789");
  npz.add("bb", "");
  npz.finish();
  file.finish();
  // The CRC-32 of "123456789" is CBF43926 (its check value), that of nothing 0.
  const auto entry = [](const std::string& crc, char size, char name) {
    return std::string("\x14\0\0\0\0\0\0\0\x21\0", 10) + crc + size + std::string(3, '\0') + size +
           std::string(3, '\0') + name + std::string(3, '\0');
  };
  const std::string zero(4, '\0');
  const std::string first = entry("\x26\x39\xF4\xCB", 9, 5);
  const std::string second = entry(zero, 0, 6);
  const std::string version("\x14\0", 2);
  const std::string attributes(10, '\0');
  const std::string content = "PK\3\4" + first + "a.npy123456789PK\3\4" + second + "bb.npy";
  const std::string directory = "PK\1\2" + version + first + attributes + zero + "a.npyPK\1\2" +
                                version + second + attributes + std::string("\x2C\0\0\0", 4) +
                                "bb.npy";
  const std::string end = std::string("PK\5\6\0\0\0\0\2\0\2\0", 12) +
                          static_cast<char>(directory.size()) + std::string(3, '\0') +
                          static_cast<char>(content.size()) + std::string(5, '\0');
  CHECK(content_of(folder / "a.npz") == content + directory + end);
}

}  // namespace
}  // namespace headlight::npy_test
