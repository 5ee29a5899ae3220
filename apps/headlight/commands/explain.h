// What is asked of headlight explain, and the two ways to answer it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "commands/live_page.h"
#include "options/method_options.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "options/zero_shot_options.h"

namespace headlight {

struct ExplainCommand : LiveCommand {
  ZeroShotOptions zero_shot;
  RowOptions rows;  // of --input
  RunOptions row_run;
  std::string summary;  // the file of --summary; empty: none
  MethodOptions method;
  std::optional<std::size_t> top_k;

  bool is_json() const;
  /// The explanation of a text in the format of the output.
  std::string document(const Model& shown_model, const LabelSet& labels, const TextInput& input,
                       const Explanation& explanation) const;
};

/// explain_texts.cpp: the texts of the command line or of standard input. Returns the exit status.
int explain_texts(const ExplainCommand& command, const Engine& engine, Model loaded);

/// explain_rows.cpp: the rows of --input FILE. Returns the exit status.
int explain_rows(const ExplainCommand& command, const Engine& engine, Model loaded);
/// The format of the summary. Throws UsageError if its name ends like another one.
OutputFormat summary_format(const ExplainCommand& command);

}  // namespace headlight
