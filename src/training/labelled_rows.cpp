#include "training/labelled_rows.h"

#include <utility>

#include "base/error.h"

namespace headlight {
namespace {

std::vector<LabelledRow> tokenize_set(const std::vector<LabelledText>& texts,
                                      const TextReader& reader, std::size_t& truncated) {
  std::vector<LabelledRow> rows;
  rows.reserve(texts.size());
  for (const LabelledText& text : texts) {
    try {
      ReadText read = reader.read(text.input);
      if (read.size.truncated > 0) ++truncated;
      rows.push_back(
          {text.number, std::move(read.windows.front()), text.target, text.teacher_logits});
    } catch (const TextError& error) {
      throw TextError("row " + std::to_string(text.number) + ": " + error.line());
    }
  }
  return rows;
}

}  // namespace

std::vector<const TextInput*> inputs_of(const std::vector<LabelledText>& texts) {
  std::vector<const TextInput*> inputs;
  inputs.reserve(texts.size());
  for (const LabelledText& text : texts) inputs.push_back(&text.input);
  return inputs;
}

std::vector<std::uint64_t> keys_of(const std::vector<LabelledText>& texts) {
  std::vector<std::uint64_t> keys;
  keys.reserve(texts.size());
  for (const LabelledText& text : texts) keys.push_back(text.key);
  return keys;
}

LabelledRows tokenize_rows(const LabelledTexts& texts, const TextReader& reader) {
  LabelledRows rows;
  rows.labels = texts.labels;
  rows.train = tokenize_set(texts.train, reader, rows.truncated);
  rows.dev = tokenize_set(texts.dev, reader, rows.truncated);
  return rows;
}

}  // namespace headlight
