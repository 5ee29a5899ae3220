#include "training/contrastive/contrastive_training.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/utf8.h"
#include "gradient/losses.h"

namespace headlight {

std::size_t contrastive_epochs(std::size_t batches) {
  constexpr std::size_t kBatches = 20;
  return std::max<std::size_t>((kBatches + batches - 1) / batches, 2);
}

TrainingOutcome contrast(Parameters& parameters, const std::vector<LabelledRow>& rows,
                         TrainOptions options, const TrainWatch& watch) {
  options.weight_decay = 0.0F;  // the head has no gradient
  options.counts_rows = true;
  options.steps_per_line = 1;
  const std::vector<LabelledRow> none;
  RowsToTrain all{rows, none, {}};
  for (const LabelledRow& row : rows) {
    all.labels.push_back(static_cast<std::uint32_t>(row.target.labels.front()));
  }
  all.loss = [&](std::span<const std::uint32_t> chosen) -> Loss {
    std::vector<std::uint32_t> labels;
    for (const std::uint32_t row : chosen) labels.push_back(all.labels[row]);
    return [=](const Outputs& outputs, const OutputGradients& gradients) {
      return pair_loss(outputs.vectors, labels, /*weight=*/1.0F, gradients.vectors);
    };
  };
  if (options.epochs == 0) {
    const EpochBatches first(lengths_of(rows), options.batch_tokens, options.seed, 0, all.labels);
    options.epochs = contrastive_epochs(first.size());
  }
  return train(parameters, all, options, watch);
}

std::string train_contrastive(Parameters& parameters, const LabelledRows& rows,
                              const CourseSettings& settings, const PlannedCourse& course) {
  TrainOptions options = options_for_tuning(parameters.description());
  options.epochs = 0;
  options.batch_tokens = kContrastiveTokens;
  options = planned_options(settings, options);
  course.set(rows, options);
  const TrainingOutcome outcome = course.take(
      [&](const TrainWatch& watch) { return contrast(parameters, rows.train, options, watch); });
  if (outcome.stopped) {
    course.warn_stopped(outcome);
    return "";
  }
  return "the encoder, by a contrastive loss of pairs with AdamW: " +
         counted(outcome.step, "step") + ", " +
         counted(static_cast<std::size_t>(outcome.epochs), "epoch") + "; learning rate " +
         formatted("%.3g", static_cast<double>(options.learning_rate)) + ", batches of " +
         std::to_string(options.batch_tokens) + " tokens, dropout " +
         formatted("%.3g", static_cast<double>(options.dropout)) +
         "; then the last layer, on its vectors (L-BFGS in float64)";
}

}  // namespace headlight
