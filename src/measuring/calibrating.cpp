#include "measuring/calibrating.h"

#include "base/error.h"
#include "classifier/classifier.h"

namespace headlight {

Calibration fit_calibration(const CalibrationFits& fits, const Model& model,
                            const Evaluator& evaluator, const std::string& rows,
                            Evaluation& evaluation) {
  Calibration calibration = model.calibration;
  if (evaluation.rows == evaluation.errors + evaluation.unknown_label_rows) {
    throw Error(rows, "has no rows to fit to");
  }
  const ScoreActivation activation = default_activation(model.description);
  if (fits.temperature &&
      (activation == ScoreActivation::sigmoid_share || model.description.folds > 1)) {
    throw Error(model.place.config,
                "has probabilities that are neither a softmax nor a sigmoid of its logits, and a "
                "temperature is fitted to one");
  }
  if (fits.temperature) {
    const auto fit = evaluator.fit_temperature(activation);
    if (!fit) {
      throw Error(
          rows, "no temperature from 0.05 to 100 is best for these rows",
          "the rows are too few, all predicted correctly, or predicted no better than by chance");
    }
    evaluation.temperature = fit;
    calibration.temperature = fit->temperature;
    if (!fits.thresholds && !calibration.thresholds.empty()) {
      calibration.thresholds.clear();
      evaluation.notes.emplace_back(
          "the stored thresholds were removed: they were fitted to other probabilities");
    }
  }
  if (fits.thresholds) {
    const auto& fitted = evaluation.temperature;
    evaluation.thresholds = evaluator.fit_thresholds(
        fitted ? std::optional<double>(fitted->temperature) : std::nullopt);
    calibration.thresholds.resize(evaluation.thresholds.size(), kDefaultThreshold);
    for (std::size_t i = 0; i < evaluation.thresholds.size(); ++i) {
      const auto& fit = evaluation.thresholds[i];
      if (fit) calibration.thresholds[i] = fit->threshold;
    }
  }
  return calibration;
}

}  // namespace headlight
