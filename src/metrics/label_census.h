// Compares the gold labels of a whole file with the labels of a model.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "metrics/gold.h"

namespace headlight {

/// Counts labels in bounded memory. Some unknown labels are wrong in their rows; other differences
/// mean that the file has labels of another kind.
class LabelCensus {
 public:
  /// `gold` must outlive it.
  explicit LabelCensus(const GoldReader& gold) : gold_(gold) {}

  /// Counts the labels of a row. Ignores what cannot be parsed.
  void add(const std::string& spelled);

  /// Whether the labels so far can only be of another kind: numbers of labels that have names, or
  /// names that differ from the model's only in case or blanks.
  bool differs() const { return numbers_ > 0 || similar_ > 0; }
  /// Whether labels were found and the model has none of them.
  bool all_unknown() const { return unknown_ > 0 && names_ == 0; }
  /// Whether enough different labels are known for complaint().
  bool has_many() const;

  /// What was found and what the model has.
  std::string complaint() const;
  /// The option that translates the labels.
  std::string remedy() const;

 private:
  /// The model's label that differs from `spelled` only in case or blanks; empty if there is none.
  std::string similar_label(const std::string& spelled) const;

  const GoldReader& gold_;
  std::set<std::string> found_;  // different spellings, at most kMostLabels
  std::size_t names_ = 0;
  std::size_t numbers_ = 0;
  std::size_t unknown_ = 0;
  std::size_t similar_ = 0;  // of the unknown ones
};

}  // namespace headlight
