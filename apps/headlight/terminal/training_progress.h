// Progress of a training, on standard error.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "terminal/progress.h"
#include "training/whole/trainer.h"

namespace headlight {

/// "epoch 3.4 of 50, loss 0.412, accuracy 91.2 % (best 91.4 %), 1234 rows per second, at most 0:41
/// left"
class TrainingProgress {
 public:
  explicit TrainingProgress(StatusLine::Style style) : status_(style) {}

  /// Call it after each step.
  void update(const TrainingReport& report);

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(const TrainingReport& report) const;

  StatusLine status_;
  Clock::time_point begun_ = Clock::now();
  std::optional<double> loss_;  // a running mean
};

}  // namespace headlight
