#include "rows/json_cure.h"

#include <algorithm>

#include "base/outer_blanks.h"
#include "rows/json_line.h"
#include "rows/json_row.h"

namespace headlight {
namespace {

std::string making_jsonl(const std::string& command, const std::string& file) {
  return command + (file == "-" ? "" : ' ' + file) + " makes JSONL of it";
}

/// Whether each field is an object with the cells of a column by the numbers of their rows.
bool has_columns(std::string_view line) {
  std::string fault;
  const JsonLine read(line, fault);
  return fault.empty() && !read.fields().empty() &&
         std::ranges::all_of(read.fields(), [](const JsonLine::Field& field) {
           return field.kind == JsonLine::Kind::nested && field.text.starts_with("{\"0\"");
         });
}

}  // namespace

std::string json_cure(std::string_view line, const std::string& file) {
  line = without_outer_blanks(line);
  if (line.starts_with('"')) return making_jsonl("jq -c '{text: .}'", file);
  if (line.starts_with("[\"")) return making_jsonl("jq -c '.[] | {text: .}'", file);
  if (!line.starts_with('{')) return "";
  if (line.find('\r') != std::string_view::npos) {
    return making_jsonl(file == "-" ? R"(tr '\r' '\n')" : R"(tr '\r' '\n' <)", file);
  }
  const bool has_comma = line.ends_with(',');
  if (has_comma && is_json_row(line.substr(0, line.size() - 1))) {
    return making_jsonl("sed 's/,$//'", file);
  }
  if (has_comma || line.ends_with('{') || line.ends_with('[')) return making_jsonl("jq -c .", file);
  if (!has_columns(line)) return "";
  return making_jsonl(
      "jq -c '. as $t | (first(.[]) | keys_unsorted[]) as $i | $t | map_values(.[$i])'", file);
}

std::string json_cure_of_list(const std::string& field, const std::string& file) {
  return making_jsonl("jq -c '.[\"" + field + "\"][]'", file);
}

}  // namespace headlight
