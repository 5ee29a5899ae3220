#include "training/teacher_vectors.h"

#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "report/formats/npy.h"

namespace headlight::teacher_vectors_test {
namespace {

TEST_CASE("a matrix is read as it was written") {
  const TemporaryFolder folder;
  const std::array<std::size_t, 2> shape = {2, 3};
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6.5F};
  folder.write("a.npy", npy_array(shape, numbers));
  const TeacherVectors file(folder / "a.npy");
  REQUIRE(file.rows().rows == 2);
  REQUIRE(file.rows().cols == 3);
  CHECK(file.rows().row(1)[2] == 6.5F);
  CHECK(file.rows().row(0)[1] == 2.0F);
}

TEST_CASE("other files and arrays are refused") {
  const TemporaryFolder folder;
  const std::array<std::size_t, 2> shape = {2, 3};
  const std::array<std::size_t, 1> flat = {6};
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const std::string whole = npy_array(shape, numbers);
  std::string by_columns = whole;
  by_columns.replace(by_columns.find("False"), 5, "True ");
  std::string doubles = whole;
  doubles.replace(doubles.find("<f4"), 3, "<f8");
  struct Row {
    std::string content, expected;
  };
  const Row rows[] = {
      {"hello", "is not an NPY file"},
      {whole.substr(0, 40), "exceeds the file"},
      {whole.substr(0, whole.size() - 4), "has 20 bytes of numbers, expected 2 x 3"},
      {whole + "1234", "has 28 bytes of numbers, expected 2 x 3"},
      {npy_array(flat, numbers), "expected a matrix of float32"},
      {npy_array(std::vector<std::size_t>{1, 2}), "expected a matrix of float32"},
      {by_columns, "expected a matrix of float32"},
      {doubles, "expected a matrix of float32"},
  };
  for (const Row& row : rows) {
    folder.write("a.npy", row.content);
    const std::string error = error_of([&] { TeacherVectors(folder / "a.npy"); });
    CAPTURE(error);
    CHECK(error.find(row.expected) != std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::teacher_vectors_test
