// Sees what a training does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "training/course/course.h"
#include "training/rows/training_data.h"

namespace headlight {

/// The calls come from one thread.
class FitWatch {
 public:
  /// Work that takes long enough to show how much of it is done.
  enum class Stage : std::uint8_t { encoding, fitting, training, folds, comparing, inverting };

  FitWatch() = default;
  virtual ~FitWatch() = default;
  FitWatch(const FitWatch&) = delete;
  FitWatch& operator=(const FitWatch&) = delete;

  /// A line about the rows, the start or the result.
  virtual void note(const std::string& /*line*/) {}
  /// All rows that cannot be used or contradict each other.
  virtual void problems(const std::vector<RowProblem>& /*rows*/) {}
  /// A line about rows that cannot be used, or a stopped run.
  virtual void warn(const std::string& /*line*/) {}
  /// `before`: how many texts an earlier run has encoded.
  virtual void begin(Stage /*stage*/, std::size_t /*before*/) {}
  /// Texts that were encoded, strengths that were tried, heads that were fitted to folds, rows that
  /// were compared, or percents of an inverse; `share` of the stage is done.
  virtual void count(std::size_t /*done*/, double /*share*/) {}
  virtual void step(const TrainingReport& /*report*/) {}
  /// Of a training of all weights: the model as it is before the first step, and after each epoch,
  /// whose mean loss the report has.
  virtual void state(const Model& /*model*/, const std::vector<LabelledRow>& /*rows*/,
                     const TrainingReport& /*report*/) {}
  virtual void end() {}
};

/// Says what is wrong with the rows; adds to data.notes.
void say_problems(TrainingData& data, FitWatch& watch);

}  // namespace headlight
