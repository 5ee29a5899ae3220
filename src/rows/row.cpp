#include "rows/row.h"

namespace headlight {

std::string name_of(const Row& row) {
  if (row.line == 0) return row.id.text;
  return row.id.text + " (line " + std::to_string(row.line) + ")";
}

std::size_t bytes_of(const Row& row) {
  std::size_t bytes = row.input.text.size();
  if (row.input.pair) bytes += row.input.pair->size();
  if (row.input.ids) bytes += row.input.ids->ids.size() * (2 * sizeof(TokenId) + sizeof(Offset));
  for (const KeptField& field : row.kept) bytes += field.text ? field.text->size() : 0;
  return bytes;
}

}  // namespace headlight
