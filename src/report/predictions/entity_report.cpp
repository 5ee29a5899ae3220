#include "report/predictions/entity_report.h"

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

constexpr const char* kLabelColour = "\x1b[36m";
constexpr const char* kPlain = "\x1b[0m";

bool is_blank(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r'; }

std::string shown_part(const std::u32string& text, std::size_t begin, std::size_t end) {
  return printable(to_utf8(std::u32string_view(text).substr(begin, end - begin)));
}

std::string shown_label(const Entity& entity, bool color) {
  const std::string label = printable(entity.label) + " " + percent(entity.probability);
  return color ? kLabelColour + label + kPlain : label;
}

}  // namespace

void write_entities(JsonWriter& json, const TokenLabels& found) {
  json.begin_array();
  for (const Entity& entity : found.entities) {
    json.begin_object().field("label", entity.label);
    if (entity.index) json.field("index", *entity.index);
    json.field("text", entity.text)
        .field("start", entity.offset.begin)
        .field("end", entity.offset.end)
        .field("probability", entity.probability)
        .end_object();
  }
  json.end_array();
}

void write_token_logits(JsonWriter& json, const TokenLabels& found) {
  const std::size_t tokens = found.ids.size();
  const std::size_t classes = tokens == 0 ? 0 : found.logits.size() / tokens;
  json.begin_array();
  for (std::size_t token = 0; token < tokens; ++token) {
    json.begin_array();
    for (std::size_t i = 0; i < classes; ++i) json.number(found.logits[token * classes + i]);
    json.end_array();
  }
  json.end_array();
}

void write_token_ids(JsonWriter& json, const TokenLabels& found) {
  json.begin_array();
  for (const TokenId id : found.ids) json.number(std::size_t{id});
  json.end_array();
}

void write_offsets(JsonWriter& json, const TokenLabels& found) {
  json.begin_array();
  for (const auto& [begin, end] : found.offsets) {
    json.begin_array().number(begin).number(end).end_array();
  }
  json.end_array();
}

std::string marked_text(const std::string& text, const TokenLabels& found, bool color) {
  const std::u32string characters = to_code_points(text);
  std::string marked;
  std::size_t shown = 0;
  for (const Entity& entity : found.entities) {
    std::size_t first = std::max(entity.offset.begin, shown);
    std::size_t last = std::max(entity.offset.end, first);
    while (first < last && is_blank(characters[first])) ++first;
    while (first < last && is_blank(characters[last - 1])) --last;
    marked += shown_part(characters, shown, first) + "[" +
              bold(shown_part(characters, first, last), color) + ": " + shown_label(entity, color) +
              "]";
    shown = last;
  }
  return marked + shown_part(characters, shown, characters.size());
}

}  // namespace headlight
