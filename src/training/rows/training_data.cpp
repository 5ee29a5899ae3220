#include "training/rows/training_data.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "metrics/known_label_rows.h"
#include "rows/fingerprint.h"
#include "training/rows/row_targets.h"
#include "training/rows/similar_texts.h"
#include "training/rows/suspicious_rows.h"

namespace headlight {
namespace {

/// Texts that are held out together.
struct TextGroup {
  std::vector<std::size_t> rows;  // ascending
  std::size_t texts = 0;          // different ones
};

struct DrawnTexts {
  std::map<std::uint64_t, TextGroup> groups;  // by LabelledRow::held_with()
  /// By label of the first row the groups, in a random order. The first label counts for a row with
  /// several; rows of a regression have one.
  std::map<std::size_t, std::vector<const TextGroup*>> of_label;
};

DrawnTexts draw_texts(const std::vector<LabelledRow>& all, const LabelSet& set,
                      std::uint64_t seed) {
  DrawnTexts texts;
  std::set<std::uint64_t> keys;
  for (std::size_t i = 0; i < all.size(); ++i) {
    check_stopped();
    TextGroup& group = texts.groups[all[i].held_with()];
    const auto& labels = all[i].target.labels;
    if (group.rows.empty()) {
      texts.of_label[labels.empty() ? set.names.size() : labels.front()].push_back(&group);
    }
    group.rows.push_back(i);
    if (keys.insert(all[i].key).second) ++group.texts;
  }
  for (auto& [label, members] : texts.of_label) {
    std::ranges::sort(members, {}, [&](const TextGroup* group) {
      const std::size_t i = group->rows.front();
      return std::pair(mixed_bits(mixed_bits(seed) ^ all[i].order), i);
    });
  }
  return texts;
}

/// Which rows are held out, so that rows with each label are left.
class HeldRows {
 public:
  HeldRows(const std::vector<LabelledRow>& all, const LabelSet& labels)
      : held(all.size()), all_(all), left_(labels.names.size() + 1) {
    for (std::size_t i = 0; i < all.size(); ++i) count(i, left_);
  }

  void hold(std::size_t i) {
    if (held[i]) return;
    held[i] = true;
    for (const std::size_t label : labels_of(i)) --left_[label];
  }
  bool may_hold(const TextGroup& group) const {
    std::map<std::size_t, std::size_t> lost;
    for (const std::size_t i : group.rows) {
      if (!held[i]) count(i, lost);
    }
    return std::ranges::none_of(lost,
                                [&](const auto& each) { return left_[each.first] <= each.second; });
  }

  std::vector<bool> held;  // [n]

 private:
  /// A row without labels, as all of a regression, has the number after the last one.
  std::vector<std::size_t> labels_of(std::size_t i) const {
    const auto& labels = all_[i].target.labels;
    return labels.empty() ? std::vector{left_.size() - 1} : labels;
  }
  void count(std::size_t i, auto& counts) const {
    for (const std::size_t label : labels_of(i)) ++counts[label];
  }

