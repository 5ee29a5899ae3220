// The options of `headlight fit --train all`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "math/number_format.h"
#include "options/options.h"
#include "options/row_options.h"
#include "options/training_options.h"

namespace headlight {

/// Options of training all weights. What is empty depends on the start.
struct WholeTrainingOptions {
  std::optional<std::size_t> epochs;
  std::optional<float> learning_rate;
  std::optional<std::size_t> batch_tokens;
  std::optional<std::size_t> vocabulary_size;
  std::optional<std::size_t> feed_forward_size;
  std::string keep_layers;  // numbers such as 0,2-4; empty: all
  std::optional<float> dropout;
  bool keep_last = false;  // not the best state
  float label_smoothing = 0.0F;
  std::string teacher_logits;  // a field of the rows; empty: none
  float temperature = 2.0F;
  float teacher_share = 0.8F;
  std::string teacher_vectors;  // an NPY file; empty: none
  NumberFormat stored_as = NumberFormat::f32;

  void add_to(CLI::App& command);
  /// Throws UsageError if an option needs --train all, and it is not used, or if it needs a start
  /// with weights.
  void check(bool is_used, bool is_bare) const;
  /// Throws Error unless there is a teacher's vector for each of `rows`, which are read to their
  /// end.
  void check_vectors(RowReader& rows, const std::string& file) const;
  /// Throws UsageError for options that need labels, where only a teacher's vectors are learned.
  void check_without_labels(const TrainingOptions& training) const;

 private:
  /// How the weights are trained and stored.
  void add_course(CLI::App& command);
  void add_teachers(CLI::App& command);
  /// What of the start is left out.
  void add_cuts(CLI::App& command);
};

}  // namespace headlight
