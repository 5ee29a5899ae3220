// Gold labels, read from the text in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classifier/prediction.h"

namespace headlight {

struct Gold {
  /// Label numbers, ascending, no duplicates; for single-label models one, or one in `unknown`;
  /// several where a row has a list of them (nearest_gold()).
  std::vector<std::size_t> labels;
  double value = 0.0;  // regression only
  /// Labels that the model lacks, in order, no duplicates.
  std::vector<std::string> unknown = {};
};

/// One flag for each of `labels` labels; true for these numbers.
std::vector<bool> flags_of(const std::vector<std::size_t>& numbers, std::size_t labels);

/// Whether the label of a row spells several: a JSON array, or a bar between them.
bool spells_several(std::string_view spelled);

/// The names in the label of a row with any number of labels; empty ones are dropped. Throws
/// TextError.
std::vector<std::string> spelled_labels(const std::string& spelled);

/// Finds out whether the lists of labels of a file are multi-hot: a 0 or 1, or a share, for each
/// label.
class MultiHotLists {
 public:
  void add(const std::string& spelled);
  /// Throws Error if all lists so far have one length above 1 and only 0, 1 and shares, and one
  /// repeats a value or has a share, or two differ: then they are no names and no positions. `file`
  /// is the name of the input.
  void refuse(const std::string& file) const;

 private:
  bool all_are_ = true;
  std::size_t length_ = 0;  // of all
  bool is_sure_ = false;
  std::string first_;
};

/// How numbers are read that stand for labels. As names, they are labels only where the model's
/// names are numbers or LABEL_n.
enum class LabelNumbers : std::uint8_t { names, positions };

class GoldReader {
 public:
  /// What the spelling of one label is to the model. A `number` would be a position, but is none.
  enum class Match : std::uint8_t { name, number, none };

  /// `translations`: spellings of the input, and the numbers of the labels that they stand for.
  explicit GoldReader(const LabelSet& labels,
                      const std::map<std::string, std::size_t>& translations = {},
                      LabelNumbers numbers = LabelNumbers::names);

  ProblemType problem_type() const { return problem_type_; }
  const std::vector<std::string>& names() const { return names_; }
  Match match(const std::string& spelled) const;
  /// The number of a label; empty: unknown. Where numbers are labels, "2.0" is "2".
  std::optional<std::size_t> find(const std::string& spelled) const;
  /// The spelling of each label in a row of a classifier; for single-label models one, or those of
  /// a JSON array: a value of separators alone is a row without labels. Throws TextError.
  std::vector<std::string> parts(const std::string& spelled) const;

  /// Reads a label; several as a JSON array, for multi-label models also separated by |; for a
  /// regression a number. Throws TextError if it cannot be read, or is missing.
  Gold read(const std::optional<std::string>& spelled) const;

  /// Whether numbers are positions.
  bool reads_positions() const { return numbers_read_ == LabelNumbers::positions; }
  /// "0 = negative, 1 = positive": what positions stand for.
  std::string positions() const;

 private:
  ProblemType problem_type_;
  std::vector<std::string> names_;
  LabelNumbers numbers_read_;
  bool named_by_numbers_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace headlight
