// A course of a run: its log, its checkpoint beside the output, and a signal that stops it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "training/course/course.h"
#include "training/training_run.h"

namespace headlight {

struct PlannedCourse {
  const TrainingRun& run;
  std::size_t number = 1;  // of the courses of a training, from 1

  /// Sets what the run says. The first course of a run that does not resume removes the checkpoints
  /// of later ones, which are of another run.
  void set(const LabelledRows& rows, CourseOptions& options) const;
  /// Runs `train`, which is shown. A signal stops it, not the writing of its checkpoint.
  TrainingOutcome take(const std::function<TrainingOutcome(const TrainWatch&)>& train) const;
  /// `kept`: of which weights so far the output was made.
  void warn_stopped(const TrainingOutcome& outcome, const std::string& kept = "") const;
};

}  // namespace headlight
