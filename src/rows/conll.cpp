#include "rows/conll.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/outer_blanks.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::string_view kColumnEnds = " \t";

}  // namespace

bool is_beside_sentences(std::string_view line, bool begins_sentence) {
  if (line.starts_with("-DOCSTART-")) return true;
  const bool names = line.starts_with("# id ") || line.find(" = ") != std::string_view::npos;
  return begins_sentence && line.starts_with("# ") && names;
}

void read_sentence(std::string_view lines, Row& row) {
  std::vector<std::string> tags;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string_view line = without_outer_blanks(lines.substr(begin, end - begin));
    const std::size_t last = line.find_last_of(kColumnEnds);
    if (last == std::string_view::npos) {
      throw TextError("the word \"" + shortened(line) + "\" has no tag in a second column");
    }
    row.input.text += row.input.text.empty() ? "" : " ";
    row.input.text += line.substr(0, line.find_first_of(kColumnEnds));
    tags.emplace_back(line.substr(last + 1));
    begin = end + 1;
  }
  JsonWriter(row.label.emplace()).strings(tags);
}

}  // namespace headlight
