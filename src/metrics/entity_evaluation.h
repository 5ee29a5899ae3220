// Entities found in texts against the correct ones, counted as seqeval does (its default mode): an
// entity is right if its name, its beginning and its end are.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "metrics/evaluation.h"

namespace headlight {

/// A half-open range of words, or of code points.
struct NamedSpan {
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const NamedSpan&) const = default;
  bool operator<(const NamedSpan& other) const {
    return std::tie(name, begin, end) < std::tie(other.name, other.begin, other.end);
  }
};

using NamedSpans = std::set<NamedSpan>;

/// The correct entities of a text, from a row: tags, one per word between white space (names or
/// numbers of labels), or spans of code points.
struct GoldEntities {
  std::optional<std::vector<std::string>> tags;
  NamedSpans spans;  // of words for tags
};

/// Reads `["B-PER", "O", …]`, `[1, 0, …]` or `[{"label": "PER", "start": 0, "end": 3}, …]` or
/// `[[0, 3, "PER"], …]`. Throws
/// TextError if it is neither, or does not fit the text, and Error
/// that names the file for numbers that are no labels.
GoldEntities read_gold_entities(const std::string& json, const GoldReader& labels,
                                const std::string& text, const std::string& file);

struct EntityEvaluation {
  std::vector<std::string> names;  // in alphabetical order
  /// Its labels are the names. The accuracy is the share of words with the correct tag, if all rows
  /// have tags; precision and recall are those of the entities of all names.
  Evaluation measured;
};

class EntityEvaluator {
 public:
  explicit EntityEvaluator(std::vector<std::string> labels) : labels_(std::move(labels)) {}

  /// `prediction` has token_labels and no error.
  void add(const GoldEntities& gold, const std::string& text, const Prediction& prediction);
  /// Counts a row that cannot be measured.
  void add_error() { ++errors_; }
  EntityEvaluation measure() const;

 private:
  void count(const NamedSpans& gold, const NamedSpans& predicted);

  std::vector<std::string> labels_;
  std::map<std::string, LabelCounts> counts_;
  std::size_t rows_ = 0;  // measured
  std::size_t tagged_rows_ = 0;
  std::size_t errors_ = 0;
  std::size_t words_ = 0;
  std::size_t right_words_ = 0;
};

}  // namespace headlight
