#include "training/rows/suspicious_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace headlight {
namespace {

constexpr std::size_t kShownNames = 8;

std::string many(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

std::string spelled(const RowTarget& target, const LabelNames& labels) {
  std::vector<std::string> names;
  for (const std::size_t label : target.labels) names.push_back(labels.names[label]);
  return '"' + listed(names, kShownNames) + '"';
}

void note_single_rows(const std::vector<LabelledText>& texts, const LabelNames& labels,
                      std::vector<std::string>& notes) {
  std::vector<std::size_t> counts(labels.names.size());
  for (const LabelledText& text : texts) {
    for (const std::size_t label : text.target.labels) ++counts[label];
  }
  std::vector<std::string> rare;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 1) rare.push_back(labels.names[i]);
  }
  if (rare.empty()) return;
  notes.push_back(many(rare.size(), "label has", "labels have") +
                  " a single row, too few to learn: " + listed(rare, kShownNames));
}

void note_rare_lists(const std::vector<LabelledText>& texts, const LabelNames& labels,
                     std::vector<std::string>& notes) {
  constexpr std::size_t kRare = 10;
  const auto is_list = [](const LabelledText& text) { return text.target.labels.size() > 1; };
  const auto lists = static_cast<std::size_t>(std::ranges::count_if(texts, is_list));
  if (labels.problem_type != ProblemType::multi_label || lists == 0) return;
  if (lists * kRare >= texts.size()) return;
  notes.push_back(std::to_string(lists) + " of " + many(texts.size(), "row", "rows") +
                  " have several labels, the first in line " +
                  std::to_string(std::ranges::find_if(texts, is_list)->line) +
                  ", so the model gives any number of labels");
}

void note_contradictions(const std::vector<LabelledText>& texts, const LabelNames& labels,
                         std::vector<std::string>& notes) {
  std::map<std::uint64_t, const LabelledText*> seen;
  std::set<std::uint64_t> contradicted;
  std::string example;
  for (const LabelledText& text : texts) {
    const auto [found, fresh] = seen.emplace(text.key, &text);
    if (fresh || found->second->target.labels == text.target.labels) continue;
    if (!contradicted.insert(found->first).second || !example.empty()) continue;
    example = '"' + shortened(found->second->input.text) + "\" is " +
              spelled(found->second->target, labels) + " in line " +
              std::to_string(found->second->line) + " and " + spelled(text.target, labels) +
              " in line " + std::to_string(text.line);
  }
  if (contradicted.empty()) return;
  notes.push_back(many(contradicted.size(), "text has", "texts have") +
                  " different labels in different rows: " + example);
}

}  // namespace

void refuse_no_rows(const SpelledRows& file, const std::vector<LabelledText>& texts,
                    const std::string& what) {
  if (!texts.empty()) return;
  throw Error(file.file, what,
              file.first_error.empty() ? "" : "first error: row " + file.first_error);
}

void refuse_unlearnable(const SpelledRows& file, const std::vector<LabelledText>& texts,
                        const LabelNames& labels) {
  const std::string rows = many(texts.size(), "row", "rows");
  refuse_no_rows(file, texts);
  if (labels.problem_type == ProblemType::regression) {
    const float first = texts.front().target.value;
    if (std::ranges::all_of(texts, [&](const auto& text) { return text.target.value == first; })) {
      throw Error(file.file, "all labels have the same value, so there is nothing to learn");
    }
    return;
  }
  const bool single = labels.problem_type == ProblemType::single_label;
  if (labels.names.empty() || (single && labels.names.size() == 1)) {
    const std::string found = labels.names.empty()
                                  ? "no label"
                                  : "a single label, \"" + shortened(labels.names.front()) + '"';
    throw Error(file.file, "found " + found + ", in " + rows + "; a classifier needs at least two",
                "--label NAME selects the field of the label");
  }
  if (single && labels.names.size() == texts.size() && texts.size() > 2) {
    throw Error(file.file, "has as many labels as rows (" + std::to_string(texts.size()) + ")",
                "--label NAME selects the field of the label, --regression learns numbers");
  }
}

std::vector<std::string> suspicions(const std::vector<LabelledText>& texts,
                                    const LabelNames& labels) {
  std::vector<std::string> notes;
  if (labels.problem_type == ProblemType::regression) return notes;
  note_single_rows(texts, labels, notes);
  note_rare_lists(texts, labels, notes);
  note_contradictions(texts, labels, notes);
  return notes;
}

std::string repeated_rows(const LabelledTexts& rows) {
  std::set<std::uint64_t> trained;
  for (const LabelledText& text : rows.train) trained.insert(text.key);
  const auto is_trained = [&](const LabelledText& text) { return trained.contains(text.key); };
  const auto repeated = static_cast<std::size_t>(std::ranges::count_if(rows.dev, is_trained));
  if (repeated == 0) return "";
  return std::to_string(repeated) + " of " +
         many(rows.dev.size(), "development row", "development rows") +
         " have the text of a training row; figures on them are too good";
}

}  // namespace headlight
