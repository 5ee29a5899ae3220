#include "rows/row.h"

#include "rows/json_line.h"

namespace headlight {

std::optional<KeptField> kept_field(const Row& row, const std::string& name) {
  for (const KeptField& field : row.kept) {
    if (field.name == name) return field;
  }
  for (const KeptField& field : row.kept) {
    const bool is_path = name.starts_with(field.name + '.');
    if (!is_path || field.is_string || !field.text || !field.text->starts_with('{')) continue;
    const JsonLine nested(*field.text);
    if (const auto* inner = nested.find(std::string_view(name).substr(field.name.size() + 1))) {
      return KeptField{name, inner->text, inner->kind == JsonLine::Kind::string};
    }
  }
  return std::nullopt;
}

std::string name_of(const Row& row) {
  if (row.line == 0) return row.id.text;
  const std::string number = std::to_string(row.number);
  const std::string numbered = row.id.text == number ? "" : "row " + number + ", ";
  const std::string file = row.file.empty() ? "" : row.file + ", ";
  return row.id.text + " (" + numbered + file + "line " + std::to_string(row.line) + ")";
}

std::size_t bytes_of(const Row& row) {
  std::size_t bytes = row.input.text.size();
  if (row.input.pair) bytes += row.input.pair->size();
  if (row.input.ids) bytes += row.input.ids->ids.size() * (2 * sizeof(TokenId) + sizeof(Offset));
  for (const KeptField& field : row.kept) bytes += field.text ? field.text->size() : 0;
  return bytes;
}

}  // namespace headlight
