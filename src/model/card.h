// The fields that hubs read at the beginning of a model's README.md.
#pragma once

#include <string>
#include <vector>

namespace headlight {

struct CardField {
  std::string name;
  std::string text;  // for people: the figures of "model-index" with their names
  std::string json;
};

/// The fields between the two lines "---" that README.md in `directory` begins with, as Hugging
/// Face's model cards have them: YAML, of which single values, lists of them and values in JSON
/// are read. Other values are left out, and so is everything where there is no such beginning.
std::vector<CardField> read_card(const std::string& directory);

/// The first paragraph of README.md in `directory` behind these fields and headings, as one line
/// without Markdown's quotes of code; empty if there is none.
std::string read_card_summary(const std::string& directory);

}  // namespace headlight