  const std::vector<LabelledRow>& all_;
  std::vector<std::size_t> left_;  // rows of each label that are not held
};

/// Divides `all` into rows.train and rows.dev, both in the order of the file. The share of each
/// label that is held out is rounded to whole texts but never all of them. Of the first `earlier`
/// rows, those of options.earlier are held out. Returns a note if similar texts leave few.
std::string hold_out(std::vector<LabelledRow> all, std::size_t earlier, const DataOptions& options,
                     LabelledRows& rows) {
  const DrawnTexts texts = draw_texts(all, rows.labels, options.seed);
  HeldRows held(all, rows.labels);
  for (LabelledRow& row : all) {
    if (row.number >= earlier) continue;
    row.is_earlier = std::ranges::binary_search(options.earlier->development, row.number);
    if (!row.is_earlier) continue;
    for (const std::size_t i : texts.groups.at(row.held_with()).rows) {
      if (all[i].number >= earlier || all[i].key == row.key) held.hold(i);
    }
  }
  std::size_t all_wanted = 0;
  std::size_t all_missing = 0;
  for (const auto& [label, members] : texts.of_label) {
    std::size_t count = 0;
    bool has_old = false;
    const auto is_old = [&](const TextGroup* group) {
      return all[group->rows.front()].number < earlier;
    };
    for (const TextGroup* group : members) {
      is_old(group) ? static_cast<void>(has_old = true) : static_cast<void>(count += group->texts);
    }
    auto wanted =
        static_cast<std::size_t>(std::lround(options.dev_share * static_cast<double>(count)));
    if (!has_old && count > 0) wanted = std::min(wanted, count - 1);
    all_wanted += wanted;
    for (const TextGroup* group : members) {
      check_stopped();
      if (group->texts > wanted || is_old(group) || !held.may_hold(*group)) continue;
      for (const std::size_t i : group->rows) held.hold(i);
      wanted -= group->texts;
    }
    all_missing += wanted;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    (held.held[i] ? rows.dev : rows.train).push_back(std::move(all[i]));
  }
  rows.may_learn_dev = true;
  if (2 * all_missing <= all_wanted) return "";
  return "only " + std::to_string(all_wanted - all_missing) + " of " +
         counted(all_wanted, "development text") +
         " could be held out: the others are part of texts to train on, or nearly the same";
}

ReadingOptions with_keys() {
  ReadingOptions options;
  options.finds_equal = true;
  return options;
}

/// As name_of(Row), for a row without its id.
std::string place_of(const LabelledRow& row) {
  return std::to_string(row.number) + " (line " + std::to_string(row.line) + ")";
}

/// Whether `read` can read the text; else it is an error of `file`.
bool can_read(const auto& read, LabelledRow& row, const std::string& label, SpelledRows& file) {
  try {
    read(row);
    if (row.tokens.truncated > 0) ++file.truncated;
    return true;
  } catch (const TextError& error) {
    file.add_error(place_of(row), row, label, error.line());
    return false;
  }
}

/// Sets what a row keeps of its text.
void read_tokens(const TextReader& reader, LabelledRow& row) {
  ReadText text = reader.read(row.input);
  if (text.size.own + text.size.truncated == 0) throw TextError(kNoText);
  row.set_windows(std::move(text.windows));
  row.key = text.size.key;
  row.own = text.size.own;
  row.unknown = text.size.unknown;
}

void read_texts(const TextReading& reading, SpelledRows& file) {
  std::optional<TextReader> reader;
  if (reading.model.tokenizer) reader.emplace(reading.model, with_keys());
  const auto read = [&](LabelledRow& row) {
    reader ? read_tokens(*reader, row) : static_cast<void>(row.key = reading.key(row.input));
  };
  std::erase_if(file.rows, [&](SpelledRow& spelled) {
    return !can_read(read, spelled.row, spelled.label, file);
  });
}

/// Reads the texts with a tokenizer that was made for the rows.
void read_texts_again(const Model& model, TrainingData& data) {
  const TextReader reader(model, with_keys());
  SpelledRows found;
  for (auto* rows : {&data.rows.train, &data.rows.dev}) {
    std::erase_if(*rows, [&](LabelledRow& each) {
      return !can_read([&](LabelledRow& row) { read_tokens(reader, row); }, each, "", found);
    });
  }
  data.truncated = found.truncated;
  if (found.errors == 0) return;
  data.errors += found.errors;
  std::ranges::move(found.problems, std::back_inserter(data.problems));
  data.errors_seen.push_back(counted(found.errors, "row") +
                             " cannot be used with the new vocabulary; first error: row " +
                             found.first_error);
  if (!data.rows.train.empty()) return;
  throw TrainingError("no training row can be read with the learned vocabulary; first error: row " +
                      found.first_error);
}

/// Gives the rows their targets; a row whose label cannot be read is an error. `unknown` gets the
/// rows with labels that are not in `labels`; without it, they are errors.
std::vector<LabelledRow> with_targets(SpelledRows& file, const GoldReader& reader,
                                      const LabelSet& labels,
                                      std::vector<LabelledRow>* unknown = nullptr) {
  std::vector<LabelledRow> rows;
  rows.reserve(file.rows.size());
  const bool is_single = labels.problem_type == ProblemType::single_label;
  for (auto& [row, label, teacher, has_only_ignored] : file.rows) {
    check_stopped();
    if (is_single && has_only_ignored) continue;
    try {
      row.target = target_of(label, reader, unknown != nullptr);
      if (!row.target.unknown.empty()) {
        unknown->push_back(std::move(row));
        continue;
      }
      if (!teacher.empty()) row.teacher_logits = teacher_logits_of(teacher, labels);
      rows.push_back(std::move(row));
    } catch (const TextError& error) {
      file.add_error(place_of(row), row, label, error.line());
    }
  }
  return rows;
}

/// Throws Error where `evaluate` would: the labels of the development rows are of another kind.
void refuse_other_labels(const SpelledRows& dev, const GoldReader& reader) {
  LabelCensus census(reader);
  for (const SpelledRow& row : dev.rows) census.add(row.label);
  if (census.differs() || census.all_unknown()) throw Error(dev.file, census.complaint());
}

std::vector<LabelledRow> without_targets(SpelledRows& file) {
  std::vector<LabelledRow> rows;
  rows.reserve(file.rows.size());
  for (SpelledRow& spelled : file.rows) rows.push_back(std::move(spelled.row));
  return rows;
}

/// The labels of an earlier model keep their numbers. Throws Error if they lack rows.
void put_first(const EarlierModel& earlier, const std::string& file, LabelSet& labels) {
  constexpr std::size_t kListed = 8;
  const auto remove = [](const std::vector<std::string>& names, std::vector<std::string> from) {
    std::erase_if(from, [&](const auto& name) { return std::ranges::count(names, name) > 0; });
    return from;
  };
  const std::vector<std::string> missing = remove(labels.names, earlier.labels);
  if (!missing.empty()) {
    throw Error(file,
                "has no row of " + counted(missing.size(), "label") + " of " + earlier.name + ": " +
                    listed(missing, kListed),
                "add the rows that it was trained on, or leave out --numbers-of");
  }
  const std::vector<std::string> added = remove(earlier.labels, labels.names);
  labels.names = earlier.labels;
  labels.names.insert(labels.names.end(), added.begin(), added.end());
}

LabelSet labels_in(const SpelledRows& file, const DataOptions& options) {
  if (options.is_regression) return {{"value"}, ProblemType::regression};
  std::vector<std::string> spelled;
  spelled.reserve(file.rows.size());
  MultiHotLists lists;
  for (const SpelledRow& row : file.rows) {
    lists.add(row.label);
    spelled.push_back(row.label);
  }
  lists.refuse(file.file);
  LabelSet labels = name_labels(spelled, file.has_single_labels);
  if (options.earlier) put_first(*options.earlier, file.file, labels);
  return labels;
}

/// Whether the rows that were read so far are those of an earlier model.
bool are_earlier(const RowReader& reader, const DataOptions& options) {
  if (!options.earlier || options.dev_share == 0.0) return false;
  const std::string& mark = options.earlier->file_mark;
  return mark.starts_with(std::to_string(reader.count()) + " row") && mark == mark_of_rows(reader);
}

void report_errors(SpelledRows& file, TrainingData& data) {
  if (file.errors == 0) return;
  data.errors += file.errors;
  std::ranges::move(file.problems, std::back_inserter(data.problems));
  data.errors_seen.push_back(file.file + ": " + std::to_string(file.errors) + " of " +
                             std::to_string(file.read) + " rows cannot be used; first error: row " +
                             file.first_error);
}

/// Rows with labels that no training row has come last.
void add_development(SpelledRows& dev, TrainingData& data) {
  const GoldReader gold = merged_reader(data.merged, data.rows.labels);
  refuse_other_labels(dev, gold);
  std::vector<LabelledRow> unknown;
  data.rows.dev = with_targets(dev, gold, data.rows.labels, &unknown);
  report_errors(dev, data);
  refuse_no_rows(dev, data.rows.dev, "has no row that can be used");
  if (!unknown.empty()) {
    data.notes.push_back(counted(unknown.size(), "development row") +
                         ", with labels that no training row has, such as \"" +
                         shortened(unknown.front().target.unknown.front()) + "\", count as wrong");
  }
  std::ranges::move(unknown, std::back_inserter(data.rows.dev));
  for (auto* set : {&data.rows.train, &data.rows.dev}) group_similar_texts(*set);
  const std::string note = repeated_rows(data.rows);
  if (!note.empty()) data.notes.push_back(note);
}

}  // namespace

GoldReader merged_reader(const MergedLabels& merged, const LabelSet& labels) {
  std::map<std::string, std::size_t> numbers;
  for (const auto& [spelled, label] : merged) {
    const auto named = std::ranges::find(labels.names, label);
    if (named == labels.names.end()) continue;
    numbers.emplace(spelled, static_cast<std::size_t>(named - labels.names.begin()));
  }
  return GoldReader(labels, numbers);
}

void SpelledRows::add_error(const std::string& name, const LabelledRow& row,
                            const std::string& label, const std::string& reason) {
  ++errors;
  if (first_error.empty()) first_error = name + ": " + reason;
  problems.push_back({file, row.number, row.line, row.input.text, label, reason});
}

SpelledRows read_spelled_rows(RowReader& reader, const DataOptions& options,
                              const std::string& teacher) {
  SpelledRows found;
  found.file = reader.name();
  found.has_single_labels = reader.has_single_labels();
  while (!stop_requested()) {
    std::optional<Row> row = reader.next();
    if (!row) break;
    if (are_earlier(reader, options)) found.earlier = reader.count();
    const bool is_next = found.files.empty() || found.files.back() != row->file;
    if (is_next && !row->file.empty()) found.files.push_back(row->file);
    SpelledRow spelled;
    spelled.row.file = std::max<std::size_t>(found.files.size(), 1) - 1;
    spelled.row.number = row->number;
    spelled.row.order = found.read++;
    spelled.row.line = row->line;
    spelled.row.id = std::move(row->id);
    spelled.row.input = std::move(row->input);
    const bool has_label = row->label.has_value();
    spelled.has_only_ignored = row->has_only_ignored;
    spelled.label = std::move(row->label).value_or("");
    try {
      if (!row->error.empty()) throw TextError(row->error);
      if (options.has_labels && !has_label) throw TextError("has no label");
      if (!teacher.empty()) spelled.teacher = spelled_teacher_logits(*row, teacher);
      if (options.keeps_fields) spelled.row.kept = std::move(row->kept);
      found.rows.push_back(std::move(spelled));
    } catch (const TextError& error) {
      row->id = std::move(spelled.row.id);
      found.add_error(name_of(*row), spelled.row, spelled.label, error.line());
      if (found.errors == 1 && !row->cure.empty()) found.first_error += "; " + row->cure;
    }
  }
  return found;
}

TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options) {
  TrainingData data;
  data.truncated = train.truncated + (dev ? dev->truncated : 0);
  if (options.has_labels) data.rows.labels = labels_in(train, options);
  std::vector<LabelledRow> rows =
      options.has_labels ? with_targets(train, GoldReader(data.rows.labels), data.rows.labels)
                         : without_targets(train);
  report_errors(train, data);
  refuse_no_rows(train, rows, "has no row to train on");
  data.merged =
      options.merges_labels ? alike_labels(rows, data.rows.labels, data.notes) : options.mapped;
  LabelSet found = data.rows.labels;
  if (dev && !data.merged.empty()) {
    std::ranges::move(labels_in(*dev, {}).names, std::back_inserter(found.names));
  }
  note_unused(data.merged, found, data.notes);
  data.merged.insert(options.merged.begin(), options.merged.end());
  renumber_labels(rows, merge_labels(data.merged, data.rows.labels));
  if (options.has_labels) {
    refuse_unlearnable(train, rows, data.rows.labels);
    std::ranges::move(suspicions(rows, data.rows.labels), std::back_inserter(data.notes));
    std::ranges::move(contradictions(train.file, rows, data.rows.labels),
                      std::back_inserter(data.problems));
  }
  data.files = std::move(train.files);
  if (!dev) {
    if (options.earlier && train.earlier == 0) {
      data.notes.push_back("the development rows of " + options.earlier->name +
                           " are not known: the input does not begin with the rows that it was "
                           "trained on, or its " +
                           kTrainingFile + " does not name them");
    }
    if (options.has_labels) group_similar_texts(rows);
    std::string few = hold_out(std::move(rows), train.earlier, options, data.rows);
    if (!few.empty()) data.notes.push_back(std::move(few));
    return data;
  }
  data.rows.train = std::move(rows);
  add_development(*dev, data);
  return data;
}

TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options, const TextReading& reading) {
  read_texts(reading, train);
  if (dev) read_texts(reading, *dev);
  TrainingData data = make_training_data(std::move(train), std::move(dev), options);
  reading.prepare(inputs_of(data.rows.train));
  if (reading.changes) {
    read_texts_again(reading.model, data);
    return data;
  }
  const std::string note = note_of_unknown(sum_of(pointers_to({&data.rows.train, &data.rows.dev})));
  if (!note.empty()) data.notes.push_back(note);
  return data;
}

std::vector<std::size_t> folds_of(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                                  std::size_t folds, std::uint64_t seed) {
  const DrawnTexts texts = draw_texts(rows, labels, seed);
  std::vector<std::size_t> fold(rows.size());
  std::vector<std::size_t> filled(folds);  // with texts
  for (const auto& [label, members] : texts.of_label) {
    std::vector<std::pair<std::size_t, std::size_t>> with(folds);  // texts of the label, of all
    for (std::size_t k = 0; k < folds; ++k) with[k].second = filled[k];
    for (const TextGroup* group : members) {
      const auto emptiest = std::ranges::min_element(with);
      emptiest->first += group->texts;
      emptiest->second += group->texts;
      for (const std::size_t i : group->rows)
        fold[i] = static_cast<std::size_t>(emptiest - with.begin());
    }
    for (std::size_t k = 0; k < folds; ++k) filled[k] = with[k].second;
  }
  return fold;
}

