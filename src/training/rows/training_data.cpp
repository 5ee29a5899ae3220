#include "training/rows/training_data.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "training/rows/development_rows.h"
#include "training/rows/row_labels.h"
#include "training/rows/suspicious_rows.h"
#include "training/rows/teacher_logits.h"

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

/// Whether the text can be read; else it is an error of `rows`.
bool is_readable(const TextReader& reader, LabelledText& text, SpelledRows& rows) {
  try {
    const TextSize size = reader.read(text.input).size;
    text.key = size.key;
    if (size.truncated > 0) ++rows.truncated;
    return true;
  } catch (const TextError& error) {
    rows.add_error(place_of(text), error.line());
    return false;
  }
}

/// Removes the rows whose texts the model cannot read.
void keep_readable(const TextReader& reader, SpelledRows& rows) {
  std::vector<LabelledText> texts = std::exchange(rows.texts, {});
  std::vector<std::string> labels = std::exchange(rows.labels, {});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!is_readable(reader, texts[i], rows)) continue;
    rows.texts.push_back(std::move(texts[i]));
    rows.labels.push_back(std::move(labels[i]));
  }
}

/// The same, with a tokenizer that was made for the rows.
void keep_readable(const TextReader& reader, TrainingData& data) {
  SpelledRows found;
  for (auto* texts : {&data.rows.train, &data.rows.dev}) {
    std::erase_if(*texts, [&](LabelledText& text) { return !is_readable(reader, text, found); });
  }
  data.truncated = found.truncated;
  if (found.errors == 0) return;
  data.errors += found.errors;
  data.errors_seen.push_back(counted(found.errors, "row") +
                             " cannot be used with the new vocabulary; first error: row " +
                             found.first_error);
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
    const std::size_t order = rows.rows++;
    try {
      if (!row->error.empty()) throw TextError(row->error);
      if (needs.label && !row->label) throw TextError("has no label");
      LabelledText text;
      text.number = row->number;
      text.order = order;
      text.line = row->line;
      if (!needs.teacher.empty()) {
        text.spelled_teacher = spelled_teacher_logits(*row, needs.teacher);
      }
      text.input = std::move(row->input);
      rows.texts.push_back(std::move(text));
      rows.labels.push_back(needs.label ? std::move(*row->label) : "");
    } catch (const TextError& error) {
      rows.add_error(name_of(*row), error.line());
    }
  }
  return rows;
}

TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options) {
  TrainingData data;
  data.truncated = train.truncated + (dev ? dev->truncated : 0);
  if (!options.has_labels) {
    report_errors(train, data);
    refuse_no_rows(train, train.texts);
    hold_out(std::move(train.texts), options.dev_share, options.seed, data.rows);
    return data;
  }
  data.rows.labels = name_labels(train, options);
  std::vector<LabelledText> texts = with_targets(train, data.rows.labels);
  report_errors(train, data);
  refuse_unlearnable(train, texts, data.rows.labels);
  data.notes = suspicions(texts, data.rows.labels);
  if (dev) {
    data.rows.train = std::move(texts);
    data.rows.dev = with_targets(*dev, data.rows.labels);
    report_errors(*dev, data);
    refuse_no_rows(*dev, data.rows.dev, "has no row that can be used");
    const std::string note = repeated_rows(data.rows);
    if (!note.empty()) data.notes.push_back(note);
  } else {
    hold_out(std::move(texts), options.dev_share, options.seed, data.rows);
  }
  return data;
}

TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options, const TextReading& reading) {
  const auto read = [&](SpelledRows& rows) {
    if (reading.model.tokenizer) return keep_readable(TextReader(reading.model, {}), rows);
    for (LabelledText& text : rows.texts) text.key = reading.key(text.input);
  };
  read(train);
  if (dev) read(*dev);
  TrainingData data = make_training_data(std::move(train), std::move(dev), options);
  reading.prepare(inputs_of(data.rows.train));
  if (reading.changes) keep_readable(TextReader(reading.model, {}), data);
  return data;
}

}  // namespace headlight
