#include "metrics/ablation.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "metrics/evaluation.h"
#include "metrics/score_measures.h"

namespace headlight {
namespace {

double mean_logit_change(const Prediction& whole, const Prediction& without) {
  double sum = 0.0;
  for (std::size_t i = 0; i < whole.logits.size(); ++i) {
    sum += std::abs(static_cast<double>(without.logits[i]) - static_cast<double>(whole.logits[i]));
  }
  return sum / static_cast<double>(whole.logits.size());
}

}  // namespace

double need_for(const PartEffect& effect) {
  if (effect.changes.empty()) return 0.0;
  const Measure& last = effect.changes.back();
  return last.unit == Unit::share ? -last.value : last.value;
}

AblationSums::AblationSums(LabelSet labels, const std::vector<Part>& parts)
    : labels_(std::move(labels)) {
  for (const Part& part : parts) sums_.emplace_back().part = part;
}

void AblationSums::add(const Gold& gold, const Prediction& whole,
                       const std::vector<Prediction>& without) {
  texts_.push_back(whole.key != 0 ? whole.key : texts_.size());
  const Gold nearest = nearest_gold(labels_, gold, whole);
  for (std::size_t i = 0; i < without.size(); ++i) {
    if (without[i].error.empty()) add_row(nearest, whole, without[i], sums_[i]);
  }
}

void AblationSums::add_row(const Gold& gold, const Prediction& whole, const Prediction& without,
                           Sums& sums) {
  ++sums.rows;
  sums.logits += mean_logit_change(whole, without);
  const bool known = gold.unknown.empty();
  if (known) {
    const double loss = row_loss(labels_, gold, without);
    const double change = loss - row_loss(labels_, gold, whole);
    sums.loss += loss;
    const double before = change - sums.mean;
    sums.mean += before / static_cast<double>(++sums.known);
    sums.squares += before * (change - sums.mean);
  }
  if (labels_.problem_type == ProblemType::regression) return;
  const auto then = given_labels(labels_, whole);
  const auto now = given_labels(labels_, without);
  if (then != now) ++sums.changed;
  if (known && now == gold.labels) ++sums.right;
  if (known && then == gold.labels && now != gold.labels) ++sums.lost;
  if (known && then != gold.labels && now == gold.labels) ++sums.gained;
}

PartEffect AblationSums::effect_of(const Sums& sums, std::size_t distinct) const {
  PartEffect effect;
  effect.part = sums.part;
  effect.rows = sums.rows;
  if (sums.rows == 0) return effect;
  const auto n = static_cast<double>(sums.rows);
  effect.logit_change = sums.logits / n;
  Mean loss{sums.mean, interval_of_mean({sums.mean, sums.squares, sums.known})};
  count_once(loss.interval, sums.rows, distinct);
  if (labels_.problem_type == ProblemType::regression) {
    effect.changes = {
        {"mse_change", "change of the mean squared error", loss.value, loss.interval}};
    effect.without = {{"mse", "mean squared error", sums.loss / n}};
    return effect;
  }
  effect.verdicts_changed = sums.changed;
  effect.changes.push_back({"accuracy_change", "change of accuracy (percentage points)",
                            (static_cast<double>(sums.gained) - static_cast<double>(sums.lost)) / n,
                            paired_interval(sums.gained, sums.lost, sums.rows, distinct),
                            Unit::share});
  effect.without.push_back({"accuracy", "accuracy", static_cast<double>(sums.right) / n,
                            proportion_interval(sums.right, sums.rows, distinct), Unit::share});
  if (labels_.probabilities && sums.known > 0) {
    effect.changes.push_back(
        {"log_loss_change", "change of the log loss", loss.value, loss.interval});
    effect.without.push_back({"log_loss", "log loss", sums.loss / static_cast<double>(sums.known)});
  }
  return effect;
}

Ablation AblationSums::measure() const {
  Ablation ablation;
  ablation.together = together;
  if (!sums_.empty()) ablation.kind = sums_.front().part.kind;
  const std::size_t distinct = count_distinct(texts_);
  for (const Sums& sums : sums_) ablation.effects.push_back(effect_of(sums, distinct));
  return ablation;
}

}  // namespace headlight
