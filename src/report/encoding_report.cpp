#include "report/encoding_report.h"

#include <algorithm>

#include "base/utf8.h"

namespace headlight {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

void write_encoding(JsonWriter& json, const Encoding& encoding) {
  json.key("tokens").begin_array();
  for (const auto& token : encoding.tokens) json.string(token);
  json.end_array().key("ids").begin_array();
  for (const TokenId id : encoding.ids) json.number(std::size_t{id});
  json.end_array().key("type_ids").begin_array();
  for (const TokenId type : encoding.type_ids) json.number(std::size_t{type});
  json.end_array().key("offsets").begin_array();
  for (const Offset& offset : encoding.offsets) {
    json.begin_array().number(offset.begin).number(offset.end).end_array();
  }
  json.end_array().key("sequence").begin_array();
  for (const Sequence sequence : encoding.sequences) {
    if (sequence == Sequence::none) {
      json.null();
    } else {
      json.number(std::size_t{sequence == Sequence::second ? 1U : 0U});
    }
  }
  json.end_array();
}

std::string encoding_table(const Encoding& encoding) {
  std::size_t width = 0;
  for (const auto& token : encoding.tokens) width = std::max(width, width_of(printable(token)));
  std::string table;
  for (std::size_t i = 0; i < encoding.size(); ++i) {
    const std::string token = printable(encoding.tokens[i]);
    const std::string id = std::to_string(encoding.ids[i]);
    constexpr std::size_t kIdWidth = 7;
    table += token + std::string(width - width_of(token), ' ') +
             std::string(id.size() < kIdWidth ? kIdWidth - id.size() : 1, ' ') + id;
    if (encoding.sequences[i] != Sequence::none) {
      table += "   " + std::to_string(encoding.offsets[i].begin) + "-" +
               std::to_string(encoding.offsets[i].end);
    }
    table += '\n';
  }
  return table;
}

}  // namespace headlight
