#include "training/whole/trainer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"
#include "training/whole/optimizer.h"

namespace headlight {
namespace {

std::vector<DecayedRange> decayed_ranges(const Parameters& parameters) {
  std::vector<DecayedRange> ranges;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    if (tensor.decays) ranges.push_back({tensor.offset, tensor.offset + tensor.size});
  }
  return ranges;
}

/// Changes all weights.
class WeightStep : public CourseStep {
 public:
  WeightStep(Parameters& parameters, const RowsToTrain& rows, const TrainOptions& options)
      : parameters_(parameters),
        rows_(rows),
        options_(options),
        lengths_(lengths_of(rows.train)),
        tokens_(options.batch_tokens > 0 ? options.batch_tokens : usual_batch_tokens(lengths_)),
        dropout_{options.dropout, options.dropout, options.seed},
        gradients_(parameters.values().size()),
        optimizer_(gradients_.size(), decayed_ranges(parameters),
                   {.weight_decay = options.weight_decay}) {}

  EpochBatches batches(std::uint64_t epoch) override {
    return {lengths_, tokens_, options_.seed, epoch, rows_.labels};
  }
  CheckpointBlocks state() override { return {optimizer_.means(), optimizer_.squares()}; }
  void resume(std::uint64_t steps) override { optimizer_.set_steps(steps); }
  std::size_t batch_tokens() const { return tokens_; }

  double take(std::span<const std::uint32_t> chosen, const TrainingState& at, float rate) override {
    batch_.clear();
    std::vector<std::size_t> texts;  // of the windows
    std::vector<std::uint64_t> numbers;
    for (std::size_t text = 0; text < chosen.size(); ++text) {
      const LabelledRow& row = rows_.train[chosen[text]];
      for (std::uint64_t window = 0; window < trained_windows(row); ++window) {
        batch_.add(row.window(window).ids, row.window(window).type_ids);
        texts.push_back(text);
        numbers.push_back(window << 32U | chosen[text]);
      }
    }
    dropout_.step = at.step;
    dropout_.texts = numbers;
    std::fill(gradients_.begin(), gradients_.end(), 0.0F);
    const double value = backpropagation_.add_gradients(
        parameters_, batch_, dropout_, loss_of_windows(rows_.loss(chosen), std::move(texts)),
        gradients_);
    const double norm = norm_of(gradients_);
    if (!std::isfinite(value) || !std::isfinite(norm)) {
      throw TrainingError(
          "the loss is no longer a finite number after " + std::to_string(at.step) + " steps",
          "use a lower --learning-rate");
    }
    optimizer_.step(gradients_, static_cast<float>(clipping_factor(norm, options_.clip)), rate,
                    parameters_.values());
    parameters_.refresh();
    return value;
  }

 private:
  Parameters& parameters_;
  const RowsToTrain& rows_;
  const TrainOptions& options_;
  std::vector<std::size_t> lengths_;  // of the rows
  std::size_t tokens_;                // of a batch
  Dropout dropout_;
  std::vector<float> gradients_;
  AdamW optimizer_;
  Backpropagation backpropagation_;
  Batch batch_;
};

}  // namespace

TrainOptions planned_options(const CourseSettings& settings, TrainOptions usual) {
  usual.epochs = settings.epochs.value_or(usual.epochs);
  usual.learning_rate = settings.learning_rate.value_or(usual.learning_rate);
  usual.batch_tokens = settings.batch_tokens.value_or(usual.batch_tokens);
  usual.dropout = settings.dropout.value_or(usual.dropout);
  return usual;
}

TrainOptions options_from_scratch(const Description& model) {
  constexpr double kRate = 0.02;
  TrainOptions options;
  options.learning_rate =
      static_cast<float>(kRate / std::sqrt(static_cast<double>(model.hidden_size)));
  return options;
}

TrainOptions options_for_tuning(const Description& model) {
  constexpr double kRate = 0.04;
  TrainOptions options;
  options.epochs = 3;
  options.patience = 0;
  options.evaluations = 2;
  options.learning_rate = static_cast<float>(kRate / static_cast<double>(model.hidden_size));
  return options;
}

Parameters random_start(const Description& model, std::uint64_t seed) {
  Parameters parameters = Parameters::random(model, seed);
  for (float& value : parameters.values("embeddings.token.weight")) value /= model.embedding.scale;
  parameters.refresh();
  return parameters;
}

TrainingOutcome train(Parameters& parameters, const LabelledRows& rows, const TrainOptions& options,
                      const TrainWatch& watch) {
  check_row_losses(parameters.description(), rows, options.loss);
  const auto loss = [&](std::span<const std::uint32_t> chosen) {
    RowPointers pointers;
    for (const std::uint32_t row : chosen) pointers.push_back(&rows.train[row]);
    return loss_of_rows(parameters.description(), pointers, options.loss);
  };
  return train(parameters, {rows.train, rows.dev, loss}, options, watch);
}

TrainingOutcome train(Parameters& parameters, const RowsToTrain& rows, const TrainOptions& options,
                      const TrainWatch& watch) {
  WeightStep step(parameters, rows, options);
  TrainingOutcome outcome = run_course(parameters, rows.dev, step, options, watch);
  outcome.batch_tokens = step.batch_tokens();
  return outcome;
}

}  // namespace headlight
