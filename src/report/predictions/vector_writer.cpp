#include "report/predictions/vector_writer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/json_writer.h"
#include "math/number_format.h"
#include "report/formats/npy.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

std::string VectorLines::row(const ScoredRow<EmbeddedText>& scored) const {
  const EmbeddedText& text = scored.result;
  std::string line;
  JsonWriter json(line, ascii_);
  json.begin_object().key("id");
  write_id(json, scored.row.id);
  if (text.error.empty()) {
    json.key("vector").begin_array();
    for (const float number : text.vector) json.number(number);
    write_tokens(json.end_array(), text);
    if (text.truncated > 0) json.field("truncated", text.truncated);
    if (text.windows > 1) json.field("windows", text.windows);
  } else {
    json.field("error", text.error);
  }
  json.end_object();
  return line + '\n';
}

std::string VectorArray::final_header(std::size_t rows) const {
  return npy_header(std::array{rows, width_}, is_half_ ? "<f2" : "<f4");
}

std::string VectorArray::row(const ScoredRow<EmbeddedText>& scored) const {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> numbers = scored.result.vector;
  if (!scored.result.error.empty()) numbers.assign(width_, kNaN);
  if (!is_half_) {
    if (numbers.back() == 0.0F) numbers.back() = -0.0F;
    return npy_numbers(numbers);
  }
  constexpr std::uint16_t kMinusZero = 0x8000U;
  std::vector<std::uint16_t> halves(numbers.size());
  std::transform(numbers.begin(), numbers.end(), halves.begin(), to_half);
  if (halves.back() == 0) halves.back() = kMinusZero;
  return {reinterpret_cast<const char*>(halves.data()), halves.size() * sizeof(std::uint16_t)};
}

}  // namespace headlight
