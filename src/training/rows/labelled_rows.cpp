#include "training/rows/labelled_rows.h"

#include <array>
#include <utility>

#include "base/error.h"
#include "base/hash.h"

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

std::vector<RowTarget> targets_of(const std::vector<LabelledText>& texts) {
  std::vector<RowTarget> targets;
  targets.reserve(texts.size());
  for (const LabelledText& text : texts) targets.push_back(text.target);
  return targets;
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

std::string hash_of_rows(const LabelledRows& rows) {
  GrowingHash hash;
  const auto add = [&](const auto& values) {  // after their number, so that none moves to another
    const std::size_t count = values.size();
    hash.add({reinterpret_cast<const char*>(&count), sizeof(count)});
    hash.add({reinterpret_cast<const char*>(values.data()), count * sizeof(values[0])});
  };
  add(std::array{static_cast<std::size_t>(rows.labels.problem_type), rows.labels.names.size(),
                 rows.train.size(), rows.dev.size()});
  for (const std::string& name : rows.labels.names) add(name);
  for (const auto* set : {&rows.train, &rows.dev}) {
    for (const LabelledRow& row : *set) {
      add(std::array{row.number});
      add(row.tokens.ids);
      add(row.tokens.type_ids);
      add(row.target.labels);
      add(std::array{row.target.value});
      add(row.teacher_logits);
    }
  }
  return hash.text();
}

}  // namespace headlight
