#include "training/rows/teacher_vectors.h"

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

/// An NPY file of version `major`.0 with this header before 24 bytes of numbers.
std::string file_of(std::string header, int major = 1, std::size_t length = 0) {
  const std::size_t width = major == 1 ? 2 : 4;
  header.append((64 - (9 + width + header.size()) % 64) % 64, ' ');
  header += '\n';
  if (length == 0) length = header.size();
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(major), '\0'};
  for (std::size_t i = 0; i < width; ++i) file += static_cast<char>(length >> 8 * i & 0xFFU);
  return file + header + std::string(24, '\0');
}

TEST_CASE("the header of an NPY file is parsed, whatever the order of its keys") {
  const TemporaryFolder folder;
  const std::string rows[] = {
      file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"),
      file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 2),
      file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 3),
      file_of("{'shape':(2,3,),'fortran_order':False,'descr':'<f4'}"),
      file_of(" { 'shape' : ( 2 , 3 ) , 'fortran_order' : False , 'descr' : '<f4' } "),
  };
  for (const std::string& content : rows) {
    folder.write("a.npy", content);
    const TeacherVectors file(folder / "a.npy");
    CHECK(file.rows().rows == 2);
    CHECK(file.rows().cols == 3);
  }
}

TEST_CASE("other files and arrays are refused, with the field of the header") {
  const TemporaryFolder folder;
  const std::string whole = file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
  const std::string begin = "{'descr': '<f4', 'fortran_order': False, ";
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  struct Row {
    std::string content, expected;
  };
  const Row rows[] = {
      {"hello", "is not an NPY file"},
      {file_of("{}", 4), "has NPY version 4.0, expected 1.0, 2.0 or 3.0"},
      {file_of("{}", 0), "has NPY version 0.0"},
      {whole.substr(0, 40), "has an NPY header of 118 bytes, expected at most 30"},
      {file_of("{}", 2, 0xFFFFFFFF), "header of 4294967295 bytes, expected at most 76"},
      {file_of(std::string(11000, ' ')), "header of 11062 bytes, expected at most 10000"},
      {file_of("{}", 1, 60), "has numbers from byte 70, expected a multiple of 4"},
      {whole.substr(0, whole.size() - 4), "has 20 bytes of numbers, expected 2 x 3"},
      {whole + "1234", "has 28 bytes of numbers, expected 2 x 3"},
      {file_of(begin + "'shape': (2147483647, 2147483647)}"), "has 24 bytes of numbers"},
      {file_of(begin + "'shape': (6, 0)}"), "has 24 bytes of numbers, expected 6 x 0"},
      {npy_array(std::array<std::size_t, 1>{6}, numbers),
       "shape: found a list of 1, expected rows and columns"},
      {npy_array(std::array<std::size_t, 3>{1, 2, 3}, numbers),
       "shape: found a list of 3, expected"},
      {file_of(begin + "'shape': (99999999999999999999, 3)}"), "shape[0]: found 1e+20"},
      {file_of(begin + "'shape': (-2, 3)}"), "shape[0]: found -2, expected"},
      {file_of(begin + "'shape': '(2, 3)'}"), "shape: found \"(2, 3)\", expected"},
      {npy_array(std::vector<std::size_t>{1, 2}), "descr: found \"<i8\", expected \"<f4\""},
      {file_of("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}"),
       "descr: found \">f4\", expected \"<f4\", which is float32"},
      {file_of("{'descr': '<F4', 'fortran_order': False, 'shape': (2, 3)}"),
       "descr: found \"<F4\", expected"},
      {file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}"),
       "descr: found a list of 1, expected a string"},
      {file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}"),
       "fortran_order: found true, expected false"},
      {file_of(begin + "}"), "shape: missing"},
      {file_of("{}"), "descr: missing"},
      {file_of("{'descr': '<f4', 'shape': (2, 3)}"), "fortran_order: missing"},
      {file_of(begin + "'shape': (2, 3), 'more': 1}"), "more"},
      {file_of("# '<f4' 'fortran_order': False 'shape': (2, 3)"), "expected a dictionary"},
      {file_of("{'note': \"'descr': '<f4', 'shape': (2, 3)\", 'fortran_order': False}"),
       "expected a dictionary"},
      {file_of("{'note': ''descr': '<f4'', 'shape': (2, 3)}"), "expected a dictionary"},
      {file_of("{'note': 'descr: <f4 shape: (2, 3)', 'fortran_order': False}"), "descr: missing"},
      {file_of(begin + "'shape': (2, 3)} + 1"), "expected a dictionary"},
      {file_of(begin + "'shape': (2, 3)"), "expected a dictionary"},
      {file_of("{'descr"), "expected a dictionary"},
      {file_of(std::string(5000, '(')), "expected a dictionary"},
  };
  for (const Row& row : rows) {
    folder.write("a.npy", row.content);
    const std::string error = error_of([&] { TeacherVectors(folder / "a.npy"); });
    CAPTURE(error);
    CAPTURE(row.expected);
    CHECK(error.starts_with((folder / "a.npy") + ": "));
    CHECK(error.find(row.expected) != std::string::npos);
    CHECK(error.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace headlight::teacher_vectors_test
