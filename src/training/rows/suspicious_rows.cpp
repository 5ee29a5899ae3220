#include "training/rows/suspicious_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "text/lookalikes.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

constexpr std::size_t kShownNames = 8;

std::string many(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

std::string spelled(const Gold& target, const LabelSet& labels) {
  std::vector<std::string> names;
  for (const std::size_t label : target.labels) names.push_back(labels.names[label]);
  return '"' + listed(names, kShownNames) + '"';
}

std::string label_in_line(const LabelledRow& row, const LabelSet& labels) {
  return spelled(row.target, labels) + " in line " + std::to_string(row.line);
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

void note_lists(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                std::vector<std::string>& notes) {
  const auto is_list = [](const LabelledRow& row) { return row.target.labels.size() > 1; };
  const auto lists = static_cast<std::size_t>(std::ranges::count_if(rows, is_list));
  if (labels.problem_type != ProblemType::multi_label) return;
  const auto has_one = [](const LabelledRow& row) { return row.target.labels.size() == 1; };
  if (std::ranges::all_of(rows, has_one)) {
    notes.emplace_back(
        "each row has a list of one label, so the model gives any number of labels; "
        "--single-label makes it give one");
  }
  const auto none = static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const auto& row) { return row.target.labels.empty(); }));
  if (none > 0) {
    notes.push_back(many(none, "row has", "rows have") +
                    " none of the labels; empty cells that stand for missing labels need "
                    "--null ''");
  }
  if (lists == 0 || 2 * lists > rows.size()) return;
  notes.push_back(std::to_string(lists) + " of " + counted(rows.size(), "row") +
                  " have several labels, the first in line " +
                  std::to_string(std::ranges::find_if(rows, is_list)->line) +
                  ", so the model gives any number of labels; for one label a row, leave one in "
                  "each of these");
}

/// By key the first row of a text, and the first one with other labels.
std::map<std::uint64_t, RowPointers> contradicted_texts(const std::vector<LabelledRow>& rows) {
  std::map<std::uint64_t, RowPointers> texts;
  for (const LabelledRow& row : rows) {
    check_stopped();
    RowPointers& text = texts[row.key];
    const bool differs = text.empty() || text.front()->target.labels != row.target.labels;
    if (text.size() < 2 && differs) text.push_back(&row);
  }
  std::erase_if(texts, [](const auto& text) { return text.second.size() < 2; });
  return texts;
}

void note_contradictions(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                         std::vector<std::string>& notes) {
  const auto texts = contradicted_texts(rows);
  if (texts.empty()) return;
  const auto second = [](const auto& text) { return text.second[1]; };
  const RowPointers& example = std::ranges::min_element(texts, {}, second)->second;
  notes.push_back(many(texts.size(), "text has", "texts have") +
                  " different labels in different rows: \"" + shortened(example[0]->input.text) +
                  "\" is " + label_in_line(*example[0], labels) + " and " +
                  label_in_line(*example[1], labels));
}

/// labels_spelled_alike() with the most frequent spelling of each group first.
std::vector<std::vector<std::size_t>> alike_by_count(const std::vector<std::size_t>& counts,
                                                     const std::vector<std::string>& names) {
  auto groups = labels_spelled_alike(names);
  for (auto& group : groups) {
    std::ranges::stable_sort(group, std::greater(), [&](std::size_t i) {
      return std::pair(counts[i], with_escapes(names[i]) == names[i]);
    });
  }
  return groups;
}

/// What pandas and others write for a missing label.
void note_missing(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                  std::vector<std::string>& notes) {
  const std::vector<std::size_t> counts = label_counts(rows, labels.names.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string& name = labels.names[i];
    if (name != "nan" && name != "NaN") continue;
    notes.push_back(many(counts[i], "row has", "rows have") + " the label \"" + name +
                    "\"; if it stands for a missing one, --null " + name +
                    " leaves these rows of a table out");
  }
}

void note_alike(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                std::vector<std::string>& notes) {
  const std::vector<std::size_t> counts = label_counts(rows, labels.names.size());
  std::vector<std::string> groups;
  for (const auto& group : alike_by_count(counts, labels.names)) {
    groups.push_back(joined(group, " = ", [&](std::size_t i) {
      return '"' + shortened(with_escapes(labels.names[i])) + "\" (" + counted(counts[i], "row") +
             ')';
    }));
  }
  if (groups.empty()) return;
  constexpr std::size_t kShownGroups = 20;
  const std::size_t left = groups.size() - std::min(groups.size(), kShownGroups);
  groups.resize(groups.size() - left);
  notes.push_back("labels that differ only in case, blanks, punctuation or encoding: " +
                  joined(groups, "; ") + (left > 0 ? " and " + counted(left, "more group") : "") +
                  "; --merge-labels makes one of each group");
}

}  // namespace

