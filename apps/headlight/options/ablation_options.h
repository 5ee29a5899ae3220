// Options of evaluate that take parts of the model out.
#pragma once

#include <cstdint>
#include <optional>

#include <CLI/CLI.hpp>

#include "classifier/classifier.h"
#include "metrics/ablation.h"
#include "options/options.h"
#include "rows/row_sink.h"
#include "rows/row_source.h"
#include "terminal/progress.h"

namespace headlight {

/// --ablate, --ablate-with
class AblationOptions {
 public:
  void add_to(CLI::App& command);

  bool wanted() const { return kind_.has_value(); }
  /// Empty if nothing is taken out. Throws Error if the model has no such parts.
  std::optional<AblationSums> sums(const Model& model, const LabelSet& labels) const;

  struct Run {
    const Classifier& classifier;
    std::size_t threads;
    RowSource& rows;
    RowSink& sink;  // shows the progress by the size of the input
    RowSink& bare;  // the same without progress
    Progress& progress;
  };
  /// Scores the rows with the whole model and without each part. With means, all rows are read
  /// first and kept, beyond 64 MiB in a temporary file.
  void score(const Run& run) const;

 private:
  enum class With : std::uint8_t { zero, mean };

  void score_with_means(const Run& run) const;

  std::optional<PartKind> kind_;
  With with_ = With::zero;
};

}  // namespace headlight
