#include "report/predictions/vector_writer.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::vector_writer_test {
namespace {

ScoredRow<EmbeddedText> row_of(const std::vector<float>& vector, const std::string& error = "") {
  ScoredRow<EmbeddedText> scored;
  scored.row.id = {"a \u00e9", true};
  scored.result.vector = vector;
  if (error.empty()) {
    scored.result.tokens = 9;
  } else {
    scored.result.error = error;
  }
  return scored;
}

template <typename Number>
std::vector<Number> numbers_in(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TEST_CASE("a line of JSON has the fields of the contract, in its order") {
  const VectorLines lines(/*ascii=*/false);
  ScoredRow<EmbeddedText> scored = row_of({0.1F, -0.0F, 3.0F});
  CHECK(lines.row(scored) == "{\"id\":\"a \u00e9\",\"vector\":[0.1,-0,3],\"tokens\":9}\n");
  scored.result.truncated = 4;
  CHECK(lines.row(scored).find("\"tokens\":9,\"truncated\":4}") != std::string::npos);
  scored.result.truncated = 0;
  scored.result.windows = 3;
  CHECK(lines.row(scored).find("\"tokens\":9,\"windows\":3}") != std::string::npos);
  CHECK(lines.row(row_of({}, "too long")) == "{\"id\":\"a \u00e9\",\"error\":\"too long\"}\n");
  CHECK(VectorLines(/*ascii=*/true).row(scored).starts_with("{\"id\":\"a \\u00e9\""));
  CHECK(lines.header() + lines.final_header(7) == "");
}

TEST_CASE("the header of an array has the same size for any number of rows") {
  for (const std::size_t width : {std::size_t{1}, std::size_t{384}, std::size_t{1} << 31U}) {
    for (const bool is_half : {false, true}) {
      const VectorArray array(width, is_half);
      CHECK(array.header().size() == VectorArray::kHeaderSize);
      const std::string last = array.final_header(SIZE_MAX);
      CHECK(last.size() == VectorArray::kHeaderSize);
      CHECK(last.find(is_half ? "'<f2'" : "'<f4'") != std::string::npos);
      CHECK(last.find("(18446744073709551615, " + std::to_string(width) + ")") !=
            std::string::npos);
    }
  }
}

TEST_CASE("a row of an array is its numbers, or NaN for an error") {
  const VectorArray whole(2, /*is_half=*/false);
  CHECK(numbers_in<float>(whole.row(row_of({0.5F, -1.0F}))) == std::vector<float>{0.5F, -1.0F});
  for (const float number : numbers_in<float>(whole.row(row_of({}, "bad")))) {
    CHECK(std::isnan(number));
  }
  CHECK(whole.row(row_of({}, "bad")).size() == 8);
  CHECK(std::signbit(numbers_in<float>(whole.row(row_of({0.0F, 0.0F})))[1]));
  const VectorArray half(2, /*is_half=*/true);
  using Halves = std::vector<std::uint16_t>;
  CHECK(numbers_in<std::uint16_t>(half.row(row_of({0.5F, -1.0F}))) == Halves{0x3800, 0xBC00});
  CHECK(numbers_in<std::uint16_t>(half.row(row_of({1.0F, 1e-9F}))) == Halves{0x3C00, 0x8000});
  CHECK(numbers_in<std::uint16_t>(half.row(row_of({}, "bad"))) == Halves{0x7E00, 0x7E00});
}

}  // namespace
}  // namespace headlight::vector_writer_test
