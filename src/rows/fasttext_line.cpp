#include "rows/fasttext_line.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/json_writer.h"

namespace headlight {
namespace {

constexpr std::string_view kBlanks(" \t\v\f\r\0", 6);

}  // namespace

FasttextLine read_fasttext_line(std::string_view line) {
  FasttextLine read;
  std::vector<std::string> labels;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = std::min(line.find_first_not_of(kBlanks, at), line.size());
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    if (word == kFasttextLabel) throw TextError("a label has no name after __label__");
    if (word.starts_with(kFasttextLabel)) {
      labels.emplace_back(word.substr(kFasttextLabel.size()));
    } else if (!word.empty()) {
      const std::size_t from = read.text.empty() ? begin : at;
      read.text += line.substr(from, end - from);
    }
    at = end;
  }
  if (labels.size() == 1) read.label = labels.front();
  if (labels.size() > 1) JsonWriter(read.label.emplace()).strings(labels);
  return read;
}

}  // namespace headlight
