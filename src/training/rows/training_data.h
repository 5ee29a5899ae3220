// From files of rows to the rows that are trained on and the development rows, with what is
// suspicious about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "rows/row_reader.h"
#include "training/rows/labelled_rows.h"

namespace headlight {

/// A row whose label has no number yet.
struct SpelledRow {
  LabelledRow row;                // without a target, and without tokens until its text is read
  std::string label;              // may be empty
  std::string teacher;            // logits as JSON; may be empty
  bool has_only_ignored = false;  // as in Row
};

/// A row that cannot be used, or whose text has another label in another row.
struct RowProblem {
  std::string file;
  std::size_t row = 0;   // its number in the file, from 0
  std::size_t line = 0;  // from 1
  std::string text;
  std::string label;
  std::string reason;
};

/// The rows of a file.
struct SpelledRows {
  std::string file;                  // its name in messages
  std::vector<SpelledRow> rows;      // those that can be used
  std::size_t read = 0;              // with those that cannot be used
  std::size_t errors = 0;            // rows that cannot be used
  std::string first_error;           // of these, with the name of its row
  std::vector<RowProblem> problems;  // all of these
  std::size_t truncated = 0;         // texts that are too long for the model
  std::vector<std::string> files;    // if there are several
  bool has_single_labels = false;    // RowReader::has_single_labels()
  /// How many of the first rows DataOptions::earlier was trained on, with its development rows.
  std::size_t earlier = 0;

  /// Adds a row that cannot be used. `name` as name_of(Row) gives it.
  void add_error(const std::string& name, const LabelledRow& row, const std::string& label,
                 const std::string& reason);
};

/// Spellings of labels in rows, and the labels that they are read as.
using MergedLabels = std::map<std::string, std::string>;
/// Reads labels of other rows as those of a training were merged into `labels`.
GoldReader merged_reader(const MergedLabels& merged, const LabelSet& labels);

/// The file in the directory of a model that names the rows that it was trained on.
inline constexpr const char* kTrainingFile = "training.json";

/// A model whose labels keep their numbers in the next one.
struct EarlierModel {
  std::string name;
  std::vector<std::string> labels;
  std::string file_mark;                 // mark_of_rows() that it was trained on; empty: not known
  std::vector<std::size_t> development;  // numbers of its development rows, ascending
  double score = 0.0;                    // the first measure of these rows
  std::string hash;                      // of the files that say this
};

struct DataOptions {
  bool has_labels = true;  // false: the rows are texts alone, and there is no `dev`
  bool is_regression = false;
  double dev_share = 0.1;  // of the rows, if there is no file of development rows
  std::uint64_t seed = 0;
  bool merges_labels = false;  // those of a group of labels_spelled_alike() become one
  MergedLabels merged = {};    // otherwise: by the training of a model
  MergedLabels mapped = {};    // by the user, without merges_labels
  bool keeps_fields = false;   // rows keep their id and the fields that they were read with
  /// If the rows begin with those of this model, its development rows are held out again, and the
  /// share is that of the other rows.
  std::optional<EarlierModel> earlier = {};
};

/// Reads all rows; stops early after a signal. `teacher`: a field with the logits of a teacher
/// (row_targets.h), for rows that have all their fields; empty: none. A row without a label that is
/// needed is an error.
SpelledRows read_spelled_rows(RowReader& reader, const DataOptions& options,
                              const std::string& teacher);

struct TrainingData {
  LabelledRows rows;
  MergedLabels merged;
  std::size_t errors = 0;                // rows of both files that cannot be used
  std::size_t truncated = 0;             // texts that are cut
  std::vector<std::string> files;        // to train on, if there are several
  std::vector<std::string> notes;        // what is suspicious, one line each
  std::vector<std::string> errors_seen;  // one line for each file with errors
  std::vector<RowProblem> problems;      // rows that cannot be used, and contradicting labels
};

/// Numbers the labels and checks the rows. Development rows are those of `dev`, or held out: the
/// given share of the texts of each label, chosen by the seed; similar ones stay together
/// (similar_texts.h), and no label loses its last training row. A note says where this holds out
/// fewer than half of the share.
/// Throws Error if nothing can be learned from the rows.
TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options);

/// The model that texts are read with.
struct TextReading {
  const Model& model;
  bool changes;  // `prepare` changes the tokenizer, or makes the first
  /// Of texts that the first tokenizer will make the same of; unused if there is one. May throw
  /// TextError.
  std::function<std::uint64_t(const TextInput&)> key;
  /// Gets the texts to train on: those that are held out say nothing about the model.
  std::function<void(const std::vector<const TextInput*>&)> prepare;
};

/// The same with the tokens and the keys of the texts. Rows whose texts the model cannot read are
/// errors; those that are cut are counted.
TrainingData make_training_data(SpelledRows train, std::optional<SpelledRows> dev,
                                const DataOptions& options, const TextReading& reading);

/// [n] The fold of each row. The texts of a label are spread evenly, and so are all texts; similar
/// ones (LabelledRow::held_with()) are in one fold.
std::vector<std::size_t> folds_of(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                                  std::size_t folds, std::uint64_t seed);

/// [c] The labels that have rows in more than one fold: others cannot be predicted.
std::vector<bool> judged_labels(std::span<const Gold> targets,
                                const std::vector<std::size_t>& folds, std::size_t labels);

/// [n] folds_of(), and `folds` for rows with a label that no row of another fold has: no model
/// without their fold knows it.
std::vector<std::size_t> scoring_folds(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                                       std::size_t folds, std::uint64_t seed);

/// Reads the tokens of all rows with a model that reads texts in another way; their keys stay.
void read_tokens_again(const Model& model, LabelledRows& rows);

}  // namespace headlight
