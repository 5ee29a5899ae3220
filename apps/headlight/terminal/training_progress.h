// What `headlight fit` says during a training, on standard error.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "terminal/progress.h"
#include "training/film.h"
#include "training/watch.h"

namespace headlight {

/// Notes, warnings and the progress of a training.
class FitProgress : public FitWatch {
 public:
  /// `console` must outlive it.
  FitProgress(const Console& console, StatusLine::Style style) : console_(console), style_(style) {}

  void note(const std::string& line) override { console_.note(line); }
  void warn(const std::string& line) override { complain(line); }
  /// Passes their lines of JSON to `write_problems`, and says the first ones with --verbose.
  void problems(const std::vector<RowProblem>& rows) override;
  void begin(Stage stage, std::size_t before) override;
  void count(std::size_t done, double share) override;
  void step(const TrainingReport& report) override;
  void state(const Model& model, const std::vector<LabelledRow>& rows,
             const TrainingReport& report) override {
    if (film != nullptr) film->see(model, rows, report);
  }
  void end() override;
  Film* film = nullptr;  // of --film
  std::function<void(const std::string& lines)> write_problems;

 private:
  using Clock = std::chrono::steady_clock;

  /// "epoch 3.4 of 50, loss 0.412, accuracy 91.2 % (best 91.4 %), 1234 rows per second, at most
  /// 0:41 left"
  std::string line(const TrainingReport& report) const;

  const Console& console_;
  StatusLine::Style style_;
  std::optional<Progress> counted_;        // of texts or strengths
  std::optional<StatusLine> status_;       // of a training of all weights
  std::optional<Clock::time_point> next_;  // line of a run with several stages
  Clock::time_point begun_;
  std::optional<double> loss_;  // a running mean
};

}  // namespace headlight
