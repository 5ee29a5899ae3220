// Fits a temperature and thresholds to the rows that were measured.
#pragma once

#include <string>

#include "metrics/evaluation.h"
#include "model/calibration.h"
#include "model/model.h"

namespace headlight {

struct CalibrationFits {
  bool temperature = false;
  bool thresholds = false;

  bool any() const { return temperature || thresholds; }
};

/// The calibration of the model with what is fitted in place of what it had. Adds the fits to
/// `evaluation`. Throws Error if no fit is possible; `rows` is their name in messages.
Calibration fit_calibration(const CalibrationFits& fits, const Model& model,
                            const Evaluator& evaluator, const std::string& rows,
                            Evaluation& evaluation);

}  // namespace headlight
