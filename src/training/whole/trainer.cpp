#include "training/whole/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "training/whole/batches.h"
#include "training/whole/checkpoint.h"
#include "training/whole/training_log.h"

namespace headlight {
namespace {

constexpr std::uint64_t kStepsPerLine = 10;  // of the log
constexpr double kPerfect = 1.0;             // score; a lower loss is no progress then

std::vector<DecayedRange> decayed_ranges(const Parameters& parameters) {
  std::vector<DecayedRange> ranges;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    if (tensor.decays) ranges.push_back({tensor.offset, tensor.offset + tensor.size});
  }
  return ranges;
}

class Trainer {
 public:
  Trainer(Parameters& parameters, const LabelledRows& rows, const TrainOptions& options,
          const TrainWatch& watch)
      : parameters_(parameters),
        rows_(rows),
        options_(options),
        watch_(watch),
        lengths_(lengths_of(rows.train)),
        tokens_(options.batch_tokens > 0 ? options.batch_tokens : usual_batch_tokens(lengths_)),
        best_(parameters.values().begin(), parameters.values().end()),
        step_(parameters, options),
        development_(parameters, rows.dev, options.loss) {}

  TrainingOutcome run() {
    begin();
    bool stopped = false;
    while (!stopped && !is_finished()) stopped = run_epoch();
    return end(stopped);
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Earlier = TrainingLog::Earlier;

  void begin() {
    const bool resumed =
        options_.resume && !options_.checkpoint.empty() && file_exists(options_.checkpoint);
    if (resumed) {
      state_ = read_checkpoint(options_.checkpoint, options_.origin, blocks());
      const EpochBatches batches(lengths_, tokens_, options_.seed, state_.epoch);
      check_state(options_.checkpoint, state_, batches, options_.epochs, !rows_.dev.empty());
      step_.optimizer().set_steps(state_.step);
      parameters_.refresh();
      log_ = std::make_unique<TrainingLog>(options_.log, Earlier::repeat, state_.log);
    } else {
      const Earlier other = options_.resume ? Earlier::repeat : Earlier::refuse;
      log_ = std::make_unique<TrainingLog>(options_.log, options_.force ? Earlier::replace : other);
      evaluate(0.0);
    }
    saved_ = Clock::now();
  }

  bool is_finished() const {
    const bool stalled = options_.patience > 0 && state_.without_best >= options_.patience;
    return state_.epoch >= options_.epochs || stalled;
  }

  /// Returns whether the run was stopped.
  bool run_epoch() {
    const EpochBatches batches(lengths_, tokens_, options_.seed, state_.epoch);
    if (!rows_before_) {
      rows_before_ = state_.epoch * lengths_.size() + batches.rows_before(state_.batch);
    }
    while (state_.batch < batches.size()) {
      step(batches);
      if (is_stopped()) {
        save();
        return true;
      }
      const std::chrono::duration<double> since = Clock::now() - saved_;
      if (since.count() >= options_.checkpoint_seconds) save();
      if (state_.batch == 0 || is_finished()) return false;
    }
    return false;
  }

  void step(const EpochBatches& batches) {
    const std::size_t begin = batches.rows_before(state_.batch);
    const auto chosen = batches.rows(state_.batch);
    const auto all = static_cast<double>(lengths_.size());
    const double middle = static_cast<double>(begin) + 0.5 * static_cast<double>(chosen.size());
    const double done =
        (static_cast<double>(state_.epoch) + middle / all) / static_cast<double>(options_.epochs);
    const auto rate =
        static_cast<float>(options_.learning_rate * learning_rate_share(done, options_.warmup));
    const double loss = take_step(chosen, rate);
    const double epoch =
        static_cast<double>(state_.epoch) + static_cast<double>(begin + chosen.size()) / all;
    ++state_.step;
    ++state_.batch;
    state_.loss += loss * static_cast<double>(chosen.size());
    state_.rows += chosen.size();
    const bool scored = is_scored(batches.size()) && evaluate(epoch);
    if (scored || state_.step % kStepsPerLine == 0) write_line(epoch, rate, scored);
    if (state_.batch == batches.size()) {
      state_.batch = 0;
      ++state_.epoch;
    }
    report(epoch, loss, rate, begin + chosen.size());
  }

  /// Returns the mean loss of the rows.
  double take_step(std::span<const std::uint32_t> chosen, float rate) {
    RowPointers rows;
    for (const std::uint32_t i : chosen) rows.push_back(&rows_.train[i]);
    return step_.take(rows_.train, chosen, state_.step,
                      loss_of_rows(parameters_.description(), rows, options_.loss), rate);
  }

  /// Whether the development score is measured after the current batch of the epoch.
  bool is_scored(std::size_t batches) const {
    const std::size_t times = options_.evaluations;
    return state_.batch * times / batches != (state_.batch - 1) * times / batches;
  }

  /// Returns whether there are development rows.
  bool evaluate(double epoch) {
    if (rows_.dev.empty()) return false;
    const DevelopmentScore score = development_.score();
    const bool first = !state_.best;
    const bool best = first || is_better(score, *state_.best);
    const bool lower = first || score.loss < state_.lowest_loss;
    state_.latest = score;
    const bool was_perfect = !first && state_.best->score >= kPerfect;
    state_.without_best = (best || lower) && !was_perfect ? 0 : state_.without_best + 1;
    if (lower) state_.lowest_loss = score.loss;
    if (best) {
      state_.best = score;
      state_.best_epoch = epoch;
      std::copy(parameters_.values().begin(), parameters_.values().end(), best_.begin());
    }
    return true;
  }

  void write_line(double epoch, float rate, bool scored) {
    log_->write({state_.step, epoch, state_.loss / static_cast<double>(state_.rows), rate,
                 scored ? &*state_.latest : nullptr});
    state_.log = log_->written();
    state_.loss = 0.0;
    state_.rows = 0;
  }

  /// `rows` are done in the epoch of the step.
  void report(double epoch, double loss, float rate, std::size_t rows) const {
    if (!watch_.report) return;
    const std::size_t epochs_before = state_.batch == 0 ? state_.epoch - 1 : state_.epoch;
    watch_.report({state_.step, epoch, options_.epochs, epochs_before * lengths_.size() + rows,
                   rows_before_.value_or(0), loss, rate, state_.latest ? &*state_.latest : nullptr,
                   state_.best ? &*state_.best : nullptr});
  }

  bool is_stopped() const { return watch_.stopped && watch_.stopped(); }

  CheckpointBlocks blocks() {
    return {parameters_.values(), step_.optimizer().means(), step_.optimizer().squares(), best_};
  }

  void save() {
    if (options_.checkpoint.empty()) return;
    write_checkpoint(options_.checkpoint, options_.origin, state_, blocks());
    saved_ = Clock::now();
  }

  TrainingOutcome end(bool stopped) {
    TrainingOutcome outcome{stopped,     state_.step, epochs_done(), state_.best_epoch,
                            state_.best, tokens_,     state_.latest};
    if (state_.best && !options_.keep_last) {
      std::copy(best_.begin(), best_.end(), parameters_.values().begin());
      parameters_.refresh();
    } else {
      outcome.kept_epoch = outcome.epochs;
    }
    return outcome;
  }

  double epochs_done() const {
    if (state_.batch == 0) return static_cast<double>(state_.epoch);
    const EpochBatches batches(lengths_, tokens_, options_.seed, state_.epoch);
    return static_cast<double>(state_.epoch) +
           static_cast<double>(batches.rows_before(state_.batch)) /
               static_cast<double>(lengths_.size());
  }

  Parameters& parameters_;
  const LabelledRows& rows_;
  const TrainOptions& options_;
  const TrainWatch& watch_;
  std::vector<std::size_t> lengths_;  // of the rows to train on
  std::size_t tokens_;                // of a batch
  std::vector<float> best_;           // the weights with the best score
  WeightStep step_;
  Development development_;
  TrainingState state_;
  std::unique_ptr<TrainingLog> log_;
  std::optional<std::size_t> rows_before_;
  Clock::time_point saved_;
};

}  // namespace

WeightStep::WeightStep(Parameters& parameters, const TrainOptions& options)
    : parameters_(parameters),
      dropout_{options.dropout, options.dropout, options.seed},
      clip_(options.clip),
      gradients_(parameters.values().size()),
      optimizer_(gradients_.size(), decayed_ranges(parameters),
                 {.weight_decay = options.weight_decay}) {}

double WeightStep::take(const std::vector<LabelledRow>& rows, std::span<const std::uint32_t> chosen,
                        std::uint64_t step, const Loss& loss, float rate) {
  batch_.clear();
  std::vector<std::size_t> texts;  // of the windows
  std::vector<std::uint64_t> numbers;
  for (std::size_t text = 0; text < chosen.size(); ++text) {
    const LabelledRow& row = rows[chosen[text]];
    for (std::uint64_t window = 0; window < trained_windows(row); ++window) {
      batch_.add(row.window(window).ids, row.window(window).type_ids);
      texts.push_back(text);
      numbers.push_back(window << 32U | chosen[text]);
    }
  }
  dropout_.step = step;
  dropout_.texts = numbers;
  std::fill(gradients_.begin(), gradients_.end(), 0.0F);
  const double value = backpropagation_.add_gradients(
      parameters_, batch_, dropout_, loss_of_windows(loss, std::move(texts)), gradients_);
  const double norm = norm_of(gradients_);
  if (!std::isfinite(value) || !std::isfinite(norm)) {
    throw TrainingError(
        "the loss is no longer a finite number after " + std::to_string(step) + " steps",
        "use a lower --learning-rate");
  }
  optimizer_.step(gradients_, static_cast<float>(clipping_factor(norm, clip_)), rate,
                  parameters_.values());
  parameters_.refresh();
  return value;
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
  for (const ParameterTensor& tensor : parameters.tensors()) {
    if (tensor.name != "embeddings.token.weight") continue;
    for (float& value : parameters.values().subspan(tensor.offset, tensor.size)) {
      value /= model.embedding.scale;
    }
  }
  parameters.refresh();
  return parameters;
}

TrainingOutcome train(Parameters& parameters, const LabelledRows& rows, const TrainOptions& options,
                      const TrainWatch& watch) {
  if (rows.train.empty()) throw Error("", "there are no rows to train on");
  check_row_losses(parameters.description(), rows, options.loss);
  return Trainer(parameters, rows, options, watch).run();
}

}  // namespace headlight
