// What is asked of headlight explain, and the two ways to answer it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "commands/live_page.h"
#include "options/label_map.h"
#include "options/method_options.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "options/zero_shot_options.h"
#include "report/explanation/training_rows.h"

namespace headlight {

struct ExplainCommand : LiveCommand {
  ZeroShotOptions zero_shot;
  RowOptions rows;            // of --input, or of --rows
  std::string training_file;  // of --rows; empty: none
  LabelMap label_map;
  RunOptions row_run;
  std::string summary;  // the file of --summary; empty: none
  MethodOptions method;
  std::string title;  // of --title
  std::optional<std::size_t> top_k;

  const CLI::App* command = nullptr;

  bool is_json() const;
  /// How texts are read. Gradients are those of one window.
  ClassifierOptions reading(const Model& loaded) const;
  /// The options of --input, for --rows.
  RowOptions training_rows() const { return rows.in_file(training_file); }
  /// The explanation of a text in the format of the output. `found`: nullptr without --rows.
  std::string document(const Model& shown_model, const LabelSet& labels, const TextInput& input,
                       const Explanation& explanation, const TrainingRows* found) const;
};

/// explain_texts.cpp: the texts of the command line or of standard input. Returns the exit status.
int explain_texts(const ExplainCommand& command, const Engine& engine, Model loaded);

/// explain_training_rows.cpp: adds --rows.
void add_training_rows_to(CLI::App& command, ExplainCommand& explain);
/// explain_training_rows.cpp: the influence of --rows; empty without it, and after a signal.
std::unique_ptr<RowInfluence> influence_of(const ExplainCommand& command, const Model& model,
                                           const Engine& engine, FitWatch& watch);
/// explain_training_rows.cpp: what pushed a verdict; empty without `influence`.
std::optional<TrainingRows> training_rows_of(const ExplainCommand& command,
                                             const RowInfluence* influence, const LabelSet& labels,
                                             const Explanation& explanation);

/// The fact that -k needs: JSON has all words.
inline constexpr Fact kListsSome{"--format text, html or svg, --rows or --summary"};

/// explain_rows.cpp: adds --input and its options.
void add_rows_to(CLI::App& command, ExplainCommand& explain);
/// explain_rows.cpp: the rows of --input FILE. Returns the exit status.
int explain_rows(const ExplainCommand& command, const Engine& engine, Model loaded);
/// explain_summary.cpp: writes the summary after a run with this status, and returns the status
/// then. Reads the finished rows again, because some may be of an earlier run.
int sum_up(const ExplainCommand& command, const LabelSet& labels, int status);
/// explain_summary.cpp: the format of the summary. Throws UsageError if its name ends like another
/// one.
OutputFormat summary_format(const ExplainCommand& command);

}  // namespace headlight
