// Options for the fields that batch writes for each row.
#pragma once

#include <string>

#include "options/options.h"
#include "options/row_options.h"
#include "report/predictions/row_writer.h"

namespace headlight {

/// --logits, --probabilities, --echo-text, --keep, --column-prefix, --no-output-header
class RowOutputOptions {
 public:
  void add_to(CLI::App& command);
  bool keeps() const { return keep_; }
  RowLayout layout(const RowOptions& rows, const OutputOptions& output, PredictionView view) const;

 private:
  bool logits_ = false;
  bool probabilities_ = false;
  bool echo_text_ = false;
  bool keep_ = false;
  bool no_header_ = false;
  std::string prefix_;
};

}  // namespace headlight
