#include "training/course/development.h"

#include <algorithm>
#include <span>
#include <utility>

#include "classifier/batched_encoder.h"
#include "encoder/forward.h"
#include "encoder/pooling.h"
#include "metrics/row_scores.h"
#include "training/rows/training_data.h"

namespace headlight {
namespace {

constexpr std::size_t kTokensAtOnce = 4096;

/// Of its logits [c].
Prediction prediction_of(const LabelledRow& row, std::span<const float> logits,
                         ScoreActivation activation, const Calibration& at) {
  Prediction prediction;
  prediction.logits.assign(logits.begin(), logits.end());
  prediction.scores = activate_scores(activation, logits, at.temperature.value_or(1.0));
  prediction.best = static_cast<std::size_t>(std::ranges::max_element(logits) - logits.begin());
  prediction.key = row.held_with();
  return prediction;
}

/// The temperature and the thresholds that are best for the rows of `evaluator`.
Calibration calibration_of(const LabelSet& labels, ScoreActivation activation,
                           const Evaluator& evaluator) {
  Calibration found;
  if (evaluator.distinct() == 0) return found;
  const auto fit = evaluator.fit_temperature(activation);
  if (fit) found.temperature = fit->temperature;
  if (labels.problem_type != ProblemType::multi_label) return found;
  for (const auto& each : evaluator.fit_thresholds(found.temperature)) {
    found.thresholds.push_back(each ? each->threshold : kDefaultThreshold);
  }
  return found;
}

}  // namespace

bool is_better(const DevelopmentScore& score, const DevelopmentScore& than) {
  return score.score != than.score ? score.score > than.score : score.loss < than.loss;
}

DevelopmentFigures development_figures(const LabelSet& labels, const std::vector<float>& logits,
                                       const std::vector<LabelledRow>& rows) {
  constexpr std::size_t kFolds = 5;
  const ScoreActivation activation =
      activation_of_problem(labels.problem_type, labels.names.size());
  DevelopmentFigures figures;
  figures.labels = labels;
  figures.logits = logits;
  figures.labels.probabilities = activation != ScoreActivation::none;
  const auto predicted = [&](std::size_t i, const Calibration& at) {
    const std::size_t c = labels.names.size();
    return prediction_of(rows[i], std::span(logits).subspan(i * c, c), activation, at);
  };
  const auto add = [&](Evaluator& evaluator, std::size_t i, const Calibration& at) {
    evaluator.use_thresholds(at.thresholds);
    evaluator.add(rows[i].target, predicted(i, at));
  };
  const auto folds = folds_of(rows, labels, kFolds, 0);
  std::vector<Calibration> fitted(kFolds + 1);  // to the rows outside of each fold, and to all
  figures.is_calibrated = figures.labels.probabilities && can_choose(rows);
  for (std::size_t fold = 0; figures.is_calibrated && fold <= kFolds; ++fold) {
    Evaluator outside(figures.labels, /*keep_logits=*/true);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (folds[i] != fold) add(outside, i, {});
    }
    fitted[fold] = calibration_of(figures.labels, activation, outside);
  }
  const auto measured = [&](bool only_earlier) {
    Evaluator evaluator(figures.labels, /*keep_logits=*/false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!only_earlier || rows[i].is_earlier) add(evaluator, i, fitted[folds[i]]);
    }
    return evaluator.measure();
  };
  figures.evaluation = measured(false);
  if (!fitted.back().thresholds.empty()) {
    std::vector<Calibration> with = fitted;
    for (Calibration& each : fitted) each.thresholds.clear();
    Evaluation plain = measured(false);
    if (plain.find("micro_f1")->value < figures.evaluation.find("micro_f1")->value) {
      fitted = std::move(with);
    } else {
      figures.evaluation = std::move(plain);
    }
  }
  for (std::size_t i = 0; i < count_known(rows); ++i) {
    figures.losses.push_back(
        row_loss(figures.labels, rows[i].target, predicted(i, fitted[folds[i]])));
  }
  figures.calibration = fitted.back();
  if (std::ranges::any_of(rows, &LabelledRow::is_earlier)) figures.earlier = measured(true);
  return figures;
}

DevelopmentScore Development::score() {
  const Description& model = parameters_.description();
  RowLossOptions plain;
  plain.teacher_share = 0.0F;
  if (model.classes() == 0) plain.vectors = options_.vectors;
  double loss = 0.0;
  const std::vector<float> outputs = this->outputs();
  const ConstMatrix all(outputs.data(), rows_.size(), outputs.size() / rows_.size());
  const std::size_t known = count_known(rows_);
  for (std::size_t begin = 0; begin < known;) {
    const RowPointers rows = some_rows(begin, known);
    loss +=
        loss_of(rows, all.row_range(begin, rows.size()), plain) * static_cast<double>(rows.size());
    begin += rows.size();
  }
  loss /= static_cast<double>(known);
  if (model.classes() == 0) return {"cosine", 1.0 - loss, loss};
  RowScores scores(model.problem_type);
  for (std::size_t i = 0; i < rows_.size(); ++i) scores.add(all.row(i), rows_[i].target);
  const auto [name, value] = scores.score(loss);
  return {name, value, loss};
}

RowPointers Development::some_rows(std::size_t begin, std::size_t end) const {
  RowPointers rows;
  std::size_t tokens = 0;
  for (std::size_t i = begin; i < end; ++i) {
    tokens += rows_[i].tokens.size();
    if (!rows.empty() && tokens > kTokensAtOnce) break;
    rows.push_back(&rows_[i]);
  }
  return rows;
}

std::vector<float> Development::outputs() const {
  const Description& model = parameters_.description();
  Buffer pooled;
  const auto run = [&](const Batch& batch, Scratch& scratch) -> ConstMatrix {
    Pass pass{batch, scratch};
    if (model.classes() > 0) return forward(model, parameters_.weights(), pass);
    const ConstMatrix x = encode(model, parameters_.weights(), pass, {});
    const Matrix vectors = pooled.shape(batch.texts(), x.cols);
    pool(model, parameters_.weights(), pass, x, vectors);
    return vectors;
  };
  ScoringScratch scratch;
  BatchedEncoder encoder(run, model, kTokensAtOnce, scratch);
  std::vector<float> all;
  for (const EncodedText& text : encoder.encode(
           rows_.size(), [&](std::size_t i) { return read_text(rows_[i]); },
           [] { return false; })) {
    const std::vector<float> own = text.windows.mean();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

double Development::loss_of(const RowPointers& rows, ConstMatrix outputs,
                            const RowLossOptions& options) {
  const Description& model = parameters_.description();
  const Matrix unused = unused_.shape(outputs.rows, outputs.cols);
  const Loss loss = loss_of_rows(model, rows, options);
  return model.classes() > 0 ? loss({outputs, {}}, {unused, {}})
                             : loss({{}, outputs}, {{}, unused});
}

}  // namespace headlight
