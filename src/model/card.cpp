#include "model/card.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/outer_blanks.h"
#include "base/utf8.h"

namespace headlight {
namespace {

using ReadFields = std::vector<std::pair<std::string, Json>>;

constexpr std::size_t kLongestCard = std::size_t{1} << 20;
constexpr std::string_view kBorder = "---";

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The first place outside of quotes where `is_there` is true; else the length. Quotes stand at the
/// beginning of a value.
template <typename Predicate>
std::size_t find_unquoted(std::string_view text, const Predicate& is_there) {
  char quote = '\0';
  char before = ',';  // the last one that is not blank
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && is_there(i)) return i;
    const bool is_escape = quote == '"' ? c == '\\' : quote == '\'' && text.substr(i, 2) == "''";
    if (is_escape) {
      ++i;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if ((c == '"' || c == '\'') &&
               std::string_view("[{,:").find(before) != std::string_view::npos) {
      quote = c;
    }
    if (c != ' ') before = c;
  }
  return text.size();
}

std::string without_quotes(std::string_view text) {
  std::string plain = printable(text.substr(1, text.size() - 2));
  for (std::size_t at = 0; (at = plain.find("''", at)) != std::string::npos;) plain.erase(at++, 1);
  return plain;
}

/// A value as it stands in a line: JSON, or plain text without its quotes and its comment, or a
/// list of these.
Json value_of(std::string_view text) {
  const auto begins_comment = [&](std::size_t i) {
    return text[i] == '#' && (i == 0 || text[i - 1] == ' ');
  };
  text = without_outer_blanks(text.substr(0, find_unquoted(text, begins_comment)));
  if (text.empty()) return nullptr;
  if (std::string_view("\"[{").find(text.front()) != std::string_view::npos) {
    try {
      return parse_json(text, "");
    } catch (const Error&) {
      if (text.front() != '[' || text.back() != ']') return printable(text);
    }
    Json list = Json::array();
    for (std::string_view rest = text.substr(1, text.size() - 2); !rest.empty();) {
      const std::size_t end = find_unquoted(rest, [&](std::size_t i) { return rest[i] == ','; });
      const std::string_view item = without_outer_blanks(rest.substr(0, end));
      list.push_back(item.starts_with('[') ? Json(printable(item)) : value_of(item));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return list;
  }
  const bool is_quoted = text.size() > 1 && text.front() == '\'' && text.back() == '\'';
  return is_quoted ? without_quotes(text) : printable(text);
}

std::string text_of(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) {
    std::string text;
    JsonWriter(text, false, 4).number(value.get<double>());
    return text;
  }
  std::vector<std::string> items;
  if (name == "model-index") {
    const Json leaves = value.flatten();
    for (const auto& [path, number] : leaves.items()) {
      const Json::json_pointer metric = Json::json_pointer(path).parent_pointer();
      if (metric.to_string().find("/metrics/") == std::string::npos || !path.ends_with("/value")) {
        continue;
      }
      const Json what = value.at(metric).value("name", Json("a metric"));
      items.push_back(text_of("", what) + ' ' + text_of("", number));
    }
  } else if (value.is_array()) {
    for (const Json& item : value) items.push_back(text_of("", item));
  } else {
    return value.dump();
  }
  return listed(items, items.size());
}

/// The parts of "name: value"; no name if the line is something else.
std::pair<std::string, std::string_view> parts_of(std::string_view line) {
  const std::size_t end = find_unquoted(line, [&](std::size_t i) {
    return line[i] == ':' && (i + 1 == line.size() || line[i + 1] == ' ');
  });
  if (end >= line.size()) return {};
  const Json name = value_of(line.substr(0, end));
  return {name.is_string() ? printable(name.get<std::string>()) : "",
          without_outer_blanks(line.substr(end + 1))};
}

/// Adds the line to the fields, or to the list that the last one begins. False if the last field is
/// something deeper.
bool add_line(std::string_view line, ReadFields& fields) {
  const std::string_view content = without_outer_blanks(line);
  if (content.empty() || content.front() == '#') return true;
  if (content.front() == '-') {
    const std::string_view item = without_outer_blanks(content.substr(1));
    if (fields.empty() || item.empty() || !parts_of(item).first.empty()) return false;
    Json& list = fields.back().second;
    if (!list.is_null() && !list.is_array()) return false;
    list.push_back(value_of(item));
    return true;
  }
  if (line.front() == ' ') return false;
  if (content.starts_with("? ")) {  // a long name, whose value is in the next line
    fields.emplace_back(parts_of(std::string(content.substr(2)) + ':').first, nullptr);
    return true;
  }
  if (content.starts_with(": ") && !fields.empty()) {
    fields.back().second = value_of(content.substr(2));
    return true;
  }
  const auto [name, value] = parts_of(content);
  if (name.empty()) return false;
  fields.emplace_back(name, value_of(value));
  return true;
}

std::string card_in(const std::string& directory) {
  const std::string path = directory + "/README.md";
  if (!std::filesystem::is_regular_file(path)) return {};
  return std::string(MappedFile(path).text().substr(0, kLongestCard));
}

std::vector<CardField> spelled(const ReadFields& fields) {
  std::vector<CardField> card;
  card.reserve(fields.size());
  for (const auto& [name, value] : fields) {
    card.push_back({name, text_of(name, value), value.dump()});
  }
  return card;
}

}  // namespace

std::vector<CardField> read_card(const std::string& directory) {
  const std::string card = card_in(directory);
  std::string_view text = card;
  if (without_outer_blanks(take_line(text)) != kBorder) return {};
  ReadFields fields;
  bool is_deeper = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const bool is_end = without_outer_blanks(line) == kBorder;
    const bool is_field = !is_end && !line.empty() && line.front() != ' ' && line.front() != '-';
    if (is_deeper && (is_end || is_field)) {
      fields.pop_back();
      is_deeper = false;
    }
    if (is_end) return spelled(fields);
    if (!is_deeper) is_deeper = !add_line(line, fields) && !fields.empty();
  }
  return {};
}

std::string read_card_summary(const std::string& directory) {
  const std::string card = card_in(directory);
  std::string_view text = card;
  bool is_field = text.starts_with(kBorder);
  if (is_field) take_line(text);
  std::string summary;
  while (!text.empty()) {
    const std::string_view line = without_outer_blanks(take_line(text));
    if (is_field) {
      is_field = line != kBorder;
    } else if (line.empty() || line.front() == '#' || line.front() == '|') {
      if (!summary.empty()) break;
    } else {
      summary.append(summary.empty() ? "" : " ").append(line);
    }
  }
  std::erase(summary, '`');
  return summary;
}

}  // namespace headlight