std::vector<bool> judged_labels(std::span<const Gold> targets,
                                const std::vector<std::size_t>& folds, std::size_t labels) {
  std::vector<std::set<std::size_t>> seen(labels);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (const std::size_t label : targets[i].labels) seen[label].insert(folds[i]);
  }
  std::vector<bool> judged;
  judged.reserve(labels);
  for (const auto& own : seen) judged.push_back(own.size() > 1);
  return judged;
}

std::vector<std::size_t> scoring_folds(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                                       std::size_t folds, std::uint64_t seed) {
  std::vector<std::size_t> found = folds_of(rows, labels, folds, seed);
  const std::vector<bool> judged =
      judged_labels(targets_of(pointers_to({&rows})), found, labels.names.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto is_judged = [&](std::size_t label) { return judged[label]; };
    if (!std::ranges::all_of(rows[i].target.labels, is_judged)) found[i] = folds;
  }
  return found;
}

void read_tokens_again(const Model& model, LabelledRows& rows) {
  const TextReader reader(model, {});
  for (auto* set : {&rows.train, &rows.dev}) {
    for (LabelledRow& row : *set) {
      try {
        ReadText text = reader.read(row.input);
        row.own = text.size.own;
        row.unknown = text.size.unknown;
        row.set_windows(std::move(text.windows));
      } catch (const TextError& error) {
        throw TextError("row " + std::to_string(row.number) + ": " + error.line());
      }
    }
  }
}

}  // namespace headlight
