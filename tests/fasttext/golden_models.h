// Small models of fastText's own program, and what it answers: tests/golden/fasttext, made by
// `scripts/make fasttext_golden`.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace headlight {

inline std::string golden_fasttext(const std::string& file) {
  return HEADLIGHT_TEST_DATA "/golden/fasttext/" + file;
}

/// The bytes that hexadecimal digits spell.
inline std::string bytes_of(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

inline const Json& golden_answers() {
  static const Json kAnswers = read_json_file(golden_fasttext("answers.json"));
  return kAnswers;
}

inline std::vector<std::string> golden_texts() {
  std::vector<std::string> texts;
  for (const auto& text : golden_answers()["texts"]) texts.push_back(bytes_of(text));
  return texts;
}

}  // namespace headlight
