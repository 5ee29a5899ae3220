// `headlight fit` without --train: tries the trainings that the rows and the time allow, on the
// same development rows, and keeps the best.
#pragma once

#include "training/trained_model.h"

namespace headlight {

inline constexpr std::size_t kComparedFolds = 5;
/// Whether no row is held out: the rows are few, and each is scored by a model without its fold.
bool scores_in_folds(const FitPlan& plan, const LabelledRows& rows);

/// The plan is made from counts (training_cost.h) and run.plan.minutes, never from the clock. From
/// the fastest model on, another one replaces the best so far if its mean loss is lower by more
/// than the standard error of the difference (the rule of Breiman et al. 1984, "Classification and
/// Regression Trees", §3.4.3).
///
/// `rows.dev` were held out, or are those of a file. Where scores_in_folds(), each training is run
/// without each of the folds, which its model scores, and the best is then run on all rows.
///
/// A training that the rows do not allow (TrainingError) is left out, unless none can be made.
///
/// Where `start` knows too few of the tokens (is_unreadable()), only a model without layers is
/// tried, which learns the words of the rows.
///
/// `start` must live as long as the result. `made` has what is known before. A signal stops the
/// work, which is said. Throws Error.
TrainedModel train_automatically(const TrainingRun& run, const Model& start, LabelledRows rows,
                                 const Fit& made);

}  // namespace headlight