void refuse_no_rows(const SpelledRows& file, const std::vector<LabelledRow>& rows,
                    const std::string& what) {
  if (!rows.empty()) return;
  throw Error(file.file, what,
              file.first_error.empty() ? "" : "first error: row " + file.first_error);
}

void refuse_unlearnable(const SpelledRows& file, const std::vector<LabelledRow>& rows,
                        const LabelSet& labels) {
  const std::string unusable = file.errors == 0
                                   ? ""
                                   : "; " + counted(file.errors, "other row") +
                                         " cannot be used, the first is row " + file.first_error;
  if (labels.problem_type == ProblemType::regression) {
    const double first = rows.front().target.value;
    if (std::ranges::all_of(rows, [&](const auto& row) { return row.target.value == first; })) {
      throw Error(file.file,
                  "all labels have the same value, so there is nothing to learn" + unusable);
    }
    return;
  }
  const bool single = labels.problem_type == ProblemType::single_label;
  if (labels.names.empty() || (single && labels.names.size() == 1)) {
    const std::string found = labels.names.empty()
                                  ? "no label"
                                  : "a single label, \"" + shortened(labels.names.front()) + '"';
    throw Error(file.file,
                "found " + found + ", in " + counted(rows.size(), "row") +
                    "; a classifier needs at least two" + unusable,
                "--label NAME selects the field of the label");
  }
}

std::vector<std::string> suspicions(const std::vector<LabelledRow>& rows, const LabelSet& labels) {
  std::vector<std::string> notes;
  if (labels.problem_type == ProblemType::regression) return notes;
  note_alike(rows, labels, notes);
  note_missing(rows, labels, notes);
  note_single_rows(rows, labels, notes);
  note_lists(rows, labels, notes);
  note_contradictions(rows, labels, notes);
  return notes;
}

std::vector<RowProblem> contradictions(const std::string& file,
                                       const std::vector<LabelledRow>& rows,
                                       const LabelSet& labels) {
  const auto texts = contradicted_texts(rows);
  std::vector<RowProblem> problems;
  for (const LabelledRow& row : rows) {
    const auto found = texts.find(row.key);
    if (found == texts.end()) continue;
    const RowPointers& text = found->second;
    const LabelledRow& other = *text[row.target.labels == text[0]->target.labels ? 1 : 0];
    problems.push_back({file, row.number, row.line, row.input.text,
                        joined(row.target.labels, "|", [&](auto i) { return labels.names[i]; }),
                        "the same text is " + label_in_line(other, labels)});
  }
  return problems;
}

MergedLabels alike_labels(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                          std::vector<std::string>& notes) {
  MergedLabels merged;
  const auto& names = labels.names;
  for (const auto& group : alike_by_count(label_counts(rows, names.size()), names)) {
    for (const std::size_t i : group) {
      if (i != group.front()) merged.emplace(names[i], names[group.front()]);
    }
  }
  if (merged.empty()) return merged;
  notes.push_back(
      counted(merged.size(), "label") + " merged, as by --label-map '" +
      joined(merged, ",", [](const auto& pair) { return pair.first + '=' + pair.second; }) +
      "'; evaluate, explain and check with this model read them so, too");
  return merged;
}

void note_unused(const MergedLabels& merged, const LabelSet& labels,
                 std::vector<std::string>& notes) {
  std::vector<std::string> unused;
  for (const auto& [spelled, label] : merged) {
    if (std::ranges::count(labels.names, spelled) == 0) unused.push_back('"' + spelled + '"');
  }
  if (unused.empty()) return;
  notes.push_back("--label-map: no row has the label " + listed(unused, kShownNames));
}

std::vector<std::size_t> merge_labels(const MergedLabels& merged, LabelSet& labels) {
  if (merged.empty()) return {};
  std::vector<std::string> kept = labels.names;
  std::erase_if(kept, [&](const std::string& name) { return merged.contains(name); });
  std::vector<std::size_t> numbers;
  for (const std::string& name : labels.names) {
    const auto found = merged.find(name);
    const std::string& now = found == merged.end() ? name : found->second;
    const auto place = std::ranges::find(kept, now);
    numbers.push_back(static_cast<std::size_t>(place - kept.begin()));
    if (place == kept.end()) kept.push_back(now);
  }
  labels.names = std::move(kept);
  return numbers;
}

void renumber_labels(std::vector<LabelledRow>& rows, const std::vector<std::size_t>& numbers) {
  if (numbers.empty()) return;
  for (LabelledRow& row : rows) {
    auto& labels = row.target.labels;
    for (std::size_t& label : labels) label = numbers[label];
    std::ranges::sort(labels);
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  }
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
    const std::u32string name = seen_characters(names[i]) + U' ';
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
