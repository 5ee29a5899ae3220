#include "training/head/head_fitting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "metrics/fitting.h"
#include "metrics/row_scores.h"
#include "metrics/score_table.h"
#include "training/head/head_loss.h"
#include "training/head/lbfgs.h"

namespace headlight {
namespace {

/// From strong to weak: each fit starts where the last one ended.
constexpr std::array kStrengths = {10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003};
/// The search ends after this many strengths that are worse than the best one.
constexpr std::size_t kPatience = 2;

double squared_error(const std::vector<float>& values, std::span<const Gold> targets) {
  double sum = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double error = static_cast<double>(values[i]) - targets[i].value;
    sum += error * error;
  }
  return sum / static_cast<double>(targets.size());
}

/// The log loss at a temperature of 0 or infinity, whichever is lower.
double loss_at_bounds(const ScoreTable& logits, std::span<const Gold> targets,
                      ProblemType problem) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (is_correct(logits.row(i), targets[i], problem)) continue;
    return problem == ProblemType::single_label ? std::log(static_cast<double>(logits.labels))
                                                : std::log(2.0);
  }
  return 0.0;
}

/// The lowest log loss of any temperature.
double best_log_loss(const std::vector<float>& logits, std::span<const Gold> targets,
                     const HeadFittingOptions& options) {
  const ScoreTable table{options.classes, logits};
  std::optional<TemperatureFit> fit;
  if (options.problem_type == ProblemType::single_label) {
    std::vector<std::size_t> gold;
    for (const Gold& target : targets) gold.push_back(target.labels.front());
    fit = fit_temperature(table, gold);
  } else {
    std::vector<bool> gold(logits.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      for (const std::size_t label : targets[i].labels) gold[i * options.classes + label] = true;
    }
    fit = fit_temperature(table, gold);
  }
  return fit ? fit->log_loss_after : loss_at_bounds(table, targets, options.problem_type);
}

double loss_of(const std::vector<float>& logits, std::span<const Gold> targets,
               const HeadFittingOptions& options) {
  if (options.problem_type == ProblemType::regression) return squared_error(logits, targets);
  return best_log_loss(logits, targets, options);
}

std::vector<float> logits_of(const LinearHead& head, const FittingRows& rows,
                             const HeadFittingOptions& options) {
  return logits_of(head, rows.vectors, options.classes, rows.beside);
}

}  // namespace

CopiedRows::CopiedRows(const FittingRows& all, const std::function<bool(std::size_t)>& is_wanted)
    : width_(all.vectors.cols) {
  if (all.beside != nullptr) beside_.emplace().width = all.beside->width;
  for (std::size_t i = 0; i < all.targets.size(); ++i) {
    if (!is_wanted(i)) continue;
    const std::span<const float> vector = all.vectors.row(i);
    vectors_.insert(vectors_.end(), vector.begin(), vector.end());
    targets_.push_back(all.targets[i]);
    if (!beside_) continue;
    for (std::size_t j = all.beside->starts[i]; j < all.beside->starts[i + 1]; ++j) {
      beside_->columns.push_back(all.beside->columns[j]);
      beside_->values.push_back(all.beside->values[j]);
    }
    beside_->starts.push_back(beside_->columns.size());
  }
}

FittingRows CopiedRows::view() const {
  return {ConstMatrix(vectors_.data(), targets_.size(), width_), targets_,
          beside_ ? &*beside_ : nullptr};
}

std::vector<float> logits_of(const LinearHead& head, ConstMatrix vectors, std::size_t classes,
                             const SparseRows* beside) {
  std::vector<float> logits;
  logits.reserve(vectors.rows * classes);
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    const std::span<const float> x = vectors.row(i);
    for (std::size_t k = 0; k < classes; ++k) {
      double sum = head.bias.empty() ? 0.0 : static_cast<double>(head.bias[k]);
      const float* weight = head.weight.data() + k * x.size();
      for (std::size_t j = 0; j < x.size(); ++j) {
        sum += static_cast<double>(weight[j]) * static_cast<double>(x[j]);
      }
      if (beside != nullptr) {
        for (std::size_t j = beside->starts[i]; j < beside->starts[i + 1]; ++j) {
          sum += static_cast<double>(beside->values[j]) *
                 static_cast<double>(head.beside[beside->columns[j] * classes + k]);
        }
      }
      logits.push_back(static_cast<float>(sum));
    }
  }
  return logits;
}

