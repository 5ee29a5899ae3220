#include "rows/json_array.h"

#include <algorithm>

namespace headlight {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kBetween = " \t\r\n,[]";

}  // namespace

JsonBeginning json_beginning(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return JsonBeginning::unclear;
  if (bytes[first] == '\n') return JsonBeginning::blank_line;
  if (bytes[first] != '[') return JsonBeginning::lines;
  const std::size_t next = bytes.find_first_not_of(kBlank, first + 1);
  if (next == std::string_view::npos) return JsonBeginning::unclear;
  const bool holds_objects = bytes[next] == '{' || bytes[next] == ']';
  return holds_objects ? JsonBeginning::array : JsonBeginning::lines;
}

std::size_t find_json_element(std::string_view bytes, std::size_t from) {
  return std::min(bytes.find_first_not_of(kBetween, from), bytes.size());
}

std::size_t JsonElementEnd::find(std::string_view bytes, std::size_t from) {
  for (std::size_t i = from; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (in_text_) {
      in_text_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
    } else if (depth_ == 0 && kBetween.find(c) != std::string_view::npos && c != '[') {
      return i;
    } else {
      in_text_ = c == '"';
      if (c == '{' || c == '[') ++depth_;
      if ((c == '}' || c == ']') && depth_ > 0) --depth_;
    }
  }
  return std::string_view::npos;
}

}  // namespace headlight
