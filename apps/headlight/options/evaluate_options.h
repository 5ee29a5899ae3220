// The options of evaluate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "measuring/ways/ways.h"
#include "options/cascade_options.h"
#include "options/comparing_options.h"
#include "options/engine_options.h"
#include "options/fit_options.h"
#include "options/label_map.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/text_options.h"
#include "options/token_label_options.h"
#include "options/zero_shot_options.h"
#include "terminal/progress.h"

namespace headlight {

struct EvaluateOptions {
  RowOptions rows;
  LabelMap label_map;
  std::string errors_file;
  std::string page_file;
  ComparingOptions comparing;
  CascadeOptions cascade;
  std::string ablated;                 // of --ablate, as typed
  std::optional<PartKind> attributed;  // of --attribute; empty: nothing
  std::vector<std::size_t> at;         // of --at; empty: nothing
  bool row_errors_ok = false;
  Console console;
  ModelOptions model;
  TextOptions text;
  ZeroShotOptions zero_shot;
  TokenLabelOptions token_labels;
  FitOptions fit;
  ProgressOptions progress;
  EngineOptions engine;
  OutputOptions output;

  void add_to(CLI::App& command);
  /// Of --ablate. Throws UsageError if the model lacks a head.
  AblationPlan ablation_plan(const Description& description) const;
  /// Throws UsageError or Error if rows cannot have the labels of the model.
  static void check_labels(const Model& loaded, const LabelSet& labels);
  /// The name of the input in errors.
  std::string name_of_input() const { return rows.file() == "-" ? "standard input" : rows.file(); }

 private:
  void add_measuring_to(CLI::App& command);
  void add_ablation_to(CLI::App& command);
};

}  // namespace headlight
