#include "training/course/course.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/file.h"

namespace headlight {
namespace {

constexpr double kPerfect = 1.0;  // score; a lower loss is no progress then

class Course {
 public:
  Course(Parameters& parameters, const std::vector<LabelledRow>& dev, CourseStep& step,
         const CourseOptions& options, const TrainWatch& watch)
      : parameters_(parameters),
        has_dev_(!dev.empty()),
        step_(step),
        options_(options),
        watch_(watch),
        development_(parameters, dev, options.loss) {
    if (has_dev_ && !options.keep_last) {
      best_.assign(parameters.values().begin(), parameters.values().end());
    }
  }

  TrainingOutcome run() {
    begin();
    bool stopped = false;
    while (!stopped && !is_finished()) stopped = run_epoch();
    if (!stopped && saved_step_ && *saved_step_ < state_.step) save();
    return end(stopped);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void begin() {
    const bool resumed =
        options_.resume && !options_.checkpoint.empty() && file_exists(options_.checkpoint);
    if (resumed) state_ = read_checkpoint(options_.checkpoint, options_.origin, blocks());
    const auto batches = step_.batches(std::min<std::uint64_t>(state_.epoch, options_.epochs));
    rows_ = batches.rows_before(batches.size());
    if (rows_ == 0) throw Error("", "there are no rows to train on");
    if (resumed) {
      const bool is_scored = has_dev_ && (options_.scores_start || state_.epoch > 0);
      check_state(options_.checkpoint, state_, batches, options_.epochs, is_scored);
      step_.resume(state_.step);
      parameters_.refresh();
      saved_step_ = state_.step;
    }
    open_log(resumed);
    rows_done_ = batches.rows_before(state_.batch);
    rows_before_ = state_.epoch * rows_ + rows_done_;
    if (!resumed && options_.scores_start) evaluate(0.0);
    saved_ = Clock::now();
  }

  void open_log(bool resumed) {
    using Earlier = TrainingLog::Earlier;
    const LogPart& written = resumed ? state_.log : options_.log_before;
    Earlier earlier = options_.resume ? Earlier::repeat : Earlier::refuse;
    if (options_.force) earlier = Earlier::replace;
    if (resumed || written.bytes > 0) earlier = Earlier::repeat;
    log_ = std::make_unique<TrainingLog>(options_.log, earlier, written);
    state_.log = log_->written();
  }

  bool is_finished() const {
    const bool stalled = options_.patience > 0 && state_.without_best >= options_.patience;
    return state_.epoch >= options_.epochs || stalled;
  }

  /// Returns whether the run was stopped.
  bool run_epoch() {
    const EpochBatches batches = step_.batches(state_.epoch);
    do {
      step(batches);
      if (watch_.stopped && watch_.stopped()) {
        save();
        return true;
      }
      const std::chrono::duration<double> since = Clock::now() - saved_;
      if (since.count() >= options_.checkpoint_seconds) save();
    } while (state_.batch > 0 && !is_finished());
    return false;
  }

  void step(const EpochBatches& batches) {
    const auto chosen = batches.rows(state_.batch);
    const auto count = static_cast<double>(chosen.size());
    const auto before = static_cast<double>(rows_done_);
    const double done =
        epochs_with(before + options_.rate_at * count) / static_cast<double>(options_.epochs);
    const double exact = options_.learning_rate * learning_rate_share(done, options_.warmup);
    const auto rate = static_cast<float>(exact);
    TrainingReport report;
    report.loss = step_.take(chosen, state_, rate);
    report.learning_rate = options_.counts_rows ? exact : double{rate};
    report.epoch = epochs_with(before + count);
    rows_done_ += chosen.size();
    report.rows = state_.epoch * rows_ + rows_done_;
    report.step = ++state_.step;
    ++state_.batch;
    state_.loss += report.loss * count;
    state_.rows += chosen.size();
    const bool scored = is_scored(batches.size()) && evaluate(report.epoch);
    const bool ends = state_.batch == batches.size();
    if (ends) {
      state_.batch = 0;
      rows_done_ = 0;
      ++state_.epoch;
    }
    const std::size_t lines = options_.steps_per_line;
    if (lines == 0 ? ends : scored || state_.step % lines == 0) write_line(report, scored);
    if (watch_.report && (lines > 0 || ends)) say(report);
  }

  /// The epochs done with so many rows of the current one.
  double epochs_with(double rows) const {
    const auto epoch = static_cast<double>(state_.epoch);
    const auto all = static_cast<double>(rows_);
    return options_.counts_rows ? (epoch * all + rows) / all : epoch + rows / all;
  }

  /// Of the rows since the last line.
  void write_line(TrainingReport& report, bool scored) {
    TrainingReport line = report;
    if (options_.steps_per_line != 1) line.loss = state_.loss / static_cast<double>(state_.rows);
    if (options_.steps_per_line == 0) report.loss = line.loss;
    if (scored) line.latest = &*state_.latest;
    log_->write(line);
    state_.log = log_->written();
    state_.loss = 0.0;
    state_.rows = 0;
  }

  void say(TrainingReport& report) const {
    report.epochs = options_.epochs;
    report.rows_before = rows_before_;
    if (state_.best) report.latest = &*state_.latest;
    if (state_.best) report.best = &*state_.best;
    watch_.report(report);
  }

  /// Whether the development score is measured after the current batch of the epoch.
  bool is_scored(std::size_t batches) const {
    const std::size_t times = options_.evaluations;
    return state_.batch * times / batches != (state_.batch - 1) * times / batches;
  }

  /// Returns whether there are development rows.
  bool evaluate(double epoch) {
    if (!has_dev_) return false;
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
      if (!best_.empty()) std::ranges::copy(parameters_.values(), best_.begin());
    }
    return true;
  }

  CheckpointBlocks blocks() {
    CheckpointBlocks all = step_.state();
    all.insert(all.begin(), parameters_.values());
    if (!best_.empty()) all.emplace_back(best_);
    return all;
  }

  void save() {
    if (options_.checkpoint.empty()) return;
    write_checkpoint(options_.checkpoint, options_.origin, state_, blocks());
    saved_step_ = state_.step;
    saved_ = Clock::now();
  }

  TrainingOutcome end(bool stopped) {
    const double epochs = epochs_with(static_cast<double>(rows_done_));
    if (best_.empty() || !state_.best) return {state_, stopped, epochs, epochs};
    std::ranges::copy(best_, parameters_.values().begin());
    parameters_.refresh();
    return {state_, stopped, epochs, state_.best_epoch};
  }

  Parameters& parameters_;
  bool has_dev_;
  CourseStep& step_;
  const CourseOptions& options_;
  const TrainWatch& watch_;
  Development development_;
  std::vector<float> best_;  // the weights with the best score, if they are kept
  TrainingState state_;
  std::unique_ptr<TrainingLog> log_;
  std::size_t rows_ = 0;                     // of an epoch
  std::size_t rows_done_ = 0;                // of the current one
  std::size_t rows_before_ = 0;              // done by an earlier run, in all epochs
  std::optional<std::uint64_t> saved_step_;  // of the checkpoint
  Clock::time_point saved_;
};

}  // namespace

TrainingOutcome run_course(Parameters& parameters, const std::vector<LabelledRow>& dev,
                           CourseStep& step, const CourseOptions& options,
                           const TrainWatch& watch) {
  return Course(parameters, dev, step, options, watch).run();
}

double learning_rate_share(double done, double warmup) {
  if (done < warmup) return done / warmup;
  return warmup < 1.0 ? std::max(0.0, (1.0 - done) / (1.0 - warmup)) : 1.0;
}

}  // namespace headlight
