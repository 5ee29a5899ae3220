#include "training/course/planned_course.h"

#include <unistd.h>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "training/directory/model_directory.h"

namespace headlight {

void PlannedCourse::set(const LabelledRows& rows, CourseOptions& options) const {
  const OutputPlace& place = run.place;
  for (std::size_t later = 2; number == 1 && !place.resume && later <= kMostCourses; ++later) {
    const std::string path = checkpoint_of(place, later);
    if (begins_with(path, kCheckpointMagic)) ::unlink(path.c_str());
  }
  options.seed = run.data.seed;
  options.epochs = run.settled.epochs.value_or(options.epochs);
  options.keep_last = options.keep_last || run.settled.keeps_last;
  if (run.class_weights == ClassWeights::balanced) {
    options.loss.class_weights = balanced_class_weights(rows);
  }
  options.log = place.log;
  options.force = place.force;
  options.checkpoint = checkpoint_of(place, number);
  options.resume = place.resume;
  options.origin = run.origin;
  options.origin.input["rows"] = hash_of_rows(rows);
}

TrainingOutcome PlannedCourse::take(
    const std::function<TrainingOutcome(const TrainWatch&)>& train) const {
  FitWatch& watch = run.watch;
  if (number == 1 && run.place.resume && has_checkpoint(run.place)) {
    watch.note("resuming a stopped training");
  }
  end_without_force();  // after a signal, scores are measured and a checkpoint is written
  watch.begin(FitWatch::Stage::training, 0);
  TrainingOutcome outcome =
      train({[&](const TrainingReport& done) { watch.step(done); }, is_interrupted});
  watch.end();
  return outcome;
}

void PlannedCourse::warn_stopped(const TrainingOutcome& outcome, const std::string& kept) const {
  run.watch.warn("stopped after " + formatted("%.3g", outcome.epochs) + " epochs; " +
                 (kept.empty() ? "use" : "the " + kept + " are kept, use") +
                 " --resume to continue");
}

}  // namespace headlight
