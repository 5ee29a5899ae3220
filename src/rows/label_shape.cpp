#include "rows/label_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/outer_blanks.h"
#include "base/utf8.h"

namespace headlight {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kLiteralBlanks = " ,\t\r\n";
constexpr std::size_t kListedLabelNames = 12;

/// The JSON of a constant of Python, JSON, pandas or a spreadsheet; empty: none.
std::string constant_as_json(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, const char*>, 9> kConstants = {
      {{"True", "true"},
       {"true", "true"},
       {"TRUE", "true"},
       {"False", "false"},
       {"false", "false"},
       {"FALSE", "false"},
       {"None", "null"},
       {"null", "null"},
       {"nan", "null"}}};
  const auto* const found =
      std::ranges::find(kConstants, word, [](const auto& each) { return each.first; });
  return found == kConstants.end() ? "" : found->second;
}

bool is_among(std::string_view text, const Names& words) {
  return std::ranges::find(words, text) != words.end();
}

/// The number that is all of the text.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

[[noreturn]] void refuse_label(const std::string& spelled, const std::string& why) {
  throw TextError("label \"" + shortened(spelled) + "\" " + why);
}

/// The JSON of a text in quotes from `at` on, which then is behind it; empty: none.
std::string quoted_as_json(std::string_view text, std::size_t& at) {
  const char quote = text[at];
  std::string json = "\"";
  while (++at < text.size() && text[at] != quote) {
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    const char c = is_escape ? text[++at] : text[at];
    if (is_escape && c == 'x') {
      json += "\\u00";
    } else {
      if ((is_escape && c != '\'') || c == '"') json += '\\';
      json += c;
    }
  }
  return at++ < text.size() ? json + '"' : "";
}

/// The JSON of a word outside quotes; empty: neither a number nor one of Python's constants.
std::string word_as_json(std::string_view word) {
  if (std::string constant = constant_as_json(word); !constant.empty()) return constant;
  if (!number_in<double>(word) || word.starts_with('.')) return "";
  return std::string(word) + (word.ends_with('.') ? "0" : "");  // NumPy's "1."
}

/// A list, a tuple or a dictionary as Python and NumPy print them, where commas may lack; discarded
/// JSON: another text.
Json read_literal(std::string_view text) {
  std::string json;
  bool is_after_value = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool closes = c == ']' || c == ')' || c == '}';
    const bool is_blank = kLiteralBlanks.find(c) != std::string_view::npos;
    if (is_after_value && !closes && !is_blank && c != ':') json += ',';
    if (!is_blank) is_after_value = closes || (c != '[' && c != '(' && c != '{' && c != ':');
    if (is_blank || closes || !is_after_value) {
      if (!is_blank) json += c == '(' ? '[' : c == ')' ? ']' : c;
      ++at;
      continue;
    }
    std::string value;
    if (c == '\'' || c == '"') {
      value = quoted_as_json(text, at);
    } else {
      const std::size_t end = std::min(text.find_first_of(" ,\t\r\n:[](){}'\"", at), text.size());
      value = word_as_json(text.substr(at, end - at));
      at = end;
    }
    if (value.empty()) return Json(Json::value_t::discarded);
    json += value;
  }
  return Json::parse(json, nullptr, /*allow_exceptions=*/false);
}

/// What a text in brackets says; discarded JSON: it is a name. Throws TextError for what looks like
/// a list or an object of texts and cannot be read.
Json read_brackets(const std::string& spelled) {
  Json name(Json::value_t::discarded);
  if (spelled.size() < 2) return name;
  const std::string ends = {spelled.front(), spelled.back()};
  if (!is_among(ends, {"[]", "{}", "()"})) return name;
  Json json = Json::parse(spelled, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) json = read_literal(spelled);
  const bool has_texts = spelled.find_first_of("'\"") != std::string::npos;
  if (json.is_discarded() && has_texts) {
    refuse_label(spelled, "is in brackets, but is not a list or an object that can be read");
  }
  const bool has_flags = json.is_array() && !json.empty() && json[0].is_boolean();
  return ends == "()" && !has_texts && !has_flags ? name : json;  // "(18, 25)" is a range
}

std::string text_of(const Json& item) {
  return item.is_string() ? item.get<std::string>() : item.dump();
}

bool is_above_half(const std::string& name, const Json& share) {
  const std::string text = share.is_structured() ? "a list" : text_of(share);
  if (const std::string constant = constant_as_json(text);
      constant == "true" || constant == "false") {
    return constant == "true";
  }
  const auto number = number_in<double>(text);
  if (number && *number >= 0.0 && *number <= 1.0) return *number > 0.5;
  throw TextError("label \"" + shortened(name) + "\" has " +
                  (share.is_null() || text.empty() ? "no value" : "the value " + shortened(text)) +
                  "; expected 0 or 1, true or false, or a share from 0 to 1");
}

/// The names whose places have a 1. Throws TextError for other lists than `names` stand for.
Names names_of_flags(const std::string& spelled, const Json& list, const Names& names) {
  if (list.size() != names.size()) {
    refuse_label(spelled, "has " + counted(list.size(), "value") + ", but --label-names has " +
                              counted(names.size(), "name"));
  }
  Names found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_above_half(names[i], list[i])) found.push_back(names[i]);
  }
  return found;
}

