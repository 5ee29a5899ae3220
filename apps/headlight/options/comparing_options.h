// Options of evaluate that divide the rows, or compare two models on them.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "metrics/comparison.h"
#include "metrics/slices.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/text_options.h"

namespace headlight {

/// --by, --compare
class ComparingOptions {
 public:
  void add_to(CLI::App& command);

  bool compares() const { return !rival_.empty(); }
  /// Whether rows need all their fields.
  bool reads_fields() const { return !by_.empty() && by_ != kByLength; }
  /// Throws Error if the rows are a table without the column of --by.
  void check_columns(const RowOptions& rows, const RowReader& reader) const;
  std::optional<SliceEvaluator> slices(const LabelSet& labels) const;
  /// The model of --compare. Throws Error.
  std::optional<Model> load(const Console& console) const;
  /// Empty without --compare. Throws Error if the models cannot be compared.
  std::optional<ModelComparison> comparison(const Model& first, const LabelSet& labels,
                                            const std::optional<Model>& second,
                                            const ClassifierOptions& reading) const;

 private:
  std::string by_;
  std::string rival_;
};

}  // namespace headlight
