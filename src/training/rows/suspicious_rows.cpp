#include "training/rows/suspicious_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr std::size_t kShownNames = 8;

std::string many(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

std::string spelled(const RowTarget& target, const LabelSet& labels) {
  std::vector<std::string> names;
  for (const std::size_t label : target.labels) names.push_back(labels.names[label]);
  return '"' + listed(names, kShownNames) + '"';
}

void note_single_rows(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                      std::vector<std::string>& notes) {
  const std::vector<std::size_t> counts = label_counts(rows, labels.names.size());
  std::vector<std::string> rare;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 1) rare.push_back(labels.names[i]);
  }
  if (rare.empty()) return;
  notes.push_back(many(rare.size(), "label has", "labels have") +
                  " only one row, too few to learn: " + listed(rare, kShownNames));
}

void note_rare_lists(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                     std::vector<std::string>& notes) {
  constexpr std::size_t kRare = 10;
  const auto is_list = [](const LabelledRow& row) { return row.target.labels.size() > 1; };
  const auto lists = static_cast<std::size_t>(std::ranges::count_if(rows, is_list));
  if (labels.problem_type != ProblemType::multi_label || lists == 0) return;
  if (lists * kRare >= rows.size()) return;
  notes.push_back(std::to_string(lists) + " of " + counted(rows.size(), "row") +
                  " have several labels, the first in line " +
                  std::to_string(std::ranges::find_if(rows, is_list)->line) +
                  ", so the model gives any number of labels");
}

void note_contradictions(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                         std::vector<std::string>& notes) {
  std::map<std::uint64_t, const LabelledRow*> seen;
  std::set<std::uint64_t> contradicted;
  std::string example;
  for (const LabelledRow& row : rows) {
    const auto [found, fresh] = seen.emplace(row.key, &row);
    const LabelledRow& first = *found->second;
    if (fresh || first.target.labels == row.target.labels) continue;
    if (!contradicted.insert(row.key).second || !example.empty()) continue;
    example = '"' + shortened(first.input.text) + "\" is " + spelled(first.target, labels) +
              " in line " + std::to_string(first.line) + " and " + spelled(row.target, labels) +
              " in line " + std::to_string(row.line);
  }
  if (contradicted.empty()) return;
  notes.push_back(many(contradicted.size(), "text has", "texts have") +
                  " different labels in different rows: " + example);
}

}  // namespace

void refuse_no_rows(const SpelledRows& file, const std::vector<LabelledRow>& rows,
                    const std::string& what) {
  if (!rows.empty()) return;
  throw Error(file.file, what,
              file.first_error.empty() ? "" : "first error: row " + file.first_error);
}

void refuse_unlearnable(const std::string& file, const std::vector<LabelledRow>& rows,
                        const LabelSet& labels) {
  if (labels.problem_type == ProblemType::regression) {
    const float first = rows.front().target.value;
    if (std::ranges::all_of(rows, [&](const auto& row) { return row.target.value == first; })) {
      throw Error(file, "all labels have the same value, so there is nothing to learn");
    }
    return;
  }
  const bool single = labels.problem_type == ProblemType::single_label;
  if (labels.names.empty() || (single && labels.names.size() == 1)) {
    const std::string found = labels.names.empty()
                                  ? "no label"
                                  : "a single label, \"" + shortened(labels.names.front()) + '"';
    throw Error(file,
                "found " + found + ", in " + counted(rows.size(), "row") +
                    "; a classifier needs at least two",
                "--label NAME selects the field of the label");
  }
  if (single && labels.names.size() == rows.size() && rows.size() > 2) {
    throw Error(file, "has as many labels as rows (" + std::to_string(rows.size()) + ")",
                "--label NAME selects the field of the label, --regression learns numbers");
  }
}

std::vector<std::string> suspicions(const std::vector<LabelledRow>& rows, const LabelSet& labels) {
  std::vector<std::string> notes;
  if (labels.problem_type == ProblemType::regression) return notes;
  note_single_rows(rows, labels, notes);
  note_rare_lists(rows, labels, notes);
  note_contradictions(rows, labels, notes);
  return notes;
}

std::string repeated_rows(const LabelledRows& rows) {
  std::set<std::uint64_t> trained;
  for (const LabelledRow& row : rows.train) trained.insert(row.key);
  const auto is_trained = [&](const LabelledRow& row) { return trained.contains(row.key); };
  const auto repeated = static_cast<std::size_t>(std::ranges::count_if(rows.dev, is_trained));
  if (repeated == 0) return "";
  return std::to_string(repeated) + " of " + counted(rows.dev.size(), "development row") +
         " have the text of a training row; figures on them are too good";
}

std::vector<std::vector<std::size_t>> labels_spelled_alike(const std::vector<std::string>& names) {
  constexpr std::u32string_view kMarks = U".,;:'\"!?()[]/-";
  std::map<std::u32string, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::u32string rest;
    const std::u32string name = to_code_points(names[i]) + U' ';
    for (std::size_t k = 0; k + 1 < name.size(); ++k) {
      const bool is_mark =
          kMarks.find(name[k]) != std::u32string_view::npos && !is_number(name[k + 1]);
      if (!is_white_space(name[k]) && name[k] != U'_' && !is_mark) rest += to_lowercase(name[k]);
    }
    alike[rest].push_back(i);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [rest, group] : alike) {
    if (group.size() > 1 && !rest.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace headlight
