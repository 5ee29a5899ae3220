#include "text/files/json_unigram.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "base/json.h"
#include "text/models/unigram.h"

namespace headlight {
namespace {

/// The number that the reference's JSON reader (serde_json 1, without the feature float_roundtrip)
/// gets from the shortest decimal of `value`. It computes digits and power of ten as doubles, so
/// the quotient can be off by one unit in the last place. We do the same, so that ties between sums
/// are resolved as in the reference.
double as_reference_reads(double value) {
  std::array<char, 32> text{};  // "-1.2345678901234567e-05" at most
  const auto written = std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                                     std::chars_format::scientific);
  std::uint64_t digits = 0;
  int exponent = 0;
  bool is_fraction = false;
  for (const char* at = text.data(); at != written.ptr; ++at) {
    if (*at == 'e') {
      exponent += std::atoi(at + 1);  // only zeros follow the number
      break;
    }
    if (*at == '.') {
      is_fraction = true;
      continue;
    }
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
    exponent -= is_fraction ? 1 : 0;
  }
  constexpr int kLargestExponent = 308;
  auto read = static_cast<double>(digits);
  for (; exponent < -kLargestExponent; exponent += kLargestExponent) read /= 1e308;
  const double power = std::strtod(("1e" + std::to_string(std::abs(exponent))).c_str(), nullptr);
  return std::copysign(exponent < 0 ? read / power : read * power, value);
}

std::vector<Unigram::Piece> read_pieces(Fields& model) {
  const Json& list = model.required("vocab");
  if (!list.is_array()) model.fail("vocab", "a list of pieces with their scores");
  if (list.empty()) model.fail("vocab", "at least one piece");
  std::vector<Unigram::Piece> pieces;
  for (const Json& item : list) {
    const auto fail = [&](const Json& found, const std::string& what) {
      const std::string at = model.path_of("vocab") + "[" + std::to_string(pieces.size()) + "]";
      throw Error(model.where(), at + ": found " + excerpt(found) + ", expected " + what);
    };
    if (!item.is_array() || item.size() != 2) fail(item, "a piece and its score");
    if (!item[0].is_string()) fail(item[0], "a string, the piece");
    if (!item[1].is_number()) fail(item[1], "a number, the score");
    pieces.push_back({item[0].get<std::string>(), as_reference_reads(item[1].get<double>())});
  }
  return pieces;
}

}  // namespace

std::unique_ptr<const WordModel> read_unigram(Fields& model) {
  const std::vector<Unigram::Piece> pieces = read_pieces(model);
  std::optional<TokenId> unk_id;
  if (model.find_value("unk_id") != nullptr) {
    unk_id = static_cast<TokenId>(model.required_size("unk_id", 0, pieces.size() - 1));
  }
  return std::make_unique<Unigram>(pieces, unk_id, model.flag_or("byte_fallback", false));
}

}  // namespace headlight
