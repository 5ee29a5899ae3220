// Adds the scored rows of headlight evaluate to its measures.
#pragma once

#include <optional>
#include <string>

#include "commands/wrong_rows.h"
#include "metrics/ablation.h"
#include "metrics/comparison.h"
#include "metrics/evaluation.h"
#include "metrics/gold.h"
#include "metrics/slices.h"
#include "options/options.h"
#include "report/evaluation/evaluation_report.h"
#include "rows/row_sink.h"

namespace headlight {

/// What is measured. Empty parts were not asked for.
struct Measures {
  Evaluator evaluator;
  std::optional<SliceEvaluator> slices;
  std::optional<ModelComparison> comparison;
  std::optional<AblationSums> ablation;
  std::optional<WrongRows>& wrong_rows;
};

/// All references must outlive it.
class MeasuringSink : public RowSink {
 public:
  MeasuringSink(const GoldReader& gold, const LabelSet& labels, Measures& measures)
      : gold_(gold), labels_(labels), measures_(measures) {}

  void write(const ScoredRow& scored) override;
  void flush() override {}

  /// `file` is the name of the input in errors.
  EvaluationResults results(const std::string& file) const;
  const ErrorCount& errors() const { return errors_; }

 private:
  void add_error(const ScoredRow& scored);

  const GoldReader& gold_;
  const LabelSet& labels_;
  Measures& measures_;
  AttentionSums attention_;
  ErrorCount errors_;
};

}  // namespace headlight
