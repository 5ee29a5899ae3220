#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "text/files/json_bpe.h"
#include "text/files/json_vocabulary.h"
#include "text/files/tokenizer_json_parts.h"
#include "text/models/unigram.h"

namespace headlight {
namespace {

/// Files of older releases do not name the type. The fields determine it.
std::string type_of(Fields& fields) {
  if (fields.find("type") != nullptr) return fields.required_string("type");
  if (fields.find("merges") != nullptr) return "BPE";
  const Json* vocabulary = fields.find("vocab");
  if (vocabulary != nullptr && vocabulary->is_array()) return "Unigram";
  return fields.find("continuing_subword_prefix") != nullptr ? "WordPiece" : "WordLevel";
}

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

std::unique_ptr<const WordModel> read_unigram(Fields& model) {
  const std::vector<Unigram::Piece> pieces = read_pieces(model);
  std::optional<TokenId> unk_id;
  if (model.find_value("unk_id") != nullptr) {
    unk_id = static_cast<TokenId>(model.required_size("unk_id", 0, pieces.size() - 1));
  }
  return std::make_unique<Unigram>(pieces, unk_id, model.flag_or("byte_fallback", false));
}

}  // namespace

std::unique_ptr<const WordModel> read_model(const Component& component,
                                            std::optional<Vocabulary> vocabulary) {
  Fields fields = component.fields();
  const std::string type = type_of(fields);
  if (type == "BPE") return read_bpe(fields, std::move(vocabulary));
  if (type == "Unigram") return read_unigram(fields);
  if (type != "WordPiece" && type != "WordLevel") {
    refuse_type(fields, type, "WordPiece, WordLevel, BPE and Unigram");
  }
  if (!vocabulary) {
    vocabulary = read_token_ids(fields.required("vocab"), fields.where(), fields.path_of("vocab"));
  }
  if (type == "WordLevel") {
    auto unk_token = fields.nullable_string_or("unk_token", "<unk>");
    return std::make_unique<WordLevel>(std::move(*vocabulary), std::move(unk_token));
  }
  auto unk_token = fields.nullable_string_or("unk_token", "[UNK]");
  const std::string continuation = fields.string_or("continuing_subword_prefix", "##");
  const std::size_t longest_word = fields.size_or("max_input_chars_per_word", 100, 0);
  return std::make_unique<WordPiece>(std::move(*vocabulary), std::move(unk_token), continuation,
                                     longest_word);
}

}  // namespace headlight
