// From files of rows to the rows that are trained on and the development rows, with what is
// suspicious about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rows/row_sources.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// The rows of a file with their labels as spelled.
struct SpelledRows {
  std::string file;                 // its name in messages
  std::vector<LabelledText> texts;  // without targets
  std::vector<std::string> labels;  // of each text; may be empty
  std::size_t rows = 0;             // read, with those that cannot be used
  std::size_t errors = 0;           // rows that cannot be used
  std::string first_error;          // of these, with the name of its row
  std::size_t truncated = 0;        // texts that are too long for the model

  /// Counts a row that cannot be used. `name` as name_of(Row) gives it.
  void add_error(const std::string& name, const std::string& what);
};

/// What is read of each row besides its text.
struct RowNeeds {
  bool label = true;
  /// A field with the logits of a teacher (teacher_logits.h); the rows must have all their fields.
  /// Empty: none.
  std::string teacher = {};
};

/// Reads all rows; stops early after a signal. A row without a label that is needed is an error.
SpelledRows read_spelled_rows(RowSource& source, std::string file, const RowNeeds& needs = {});

struct DataOptions {
  bool has_labels = true;  // false: the rows are texts alone, and there is no `dev`
  bool is_regression = false;
  double dev_share = 0.1;  // of the rows, if there is no file of development rows
  std::uint64_t seed = 0;
};

struct TrainingData {
  LabelledTexts rows;
  std::size_t errors = 0;                // rows of both files that cannot be used
  std::size_t truncated = 0;             // texts that are cut
  std::vector<std::string> notes;        // what is suspicious, one line each
  std::vector<std::string> errors_seen;  // one line for each file with errors
};

/// Numbers the labels and checks the rows. Development rows are those of `dev`, or held out: the
/// given share of the rows of each label, chosen by the seed; texts of the same key stay together.
/// Throws Error if nothing can be learned from the rows.
TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options);

/// The model that texts are read with.
struct TextReading {
  const Model& model;
  bool changes;  // `prepare` changes the tokenizer, or makes the first
  /// Of texts that the first tokenizer will make the same of; unused if there is one.
  std::function<std::uint64_t(const TextInput&)> key;
  /// Gets the texts to train on: those that are held out say nothing about the model.
  std::function<void(const std::vector<const TextInput*>&)> prepare;
};

/// The same with the keys of the texts. Rows whose texts the model cannot read are errors; those
/// that are cut are counted.
TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options, const TextReading& reading);

}  // namespace headlight