Names names_of_list(const std::string& spelled, const Json& list, const LabelShape& shape) {
  Names items;
  for (const Json& item : list) {
    if (item.is_structured() || item.is_null()) {
      refuse_label(spelled, "is not an array of names");
    }
    items.push_back(text_of(item));
  }
  const auto is_name = [&](const std::string& item) { return is_among(item, shape.names); };
  const bool has_names = std::ranges::all_of(items, is_name);
  return shape.names.empty() || has_names ? items : names_of_flags(spelled, list, shape.names);
}

Names split_label(const std::string& spelled, const std::string& separator) {
  Names parts;
  for (std::size_t begin = 0; begin <= spelled.size();) {
    const std::size_t end = std::min(spelled.find(separator, begin), spelled.size());
    parts.emplace_back(without_outer_blanks(std::string_view(spelled).substr(begin, end - begin)));
    begin = end + separator.size();
  }
  std::erase(parts, "");
  return parts;
}

/// The labels of a row; several, or a list of any number of them.
struct ReadLabel {
  Names names;
  bool is_list = true;
  std::string json = {};  // of the list, if it has these names
};

/// Of a text without brackets, where the places of lists have names.
ReadLabel read_named_cell(const std::string& spelled, const Names& names) {
  if (spelled.empty() || is_among(spelled, names)) return {{spelled}, false};
  Names parts = split_label(spelled, "|");
  if (std::ranges::all_of(parts, [&](const auto& part) { return is_among(part, names); })) {
    return {std::move(parts)};
  }
  const auto place = number_in<std::size_t>(spelled);
  if (place && *place < names.size()) return {{names[*place]}, false};
  std::string blanks = spelled;
  const auto separates = [](char c) { return c == ',' || c == ';' || c == '|'; };
  std::ranges::replace_if(blanks, separates, ' ');
  const Json list = split_label(blanks, " ");
  if (list.size() > 1 && std::ranges::all_of(list, is_flag)) {
    return {names_of_flags(spelled, list, names)};
  }
  refuse_label(spelled, "is not one of --label-names: " + listed(names, kListedLabelNames));
}

ReadLabel read_shaped(const std::string& spelled, const LabelShape& shape) {
  Json json = read_brackets(spelled);
  if (json.is_object() && json.contains("choices") && json["choices"].is_array()) {
    json = Json(json["choices"]);  // of Label Studio
  }
  if (json.is_object()) {
    ReadLabel read;
    for (const auto& [name, share] : json.items()) {
      if (is_above_half(name, share)) read.names.push_back(name);
    }
    return read;
  }
  if (json.is_array()) {
    return {names_of_list(spelled, json, shape), true, shape.names.empty() ? json.dump() : ""};
  }
  if (!shape.separator.empty()) return {split_label(spelled, shape.separator)};
  if (!shape.names.empty()) return read_named_cell(spelled, shape.names);
  if (!shape.is_single && !shape.ignored.empty() && spelled.find('|') != std::string::npos)
    return {split_label(spelled, "|")};
  return {{spelled}, false};
}

}  // namespace

bool is_flag(const Json& value) {
  return is_among(text_of(value), {"0", "1", "0.0", "1.0", "false", "true"});
}

std::optional<std::string> label_of_columns(const std::vector<std::string>& names,
                                            const std::vector<std::optional<std::string>>& cells) {
  const auto is_missing = [](const auto& cell) { return !cell || cell->empty(); };
  if (std::ranges::all_of(cells, is_missing)) return std::nullopt;
  std::string object;
  JsonWriter json(object);
  json.begin_object();
  for (std::size_t i = 0; i < cells.size(); ++i) json.field(names[i], cells[i].value_or(""));
  json.end_object();
  return object;
}

void name_tags(const std::vector<std::string>& names, Row& row) {
  if (names.empty() || !row.label) return;
  Json tags = Json::parse(*row.label, nullptr, /*allow_exceptions=*/false);
  if (!tags.is_array()) return;
  for (Json& tag : tags) {
    if (!tag.is_number_unsigned()) continue;
    const auto number = tag.get<std::size_t>();
    if (number >= names.size()) {
      throw TextError("tag " + excerpt(tag) + " has no name in --label-names, which has " +
                      counted(names.size(), "name"));
    }
    tag = names[number];
  }
  row.label = tags.dump();
}

void shape_label(const LabelShape& shape, Row& row) {
  if (!row.label) return;
  auto [names, is_list, json] = read_shaped(*row.label, shape);
  const std::size_t ignored =
      std::erase_if(names, [&](const auto& name) { return is_among(name, shape.ignored); });
  row.has_only_ignored = ignored > 0 && names.empty();
  if (shape.is_single && names.size() > 1) {
    refuse_label(*row.label, "has " + counted(names.size(), "label") +
                                 ", but --single-label expects one in each row");
  }
  if (shape.is_single || !is_list) {
    row.label = names.empty() ? "" : names.front();
  } else if (!json.empty() && ignored == 0) {
    row.label = std::move(json);
  } else {
    JsonWriter(row.label.emplace()).strings(names);
  }
}

}  // namespace headlight
