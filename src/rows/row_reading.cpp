#include "rows/row_reading.h"

#include <string_view>

#include "base/compression.h"

namespace headlight {

RowFormat row_format_of(const std::string& path) {
  const std::string_view name = without_compression(path);
  if (name.ends_with(".csv")) return RowFormat::csv;
  if (name.ends_with(".tsv")) return RowFormat::tsv;
  for (const std::string_view ending : {".jsonl", ".ndjson", ".json"}) {
    if (name.ends_with(ending)) return RowFormat::jsonl;
  }
  return RowFormat::text;
}

}  // namespace headlight
