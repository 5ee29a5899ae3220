#include "training/contrastive/contrastive_training.h"

#include <algorithm>
#include <vector>

#include "base/interrupt.h"
#include "base/utf8.h"
#include "gradient/losses.h"
#include "training/whole/batches.h"
#include "training/whole/training_log.h"

namespace headlight {
namespace {

TrainOptions contrastive_options(const CourseSettings& course, std::uint64_t seed,
                                 const Description& model) {
  TrainOptions options = options_for_tuning(model);
  options.seed = seed;
  options.learning_rate = course.learning_rate.value_or(options.learning_rate);
  options.batch_tokens = course.batch_tokens.value_or(kContrastiveTokens);
  options.dropout = course.dropout.value_or(options.dropout);
  options.weight_decay = 0.0F;  // the head has no gradient
  return options;
}

class ContrastiveTrainer {
 public:
  ContrastiveTrainer(Parameters& parameters, const std::vector<LabelledRow>& rows,
                     const CourseSettings& course, std::uint64_t seed)
      : options_(contrastive_options(course, seed, parameters.description())),
        rows_(rows),
        lengths_(lengths_of(rows)),
        step_(parameters, options_) {
    for (const LabelledRow& row : rows) {
      labels_.push_back(static_cast<std::uint32_t>(row.target.labels.front()));
    }
    const std::size_t batches = batches_of(0).size();
    options_.epochs = course.epochs.value_or(contrastive_epochs(batches));
  }

  EpochBatches batches_of(std::size_t epoch) const {
    return {lengths_, options_.batch_tokens, options_.seed, epoch, labels_};
  }

  TrainingReport step(std::size_t epoch, const EpochBatches& batches, std::size_t batch) {
    const auto chosen = batches.rows(batch);
    std::vector<std::uint32_t> labels;
    for (const std::uint32_t row : chosen) labels.push_back(labels_[row]);
    const auto loss = [&](const Outputs& outputs, const OutputGradients& gradients) {
      return pair_loss(outputs.vectors, labels, /*weight=*/1.0F, gradients.vectors);
    };
    const std::size_t before = epoch * rows_.size() + batches.rows_before(batch);
    const auto rows = static_cast<double>(rows_.size());
    const double middle = static_cast<double>(before) + 0.5 * static_cast<double>(labels.size());
    const double done = middle / rows / static_cast<double>(options_.epochs);
    const double rate = options_.learning_rate * learning_rate_share(done, options_.warmup);
    const double value = step_.take(rows_, chosen, steps_++, loss, static_cast<float>(rate));
    const std::size_t after = before + labels.size();
    return {steps_, static_cast<double>(after) / rows, options_.epochs, after, 0, value, rate};
  }

  const TrainOptions& options() const { return options_; }

  std::string trained_line() const {
    return "the encoder, by a contrastive loss of pairs with AdamW: " + counted(steps_, "step") +
           ", " + counted(options_.epochs, "epoch") + "; learning rate " +
           formatted("%.3g", static_cast<double>(options_.learning_rate)) + ", batches of " +
           std::to_string(options_.batch_tokens) + " tokens, dropout " +
           formatted("%.3g", static_cast<double>(options_.dropout)) +
           "; then the last layer, on its vectors (L-BFGS in float64)";
  }

 private:
  TrainOptions options_;
  const std::vector<LabelledRow>& rows_;
  std::vector<std::size_t> lengths_;
  std::vector<std::uint32_t> labels_;
  WeightStep step_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::size_t contrastive_epochs(std::size_t batches) {
  constexpr std::size_t kBatches = 20;
  return std::max<std::size_t>((kBatches + batches - 1) / batches, 2);
}

std::string train_contrastive(Parameters& parameters, const LabelledRows& rows,
                              const CourseSettings& course, const TrainingRun& run) {
  using Earlier = TrainingLog::Earlier;
  const Earlier other = run.place.resume ? Earlier::repeat : Earlier::refuse;
  TrainingLog log(run.place.log, run.place.force ? Earlier::replace : other);
  ContrastiveTrainer trainer(parameters, rows.train, course, run.data.seed);
  FitWatch& watch = run.watch;
  watch.begin(FitWatch::Stage::training, 0);
  for (std::size_t epoch = 0; epoch < trainer.options().epochs; ++epoch) {
    const EpochBatches batches = trainer.batches_of(epoch);
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const TrainingReport done = trainer.step(epoch, batches, i);
      watch.step(done);
      log.write({done.step, done.epoch, done.loss, done.learning_rate});
      if (caught_signal() == 0) continue;
      watch.end();
      watch.warn("stopped, and nothing was written; the same command starts again");
      return "";
    }
  }
  watch.end();
  return trainer.trained_line();
}

}  // namespace headlight
