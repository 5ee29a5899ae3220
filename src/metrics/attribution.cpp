#include "metrics/attribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "classifier/batched_encoder.h"
#include "gradient/losses.h"
#include "metrics/score_measures.h"
#include "rows/scoring.h"

namespace headlight {
namespace {

/// The loss of logits [1, c] and its slopes [1, c].
double loss_of(ProblemType type, const Gold& gold, ConstMatrix logits, Matrix slopes) {
  std::vector<float> targets(logits.cols, static_cast<float>(gold.value));
  if (type == ProblemType::regression) {
    return squared_error(logits, {targets.data(), 1, logits.cols}, 1.0F, slopes);
  }
  if (type == ProblemType::single_label) {
    const auto label = static_cast<std::uint32_t>(gold.labels.front());
    return cross_entropy(logits, {&label, 1}, 0.0F, {}, slopes);
  }
  std::ranges::copy(flags_of(gold.labels, targets.size()), targets.begin());
  return binary_cross_entropy(logits, {targets.data(), 1, logits.cols},
                              {1.0F / static_cast<float>(logits.cols), {}}, slopes);
}

}  // namespace

double change_of_loss(ProblemType type, double loss, double first_order) {
  if (first_order == 0.0 || type == ProblemType::multi_label) return first_order;
  if (type == ProblemType::regression) return first_order * (1.0 + first_order / (4.0 * loss));
  // The slope of ln(1 + e^-x) is -(1 - e^-loss), and x = -ln(e^loss - 1).
  const double before = loss > 30.0 ? loss : std::log(std::expm1(loss));
  const double x = before - first_order / std::expm1(-loss);
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))) - loss;
}

Attribution::Attribution(const Classifier& classifier, const GoldReader& gold, PartKind kind)
    : classifier_(classifier),
      gold_(gold),
      parameters_(classifier.model().description, classifier.model().weights),
      parts_(parts_of(parameters_.description(), kind)),
      sums_(parts_.size()) {
  if (parts_.empty()) {
    throw Error(classifier.model().place.path,
                std::string("has no ") + word_for(kind, kPartWords) + "s to take out");
  }
  const bool few = kind == PartKind::neuron && parts_.size() > kSampleNeurons;
  const std::size_t count = few ? kSampleNeurons : parts_.size();
  for (std::size_t i = 0; i < count; ++i) sampled_parts_.push_back(i * parts_.size() / count);
}

std::vector<AttributedPrediction> Attribution::score(const std::vector<Row>& rows,
                                                     ScoringScratch& scratch,
                                                     const StopCheck& stopped) const {
  const std::vector<TextInput> inputs = readable_inputs(rows);
  std::vector<AttributedPrediction> results;
  for (Prediction& prediction : classifier_.classify(inputs, scratch, stopped)) {
    results.push_back({std::move(prediction), {}});
  }
  std::vector<Gold> gold;
  for (const Row& row : rows) {
    if (row.error.empty()) gold.push_back(gold_.read(row.label));
  }
  Texts texts;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].error.empty()) continue;
    gold[i] = nearest_gold(classifier_.labels(), gold[i], results[i]);
    if (!gold[i].unknown.empty()) continue;
    const ReadText read = classifier_.reader().read(inputs[i]);
    texts.batch.add(read.windows.front().ids, read.windows.front().type_ids);
    texts.numbers.push_back(i);
    if (texts.batch.tokens() < tokens_at_once(parameters_.description())) continue;
    if (stopped()) return {};
    score_batch(texts, gold, results);
  }
  if (!texts.numbers.empty()) score_batch(texts, gold, results);
  return results;
}

void Attribution::score_batch(Texts& texts, const std::vector<Gold>& gold,
                              std::vector<AttributedPrediction>& results) const {
  const ProblemType type = parameters_.description().problem_type;
  const auto temperature = static_cast<float>(classifier_.temperature());
  std::vector<double> losses;
  const auto loss = [&](const Outputs& outputs, const OutputGradients& gradients) {
    for (std::size_t i = 0; i < texts.numbers.size(); ++i) {
      std::vector<float> logits(outputs.logits.row(i).begin(), outputs.logits.row(i).end());
      for (float& logit : logits) logit /= temperature;
      losses.push_back(loss_of(type, gold[texts.numbers[i]], {logits.data(), 1, logits.size()},
                               gradients.logits.row_range(i, 1)));
      for (float& slope : gradients.logits.row(i)) slope /= temperature;
    }
    return 0.0;
  };
  PartProducts products(parameters_.description(), parts_.front().kind);
  Backpropagation(BackwardRules::gradient, &products)
      .embedded_gradient(parameters_.description(), parameters_.weights(), texts.batch, {}, loss);
  for (std::size_t i = 0; i < texts.numbers.size(); ++i) {
    std::vector<double>& worth = results[texts.numbers[i]].worth;
    for (const double product : products.of_text(i)) {
      worth.push_back(change_of_loss(type, losses[i], -product));
    }
  }
  texts = {};
}

void Attribution::add(const Row& row, const std::vector<double>& worth) {
  for (std::size_t i = 0; i < worth.size(); ++i) sums_[i] += worth[i];
  // Each row is in the sample with the same probability (Vitter 1985, algorithm R).
  const std::size_t place = rows_ < kSampleRows ? rows_ : random_() % (rows_ + 1);
  ++rows_;
  if (place >= kSampleRows) return;
  sample_.resize(std::max(sample_.size(), place + 1));
  sample_[place] = {row, {}};
  for (const std::size_t i : sampled_parts_) sample_[place].worth.push_back(worth[i]);
}

RowSpool Attribution::sample_rows() const {
  RowSpool rows;
  for (const Sampled& sampled : sample_) rows.add(sampled.row);
  return rows;
}

std::vector<Part> Attribution::sample_parts() const {
  std::vector<Part> parts;
  for (const std::size_t number : sampled_parts_) parts.push_back(parts_[number]);
  return parts;
}

Ablation Attribution::measure(const Ablation& exact) const {
  Ablation ablation;
  ablation.kind = parts_.front().kind;
  ablation.estimated = true;
  for (std::size_t i = 0; i < parts_.size() && rows_ > 0; ++i) {
    ablation.effects.push_back(
        {parts_[i],
         rows_,
         {{"worth", "rise of the loss without the part", sums_[i] / static_cast<double>(rows_)}}});
  }
  std::vector<double> estimates;
  std::vector<double> changes;
  for (std::size_t i = 0; i < exact.effects.size(); ++i) {
    if (exact.effects[i].changes.empty() || sample_.empty()) continue;
    changes.push_back(exact.effects[i].changes.back().value);  // of the loss
    estimates.push_back(0.0);
    for (const Sampled& sampled : sample_) estimates.back() += sampled.worth[i];
  }
  if (!changes.empty()) ablation.correlation = regression_measures(estimates, changes).pearson;
  ablation.compared_rows = sample_.size();
  return ablation;
}

}  // namespace headlight
