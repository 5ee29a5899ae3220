// Rows with gold labels, and what the labels of a whole file are to a model.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "metrics/gold.h"
#include "rows/row_sources.h"
#include "rows/row_spool.h"

namespace headlight {

/// Counts labels in bounded memory. Some unknown labels are wrong in their rows; other differences
/// mean that the file has labels of another kind.
class LabelCensus {
 public:
  /// `gold` must outlive it.
  explicit LabelCensus(const GoldReader& gold);

  /// Counts the labels of a row. Ignores what cannot be parsed.
  void add(const std::string& spelled);

  /// Whether the labels so far can only be of another kind: numbers of labels that have names, or
  /// names that differ from the model's only in case or blanks.
  bool differs() const { return numbers_ > 0 || similar_ > 0; }
  /// Whether labels were found and the model has none of them.
  bool all_unknown() const { return unknown_ > 0 && names_ == 0; }
  /// Throws Error if lists of labels are multi-hot. `file` is the name of the input.
  void refuse_multi_hot(const std::string& file) const { lists_.refuse(file); }
  /// Whether enough different labels are known for complaint().
  bool has_many() const;

  /// What was found and what the model has.
  std::string complaint() const;
  /// The different spellings so far, shortened; empty if there are very many.
  std::set<std::string> found() const;
  /// The option that translates the labels.
  std::string remedy() const;

 private:
  /// The model's label that differs from `spelled` only in case, outer blanks or what the eye does
  /// not see (text/lookalikes.h); empty if there is none.
  std::string similar_label(const std::string& spelled) const;

  const GoldReader& gold_;
  std::map<std::u32string, std::string> folded_;  // its names, by their folded spelling
  MultiHotLists lists_;
  std::set<std::string> found_;  // different spellings, at most kMostLabels
  std::size_t names_ = 0;
  std::size_t numbers_ = 0;
  std::size_t unknown_ = 0;
  std::size_t similar_ = 0;  // of the unknown ones
};

/// Turns rows whose label cannot be read into error rows before anything is computed for them.
class KnownLabelRows : public RowSource {
 public:
  /// `rows` and `gold` must outlive it. `name` is the name of the input in errors. `on_refusal` is
  /// called before labels of another kind are refused.
  KnownLabelRows(RowSource& rows, const GoldReader& gold, std::string name,
                 std::function<void(const LabelCensus&)> on_refusal = {})
      : rows_(rows),
        gold_(gold),
        census_(gold),
        name_(std::move(name)),
        on_refusal_(std::move(on_refusal)) {}

  /// Throws Error if the labels of the input are of another kind than the model's (LabelCensus).
  std::optional<Row> next() override;
  const LabelCensus& census() const { return census_; }
  bool ready() override { return has_ahead_ || rows_.ready(); }

 private:
  std::optional<Row> read();
  /// Reads on, so that the message lists what the file has, and throws.
  [[noreturn]] void refuse();

  RowSource& rows_;
  const GoldReader& gold_;
  LabelCensus census_;
  std::string name_;
  std::function<void(const LabelCensus&)> on_refusal_;
  RowSpool ahead_;  // read until a label was known
  bool has_ahead_ = false;
};

}  // namespace headlight
