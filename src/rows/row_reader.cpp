#include "rows/row_reader.h"

#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "rows/json_line.h"

namespace headlight {
namespace {

std::string string_field(const JsonLine& line, const std::string& name) {
  const JsonLine::Field* field = line.find(name);
  if (field == nullptr) throw TextError("no field \"" + name + "\"");
  if (field->kind != JsonLine::Kind::string) {
    throw TextError("field \"" + name + "\" is not a string");
  }
  return field->text;
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

void read_label(const JsonLine& line, const RowFields& fields, Row& row) {
  const std::string name = fields.label.value_or("label");
  const JsonLine::Field* field = line.find(name);
  if (field == nullptr && fields.label) throw TextError("no field \"" + name + "\"");
  if (field == nullptr) return;
  if (field->kind != JsonLine::Kind::nested || !field->text.empty()) {
    row.label = field->text;
  } else if (fields.label) {
    throw TextError("field \"" + name + "\" is neither a label nor an array of labels");
  }
}

void read_json_row(const std::string& text, const RowFields& fields, Row& row) {
  const JsonLine line(text);
  read_id(line, fields, row);
  if (fields.text.empty()) row.input.text = string_field(line, "text");
  for (std::size_t i = 0; i < fields.text.size(); ++i) {
    if (i > 0) row.input.text += ' ';
    row.input.text += string_field(line, fields.text[i]);
  }
  if (fields.pair) row.input.pair = string_field(line, *fields.pair);
  read_label(line, fields, row);
}

}  // namespace

RowFormat row_format_of(const std::string& path) {
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson")) return RowFormat::jsonl;
  for (const char* ending : {".csv", ".tsv", ".gz", ".zst"}) {
    if (path.ends_with(ending)) {
      throw Error(path, "is not a text file or JSONL by its ending",
                  "--input-format text takes each line as a text");
    }
  }
  return RowFormat::text;
}

RowReader::RowReader(LineReader& lines, RowFormat format, RowFields fields)
    : lines_(lines), format_(format), fields_(std::move(fields)) {}

std::optional<Row> RowReader::next() {
  std::string line;
  const LineReader::Status status = lines_.next(line);
  if (status == LineReader::Status::end) return std::nullopt;
  Row row;
  row.id.text = std::to_string(number_++);
  try {
    if (status == LineReader::Status::too_long) {
      throw TextError("the line is longer than " + std::to_string(LineReader::kLongestLine) +
                      " bytes");
    }
    if (const auto bad = find_bad_utf8(line)) {
      throw TextError("not valid UTF-8 at byte " + std::to_string(*bad));
    }
    if (format_ == RowFormat::text) {
      row.input.text = std::move(line);
    } else {
      read_json_row(line, fields_, row);
    }
  } catch (const TextError& error) {
    row.error = error.line();
  }
  return row;
}

}  // namespace headlight
