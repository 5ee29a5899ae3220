#include "training/rows/labelled_rows.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/hash.h"

namespace headlight {

void LabelledRow::set_windows(std::vector<TokenIds> windows) {
  tokens = std::move(windows.front());
  more.assign(std::make_move_iterator(windows.begin() + 1), std::make_move_iterator(windows.end()));
}

std::size_t count_known(const std::vector<LabelledRow>& rows) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows, [](const LabelledRow& row) { return row.target.unknown.empty(); }));
}

bool can_choose(const std::vector<LabelledRow>& dev, std::size_t fewest) {
  std::set<std::uint64_t> texts;
  for (const LabelledRow& row : dev) {
    if (row.target.unknown.empty()) texts.insert(row.key);
  }
  return texts.size() >= fewest;
}

TextSize sum_of(const RowPointers& rows) {
  TextSize sum;
  for (const LabelledRow* row : rows) {
    sum.own += row->own;
    sum.unknown += row->unknown;
  }
  return sum;
}

ReadText read_text(const LabelledRow& row) {
  ReadText text{{}, {row.tokens}};
  text.windows.insert(text.windows.end(), row.more.begin(), row.more.end());
  return text;
}

RowPointers pointers_to(std::initializer_list<const std::vector<LabelledRow>*> sets) {
  RowPointers pointers;
  for (const auto* set : sets) {
    for (const LabelledRow& row : *set) pointers.push_back(&row);
  }
  return pointers;
}

std::vector<Gold> targets_of(const RowPointers& rows) {
  std::vector<Gold> targets;
  targets.reserve(rows.size());
  for (const LabelledRow* row : rows) targets.push_back(row->target);
  return targets;
}

std::vector<const TextInput*> inputs_of(const std::vector<LabelledRow>& rows) {
  std::vector<const TextInput*> inputs;
  inputs.reserve(rows.size());
  for (const LabelledRow& row : rows) inputs.push_back(&row.input);
  return inputs;
}

LabelledRows without_development(const LabelledRows& rows) {
  LabelledRows all = rows;
  all.train.insert(all.train.end(), rows.dev.begin(), rows.dev.end());
  all.dev.clear();
  return all;
}

std::vector<std::size_t> label_counts(const std::vector<LabelledRow>& rows, std::size_t labels) {
  std::vector<std::size_t> counts(labels);
  for (const LabelledRow& row : rows) {
    for (const std::size_t label : row.target.labels) ++counts[label];
  }
  return counts;
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
      for (std::size_t i = 0; i < row.windows(); ++i) {
        add(row.window(i).ids);
        add(row.window(i).type_ids);
      }
      add(row.target.labels);
      add(std::array{static_cast<float>(row.target.value)});
      add(row.teacher_logits);
    }
  }
  return hash.text();
}

}  // namespace headlight