std::optional<HeadFit> fit_head(const FittingRows& train, const FittingRows& dev,
                                const HeadFittingOptions& options, const FittingWatch& watch) {
  HeadLoss loss(train, options);
  std::vector<double> x(loss.parameters());
  const bool measures = !dev.targets.empty();
  const std::optional<double> fixed =
      options.strength || measures ? options.strength : std::optional(kDefaultStrength);
  const std::vector<double> strengths =
      fixed ? std::vector{*fixed} : std::vector(kStrengths.begin(), kStrengths.end());
  HeadFit best;
  std::size_t worse = 0;
  bool halted = false;
  for (std::size_t i = 0; i < strengths.size() && worse < kPatience; ++i) {
    const double strength = strengths[i];
    loss.set_strength(strength);
    const auto check = [&] {
      return halted = watch.stopped(static_cast<double>(i) / static_cast<double>(strengths.size()));
    };
    const std::size_t steps = minimize(std::cref(loss), x, {}, check);
    if (halted) return std::nullopt;
    HeadFit fit{loss.head(x), strength, std::nullopt};
    if (measures) fit.loss = loss_of(logits_of(fit.head, dev, options), dev.targets, options);
    watch.tried({strength, steps, fit.loss});
    const bool better = !best.loss || (fit.loss && *fit.loss < *best.loss);
    worse = better ? 0 : worse + 1;
    if (better) best = std::move(fit);
  }
  return best;
}

std::optional<double> strength_by_folds(const FittingRows& rows,
                                        const std::vector<std::size_t>& fold, std::size_t folds,
                                        const HeadFittingOptions& options,
                                        const FittingWatch& watch) {
  std::array<std::vector<float>, kStrengths.size()> logits;
  std::array<std::size_t, kStrengths.size()> steps = {};
  std::vector<Gold> targets;
  bool halted = false;
  for (std::size_t each = 0; each < folds; ++each) {
    const CopiedRows rest(rows, [&](std::size_t i) { return fold[i] != each; });
    const CopiedRows held(rows, [&](std::size_t i) { return fold[i] == each; });
    const FittingRows scored = held.view();
    if (scored.targets.empty() || rest.view().targets.empty()) continue;
    const auto check = [&] {
      return halted = watch.stopped(static_cast<double>(each) / static_cast<double>(folds));
    };
    HeadLoss loss(rest.view(), options);
    std::vector<double> x(loss.parameters());
    for (std::size_t i = 0; i < kStrengths.size(); ++i) {
      loss.set_strength(kStrengths.at(i));
      steps.at(i) += minimize(std::cref(loss), x, {}, check);
      if (halted) return std::nullopt;
      std::ranges::copy(logits_of(loss.head(x), scored, options), std::back_inserter(logits.at(i)));
    }
    targets.insert(targets.end(), scored.targets.begin(), scored.targets.end());
  }
  if (targets.empty()) return kDefaultStrength;
  std::pair<double, double> best{INFINITY, kDefaultStrength};  // the loss and the strength
  for (std::size_t i = 0; i < kStrengths.size(); ++i) {
    const StrengthTrial trial{kStrengths.at(i), steps.at(i),
                              loss_of(logits.at(i), targets, options)};
    watch.tried(trial);
    if (*trial.loss < best.first) best = {*trial.loss, trial.strength};
  }
  return best.second;
}

std::optional<LinearHead> refit_head(const FittingRows& rows, const HeadFittingOptions& options,
                                     const HeadFit& start, const std::function<bool()>& stopped) {
  HeadLoss loss(rows, options);
  loss.set_strength(start.strength);
  std::vector<double> x = loss.parameters_of(start.head);
  bool halted = false;
  minimize(std::cref(loss), x, {}, [&] { return halted = stopped(); });
  if (halted) return std::nullopt;
  return loss.head(x);
}

void scale_head(float factor, LinearHead& head) {
  for (std::vector<float>* numbers : {&head.weight, &head.bias, &head.beside}) {
    for (float& number : *numbers) number *= factor;
  }
}

void round_head(NumberFormat format, LinearHead& head) {
  for (std::vector<float>* numbers : {&head.weight, &head.bias}) {
    const std::vector<std::byte> bytes = bytes_in(format, *numbers);
    widen(format, bytes.data(), *numbers);
  }
}

}  // namespace headlight
