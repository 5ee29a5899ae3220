// Moves the vectors of an encoder by contrast: those of texts with one label come together, those
// of others go apart, which is most of what few rows can teach (Tunstall et al. 2022, "Efficient
// Few-Shot Learning Without Prompts"). A last layer is fitted to them afterwards.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradient/parameters.h"
#include "training/course/planned_course.h"
#include "training/rows/labelled_rows.h"
#include "training/settings.h"
#include "training/whole/trainer.h"

namespace headlight {

inline constexpr std::size_t kContrastiveTokens = 4096;  // of a batch
/// As many as make 20 batches, at least 2.
std::size_t contrastive_epochs(std::size_t batches);

/// Trains all weights below the head by pair_loss() (gradient/losses.h) on the vectors of the rows.
/// options.epochs 0: contrastive_epochs(). Throws Error.
TrainingOutcome contrast(Parameters& parameters, const std::vector<LabelledRow>& rows,
                         TrainOptions options, const TrainWatch& watch);

/// The same of rows.train, as a run says. Returns what was trained; empty if a signal stopped the
/// run, which was said. Throws Error.
std::string train_contrastive(Parameters& parameters, const LabelledRows& rows,
                              const CourseSettings& settings, const PlannedCourse& course);

}  // namespace headlight
