// Options of evaluate that divide the rows, or compare two models on them.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "options/options.h"
#include "options/row_options.h"

namespace headlight {

/// --by, --compare
class ComparingOptions {
 public:
  void add_to(CLI::App& command);

  bool compares() const { return !rival_.empty(); }
  /// Whether rows need all their fields.
  bool reads_fields() const;
  const std::string& slices_by() const { return by_; }
  /// Throws Error if the rows are a table without the column of --by.
  void check_columns(const RowOptions& rows, const RowReader& reader) const;
  const std::string& rival() const { return rival_; }

 private:
  std::string by_;
  std::string rival_;
};

}  // namespace headlight
