// Scores the rows of evaluate and adds them to its measures.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "commands/wrong_rows.h"
#include "metrics/ablation.h"
#include "metrics/comparison.h"
#include "metrics/evaluation.h"
#include "metrics/gold.h"
#include "metrics/slices.h"
#include "options/evaluate_options.h"
#include "report/evaluation/evaluation_report.h"
#include "rows/row_spool.h"
#include "terminal/progress.h"

namespace headlight {

class RowMeasures {
 public:
  struct Models {
    const Model& first;
    const std::optional<Model>& second;  // of --compare or --then
  };
  /// All must outlive it. Throws Error if the models cannot be compared, or have no parts to
  /// ablate.
  RowMeasures(const EvaluateOptions& options, const LabelSet& labels, const GoldReader& gold,
              const Models& models);

  /// Scores all rows, in the way that the options ask for.
  void score(const Models& prepared, std::size_t threads, RowsAhead& rows);

  EvaluationResults results() const;
  const Evaluator& evaluator() const { return evaluator_; }
  const ErrorCount& errors() const { return errors_; }
  WrongRows* wrong_rows = nullptr;  // also gets the rows

 private:
  /// attributed_rows.cpp: estimates what parts are worth, and takes them out for some rows.
  void attribute(const Classifier& classifier, std::size_t threads, RowsAhead& rows,
                 Progress& progress);
  void add(const Row& row, const Prediction& prediction);
  /// ablated_rows.cpp: takes parts out.
  void score_without_parts(const Classifier& classifier, std::size_t threads, RowsAhead& rows,
                           Progress& progress);
  void add_curve(const Classifier& classifier, const std::vector<PartAway>& heads,
                 std::size_t threads, RowSpool& rows);

  const EvaluateOptions& options_;
  const LabelSet& labels_;
  const GoldReader& gold_;
  Evaluator evaluator_;
  std::optional<SliceEvaluator> slices_;
  std::optional<ModelComparison> comparison_;
  std::optional<CascadeSums> cascade_;
  std::optional<AblationSums> ablation_;
  std::optional<AblationSums> curve_;
  std::optional<Ablation> attribution_;
  CellRows cell_rows_;
  AttentionSums attention_;
  ErrorCount errors_;
};

}  // namespace headlight
