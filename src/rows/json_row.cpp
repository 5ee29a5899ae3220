#include "rows/json_row.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "rows/label_shape.h"

namespace headlight {
namespace {

bool is_null(const JsonLine::Field* field) {
  return field == nullptr || (field->kind == JsonLine::Kind::scalar && field->text == "null");
}

/// nullopt if the field is absent or null.
std::optional<std::string> string_field(const JsonLine& line, const std::string& name) {
  const JsonLine::Field* field = line.find(name);
  if (is_null(field)) return std::nullopt;
  if (field->kind == JsonLine::Kind::nested && field->text.starts_with('[')) {
    throw TextError("field \"" + name + "\" is not a string but a list; evaluate reads lists of " +
                    "words with a model that labels tokens");
  }
  if (field->kind != JsonLine::Kind::string) {
    throw TextError("field \"" + name + "\" is not a string");
  }
  return field->text;
}

/// A string, or a list of words joined by a blank.
std::optional<std::string> words_field(const JsonLine& line, const std::string& name) {
  const JsonLine::Field* field = line.find(name);
  if (field == nullptr || field->kind != JsonLine::Kind::nested) return string_field(line, name);
  const Json words = Json::parse(field->text, nullptr, /*allow_exceptions=*/false);
  const auto is_word = [](const Json& word) { return word.is_string(); };
  if (!words.is_array() || !std::ranges::all_of(words, is_word)) {
    throw TextError("field \"" + name + "\" is not a list of words");
  }
  std::string text;
  for (const Json& word : words) {
    text += (text.empty() ? "" : " ") + word.get<std::string>();
  }
  return text;
}

/// The first of `names` that the line has, else the first.
std::string first_found(const JsonLine& line, const std::vector<const char*>& names) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const char* name) { return line.find(name) != nullptr; });
  return found == names.end() ? names.front() : *found;
}

/// The fields of a tagged row, with their default names.
RowFields tagged_fields(const JsonLine& line, RowFields fields) {
  if (fields.text.empty()) fields.text = {first_found(line, {"text", "tokens", "words"})};
  const std::string label =
      first_found(line, {"entities", "tags", "ner_tags", "spans", "labels", "label"});
  if (fields.label.empty() && line.find(label) != nullptr) fields.label = {label};
  return fields;
}

void read_id(const JsonLine& line, const RowFields& fields, Row& row) {
  const JsonLine::Field* field = line.find(fields.id.value_or("id"));
  if (field == nullptr) {
    if (fields.id) throw TextError("no field \"" + *fields.id + "\"");
    return;
  }
  if (field->kind == JsonLine::Kind::nested) {
    throw TextError("field \"" + fields.id.value_or("id") + "\" is neither a string nor a number");
  }
  row.id = {field->text, field->kind == JsonLine::Kind::string};
}

std::optional<std::string> label_field(const JsonLine& line, const std::string& name,
                                       bool is_needed) {
  const JsonLine::Field* field = line.find(name);
  if (field == nullptr && is_needed) throw TextError("no field \"" + name + "\"");
  return is_null(field) ? std::nullopt : std::optional(field->text);
}

void read_label(const JsonLine& line, const RowReading& reading, const RowFields& fields,
                Row& row) {
  if (fields.label.size() < 2) {
    const bool is_needed = !fields.label.empty();
    row.label = label_field(line, is_needed ? fields.label.front() : "label", is_needed);
    return;
  }
  std::vector<std::optional<std::string>> cells;
  for (const std::string& name : fields.label) cells.push_back(label_field(line, name, true));
  row.label = label_of_columns(reading.label_names(), cells);
}

}  // namespace

std::vector<std::string> text_fields(const RowReading& reading) {
  if (reading.tagged) return {};
  return reading.fields.text.empty() ? std::vector<std::string>{"text"} : reading.fields.text;
}

bool is_json_row(std::string_view line) {
  std::string fault;
  const JsonLine read(line, fault);
  return fault.empty();
}

void read_id_beside_fault(const JsonLine& line, const RowFields& fields, Row& row) {
  try {
    read_id(line, fields, row);
  } catch (const TextError&) {
    // The row keeps its number.
  }
}

void read_json_row(const JsonLine& line, const RowReading& reading, Row& row) {
  for (const JsonLine::Field& field : line.fields()) {
    if (!reading.keep) break;
    row.kept.push_back({field.name, field.text, field.kind == JsonLine::Kind::string});
  }
  read_id(line, reading.fields, row);
  RowFields tagged;
  if (reading.tagged) tagged = tagged_fields(line, reading.fields);
  const RowFields& fields = reading.tagged ? tagged : reading.fields;
  row.is_empty = true;
  const auto add_text = [&](const std::string& name) {
    const auto text = reading.tagged ? words_field(line, name) : string_field(line, name);
    row.is_empty = row.is_empty && !text;
    row.input.text += text.value_or("");
  };
  if (fields.text.empty()) add_text("text");
  for (std::size_t i = 0; i < fields.text.size(); ++i) {
    if (i > 0) row.input.text += ' ';
    add_text(fields.text[i]);
  }
  if (fields.pair) row.input.pair = string_field(line, *fields.pair);
  read_label(line, reading, fields, row);
}

}  // namespace headlight
