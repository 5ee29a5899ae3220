// A course as a plan says: its log, its checkpoint beside the output, and a signal that stops it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "rows/origin.h"
#include "training/course/course.h"
#include "training/fit.h"

namespace headlight {

/// Of a training, one after another.
inline constexpr std::size_t kMostCourses = 3;

struct PlannedCourse {
  const FitPlan& plan;
  const Origin& origin;  // of the model, with the files that were read
  FitWatch& watch;
  std::size_t number = 1;  // of the courses of a training, from 1

  /// Sets all but the epochs and the learning rate. The first course of a run that does not resume
  /// removes the checkpoints of later ones, which are of another run.
  void set(const LabelledRows& rows, CourseOptions& options) const;
  /// Runs `train`, which is shown. A signal stops it, not the writing of its checkpoint.
  TrainingOutcome run(const std::function<TrainingOutcome(const TrainWatch&)>& train) const;
  /// `kept`: of which weights so far the output was made.
  void warn_stopped(const TrainingOutcome& outcome, const std::string& kept = "") const;
};

/// Whether there is a checkpoint of a training that goes to the output of the plan.
bool has_checkpoint(const FitPlan& plan);

}  // namespace headlight
