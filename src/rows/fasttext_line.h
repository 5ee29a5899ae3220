// A line of fastText's training files: "__label__a __label__b text".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

inline constexpr std::string_view kFasttextLabel = "__label__";

struct FasttextLine {
  std::optional<std::string> label;  // several as a JSON array
  std::string text;                  // without the labels
};

/// Each word that begins with kFasttextLabel is a label, wherever it stands, as in
/// Dictionary::getLine of fastText 0.9.2. Throws TextError for a label without a name.
FasttextLine read_fasttext_line(std::string_view line);

}  // namespace headlight
