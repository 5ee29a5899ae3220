#include "training/training_data.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "training/development_rows.h"
#include "training/row_labels.h"
#include "training/suspicious_rows.h"
#include "training/teacher_logits.h"

namespace headlight {
namespace {

LabelNames name_labels(const SpelledRows& train, const DataOptions& options) {
  if (options.is_regression) return {{"value"}, ProblemType::regression};
  LabelNames labels;
  if (are_lists(train.labels)) labels.problem_type = ProblemType::multi_label;
  for (const std::string& spelled : train.labels) {
    if (labels.problem_type == ProblemType::single_label) {
      if (!spelled.empty() && !spells_several(spelled)) labels.names.push_back(spelled);
      continue;
    }
    try {
      for (std::string& name : spelled_labels(spelled)) labels.names.push_back(std::move(name));
    } catch (const TextError&) {
      continue;  // an error of its row
    }
  }
  number_labels(labels.names);
  return labels;
}

/// As name_of(Row), for a row without its id.
std::string place_of(const LabelledText& text) {
  return std::to_string(text.number) + " (line " + std::to_string(text.line) + ")";
}

/// Gives the rows their targets; a row whose label cannot be read is an error.
std::vector<LabelledText> with_targets(SpelledRows& rows, const LabelNames& labels) {
  const GoldReader reader = reader_of(labels);
  std::vector<LabelledText> good;
  good.reserve(rows.texts.size());
  for (std::size_t i = 0; i < rows.texts.size(); ++i) {
    LabelledText& text = rows.texts[i];
    try {
      text.target = target_of(rows.labels[i], reader);
      if (!text.spelled_teacher.empty()) {
        text.teacher_logits = teacher_logits_of(text.spelled_teacher, labels);
        text.spelled_teacher.clear();
      }
      good.push_back(std::move(text));
    } catch (const TextError& error) {
      rows.add_error(place_of(text), error.line());
    }
  }
  return good;
}

void report_errors(const SpelledRows& rows, TrainingData& data) {
  if (rows.errors == 0) return;
  data.errors += rows.errors;
  data.errors_seen.push_back(rows.file + ": " + std::to_string(rows.errors) + " of " +
                             std::to_string(rows.rows) + " rows cannot be used; first error: row " +
                             rows.first_error);
}

/// Texts without labels: only equal texts matter, which stay together.
TrainingData make_text_data(SpelledRows train, const DataOptions& options) {
  TrainingData data;
  data.truncated = train.truncated;
  report_errors(train, data);
  refuse_no_rows(train, train.texts);
  hold_out(std::move(train.texts), options.dev_share, options.seed, data.rows);
  return data;
}

}  // namespace

void SpelledRows::add_error(const std::string& name, const std::string& what) {
  ++errors;
  if (first_error.empty()) first_error = name + ": " + what;
}

SpelledRows read_spelled_rows(RowSource& source, std::string file, const RowNeeds& needs) {
  SpelledRows rows;
  rows.file = std::move(file);
  while (!stop_requested()) {
    std::optional<Row> row = source.next();
    if (!row) break;
    const std::size_t number = rows.rows++;
    if (row->error.empty() && needs.label && !row->label) row->error = "has no label";
    std::string teacher;
    try {
      if (row->error.empty() && !needs.teacher.empty()) {
        teacher = spelled_teacher_logits(*row, needs.teacher);
      }
    } catch (const TextError& error) {
      row->error = error.line();
    }
    if (!row->error.empty()) {
      rows.add_error(name_of(*row), row->error);
      continue;
    }
    LabelledText& text = rows.texts.emplace_back();
    text.number = number;
    text.line = row->line;
    text.input = std::move(row->input);
    text.spelled_teacher = std::move(teacher);
    rows.labels.push_back(needs.label ? std::move(*row->label) : "");
  }
  return rows;
}

void keep_readable(const TextReader& reader, SpelledRows& rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.texts.size(); ++i) {
    LabelledText& text = rows.texts[i];
    try {
      if (reader.read(text.input).size.truncated > 0) ++rows.truncated;
    } catch (const TextError& error) {
      rows.add_error(place_of(text), error.line());
      continue;
    }
    if (kept != i) {
      rows.texts[kept] = std::move(text);
      rows.labels[kept] = std::move(rows.labels[i]);
    }
    ++kept;
  }
  rows.texts.resize(kept);
  rows.labels.resize(kept);
}

TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options) {
  if (!options.has_labels) return make_text_data(std::move(train), options);
  TrainingData data;
  data.truncated = train.truncated + (dev ? dev->truncated : 0);
  data.rows.labels = name_labels(train, options);
  std::vector<LabelledText> texts = with_targets(train, data.rows.labels);
  report_errors(train, data);
  refuse_unlearnable(train, texts, data.rows.labels);
  data.notes = suspicions(texts, data.rows.labels);
  if (dev) {
    data.rows.train = std::move(texts);
    data.rows.dev = with_targets(*dev, data.rows.labels);
    report_errors(*dev, data);
    if (data.rows.dev.empty()) {
      throw Error(dev->file, "has no row that can be used",
                  dev->first_error.empty() ? "" : "first error: row " + dev->first_error);
    }
    const std::string note = repeated_rows(data.rows);
    if (!note.empty()) data.notes.push_back(note);
  } else {
    hold_out(std::move(texts), options.dev_share, options.seed, data.rows);
  }
  return data;
}

}  // namespace headlight
