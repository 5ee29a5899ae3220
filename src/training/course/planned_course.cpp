#include "training/course/planned_course.h"

#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "training/directory/model_directory.h"

namespace headlight {
namespace {

std::string checkpoint_of(const FitPlan& plan, std::size_t number) {
  return plan.directory() + ".checkpoint" + (number > 1 ? "-" + std::to_string(number) : "");
}

}  // namespace

void PlannedCourse::set(const LabelledRows& rows, CourseOptions& options) const {
  for (std::size_t later = 2; number == 1 && !plan.resume && later <= kMostCourses; ++later) {
    const std::string path = checkpoint_of(plan, later);
    if (begins_with(path, kCheckpointMagic)) ::unlink(path.c_str());
  }
  options.seed = plan.data.seed;
  options.keep_last = plan.keep_last;
  options.loss.label_smoothing = plan.label_smoothing;
  options.loss.temperature = plan.temperature;
  options.loss.teacher_share = plan.teacher_share;
  if (plan.class_weights == ClassWeights::balanced) {
    options.loss.class_weights = balanced_class_weights(rows);
  }
  options.log = plan.log;
  options.force = plan.force;
  options.checkpoint = checkpoint_of(plan, number);
  options.resume = plan.resume;
  options.origin = origin;
  options.origin.input["rows"] = hash_of_rows(rows);
}

TrainingOutcome PlannedCourse::run(
    const std::function<TrainingOutcome(const TrainWatch&)>& train) const {
  if (number == 1 && plan.resume && has_checkpoint(plan)) watch.note("resuming a stopped training");
  end_without_force();  // after a signal, scores are measured and a checkpoint is written
  watch.begin(FitWatch::Stage::training, 0);
  TrainingOutcome outcome = train(
      {[&](const TrainingReport& done) { watch.step(done); }, [] { return caught_signal() != 0; }});
  watch.end();
  return outcome;
}

void PlannedCourse::warn_stopped(const TrainingOutcome& outcome, const std::string& kept) const {
  watch.warn("stopped after " + formatted("%.3g", outcome.epochs) + " epochs; " +
             (kept.empty() ? "use" : "the " + kept + " are kept, use") + " --resume to continue");
}

bool has_checkpoint(const FitPlan& plan) {
  for (std::size_t number = 1; number <= kMostCourses; ++number) {
    if (file_exists(checkpoint_of(plan, number))) return true;
  }
  return false;
}

}  // namespace headlight
