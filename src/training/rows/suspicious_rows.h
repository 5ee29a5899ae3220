// What is wrong or suspicious about labelled rows, found before any time is spent on training.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "training/rows/labelled_rows.h"
#include "training/rows/training_data.h"

namespace headlight {

/// Throws Error if there are no rows.
void refuse_no_rows(const SpelledRows& file, const std::vector<LabelledRow>& rows,
                    const std::string& what);

/// Throws Error if nothing can be learned from rows: a single label, or equal values. `file` is
/// what the rows were read from.
void refuse_unlearnable(const SpelledRows& file, const std::vector<LabelledRow>& rows,
                        const LabelSet& labels);

/// Labels that only one row has, labels that are spelled alike, and equal texts (LabelledRow::key)
/// with different labels; one line each.
std::vector<std::string> suspicions(const std::vector<LabelledRow>& rows, const LabelSet& labels);

/// All rows whose text has different labels in different rows.
std::vector<RowProblem> contradictions(const std::string& file,
                                       const std::vector<LabelledRow>& rows,
                                       const LabelSet& labels);

/// A line about development rows whose texts are also training rows; empty if there are none.
std::string repeated_rows(const LabelledRows& rows);

/// Groups of names, by number, that differ only in case, blanks, underscores, what the eye does not
/// see (text/lookalikes.h), and punctuation that is not before a number: "Card  arrival",
/// "card_arrival" and "card-arrival" are one; "C" and "C++", "1" and "-1", "1.0" and "10" are not.
std::vector<std::vector<std::size_t>> labels_spelled_alike(const std::vector<std::string>& names);

/// Labels that are spelled alike as the most frequent of them, with a note.
MergedLabels alike_labels(const std::vector<LabelledRow>& rows, const LabelSet& labels,
                          std::vector<std::string>& notes);
/// Notes the spellings that are not among the labels.
void note_unused(const MergedLabels& merged, const LabelSet& labels,
                 std::vector<std::string>& notes);
/// Merges labels. [c] Returns the new number of each; nothing if nothing is merged.
std::vector<std::size_t> merge_labels(const MergedLabels& merged, LabelSet& labels);
/// Gives the labels of rows these numbers; without any, they stay.
void renumber_labels(std::vector<LabelledRow>& rows, const std::vector<std::size_t>& numbers);

}  // namespace headlight
