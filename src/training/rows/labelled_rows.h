// Labelled rows: what training reads from files, and what the encoder and the losses need of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "classifier/text_reader.h"
#include "model/description.h"
#include "text/encoding.h"

namespace headlight {

/// What a row teaches.
struct RowTarget {
  /// Numbers of labels, ascending, no duplicates; exactly one for a single-label model.
  std::vector<std::size_t> labels;
  float value = 0.0F;  // regression only
};

/// A row as it was read.
struct LabelledText {
  std::size_t number = 0;  // in its file, from 0; rows that are not selected or used count too
  std::size_t order = 0;   // among the selected rows
  std::size_t line = 0;    // of its file, from 1
  TextInput input;
  /// Equal for texts with the same tokens: key_of(). Until a vocabulary is learned, FreshModel's.
  std::uint64_t key = 0;
  RowTarget target;
  std::vector<float> teacher_logits;  // [c] by label; empty: none
  std::string spelled_teacher;        // the same as JSON, before the labels are known
};

/// The labels of a model that is trained, and its problem type.
struct LabelNames {
  std::vector<std::string> names;  // [c] by number, all different; one for a regression
  ProblemType problem_type = ProblemType::single_label;
};

struct LabelledTexts {
  LabelNames labels;
  std::vector<LabelledText> train;
  std::vector<LabelledText> dev;  // for choices and figures; nothing is trained on them
};

/// A row with the tokens that the encoder reads.
struct LabelledRow {
  std::size_t number = 0;  // that of the text
  TokenIds tokens;         // at least one, within the model's limit and vocabulary
  RowTarget target;
  std::vector<float> teacher_logits;  // [c] by label; empty: none
};

struct LabelledRows {
  LabelNames labels;
  std::vector<LabelledRow> train;
  std::vector<LabelledRow> dev;
  std::size_t truncated = 0;  // texts that were cut
};

/// The inputs of texts, which must outlive them, their targets and their keys.
std::vector<const TextInput*> inputs_of(const std::vector<LabelledText>& texts);
std::vector<RowTarget> targets_of(const std::vector<LabelledText>& texts);
std::vector<std::uint64_t> keys_of(const std::vector<LabelledText>& texts);

/// The tokens of all texts. Throws TextError that names the row for a text that the model cannot
/// read. Windows are not supported: `reader` must cut or refuse long texts.
LabelledRows tokenize_rows(const LabelledTexts& texts, const TextReader& reader);

/// One hash of all that a training reads: the labels, and the rows in their order, bit by bit.
std::string hash_of_rows(const LabelledRows& rows);

}  // namespace headlight
