#include "metrics/counts.h"

#include <algorithm>
#include <numeric>

namespace headlight {
namespace {

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double f1_of(const LabelCounts& counts) {
  return ratio(2 * counts.found, counts.predicted() + counts.support());
}

}  // namespace

LabelMeasures measures_of(const LabelCounts& counts) {
  return {ratio(counts.found, counts.predicted()), ratio(counts.found, counts.support()),
          f1_of(counts), counts.support(), counts.predicted()};
}

AverageF1 average_f1(std::span<const LabelCounts> counts, AveragedLabels averaged) {
  LabelCounts all;
  std::size_t labels = 0;
  double sum = 0.0;
  double weighted_sum = 0.0;
  for (const LabelCounts& label : counts) {
    const bool seen = label.support() + label.predicted() > 0;
    if (averaged == AveragedLabels::seen && !seen) continue;
    ++labels;
    sum += f1_of(label);
    weighted_sum += f1_of(label) * static_cast<double>(label.support());
    all.found += label.found;
    all.wrong += label.wrong;
    all.missed += label.missed;
  }
  AverageF1 average;
  average.micro = f1_of(all);
  if (labels > 0) average.macro = sum / static_cast<double>(labels);
  if (all.support() > 0) average.weighted = weighted_sum / static_cast<double>(all.support());
  return average;
}

void add_f1(const AverageF1& f1, std::vector<Measure>& measures) {
  measures.push_back({"macro_f1", "macro F1", f1.macro});
  measures.push_back({"micro_f1", "micro F1", f1.micro});
  measures.push_back({"weighted_f1", "weighted F1", f1.weighted});
}

void ConfusionMatrix::add(std::size_t gold, std::size_t predicted) {
  gold_labels_ = std::max(gold_labels_, gold + 1);
  cells_.resize(gold_labels_ * labels_);
  ++cells_[gold * labels_ + predicted];
}

std::size_t ConfusionMatrix::rows() const {
  return std::accumulate(cells_.begin(), cells_.end(), std::size_t{0});
}

std::size_t ConfusionMatrix::right() const {
  std::size_t right = 0;
  for (std::size_t label = 0; label < labels_; ++label) right += at(label, label);
  return right;
}

std::vector<LabelCounts> ConfusionMatrix::counts() const {
  std::vector<LabelCounts> counts(gold_labels_);
  for (std::size_t gold = 0; gold < gold_labels_; ++gold) {
    for (std::size_t predicted = 0; predicted < labels_; ++predicted) {
      const std::size_t rows = at(gold, predicted);
      if (gold == predicted) {
        counts[gold].found += rows;
      } else {
        counts[gold].missed += rows;
        counts[predicted].wrong += rows;
      }
    }
  }
  return counts;
}

std::vector<Mistake> ConfusionMatrix::worst_mistakes(std::size_t most) const {
  std::vector<Mistake> mistakes;
  for (std::size_t gold = 0; gold < gold_labels_; ++gold) {
    for (std::size_t predicted = 0; predicted < labels_; ++predicted) {
      const std::size_t rows = at(gold, predicted);
      if (gold != predicted && rows > 0) mistakes.push_back({gold, predicted, rows});
    }
  }
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const Mistake& a, const Mistake& b) { return a.rows > b.rows; });
  if (mistakes.size() > most) mistakes.resize(most);
  return mistakes;
}

void MultiLabelCounts::add(const std::vector<bool>& gold, const std::vector<bool>& predicted) {
  counts_.resize(std::max(counts_.size(), gold.size()));
  for (std::size_t label = 0; label < gold.size(); ++label) {
    if (gold[label] && predicted[label]) ++counts_[label].found;
    if (!gold[label] && predicted[label]) ++counts_[label].wrong;
    if (gold[label] && !predicted[label]) ++counts_[label].missed;
  }
  ++rows_;
  if (gold == predicted) ++right_rows_;
}

double MultiLabelCounts::subset_accuracy() const { return ratio(right_rows_, rows_); }

double MultiLabelCounts::hamming_loss() const {
  std::size_t off = 0;
  for (const LabelCounts& label : counts_) off += label.wrong + label.missed;
  return ratio(off, rows_ * counts_.size());
}

}  // namespace headlight
