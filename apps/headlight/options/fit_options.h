// Options for fitting a temperature and thresholds to labelled rows. They are stored beside the
// model's config.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metrics/evaluation.h"
#include "options/options.h"

namespace headlight {

/// --fit-temperature, --fit-thresholds
class FitOptions {
 public:
  /// Must be called after the options that exclude these have been added.
  void add_to(CLI::App& command);

  bool wanted() const { return temperature_ || thresholds_; }
  /// Opens the calibration file; nullptr if nothing is fitted. Throws UsageError if the model has
  /// nothing to fit, and Error if the file exists and may not be replaced.
  std::unique_ptr<OutputFile> open(const Model& model, const OutputOptions& output) const;
  /// Fits and reports the result in `evaluation`. Throws Error if no fit is possible.
  Calibration fit(const Model& model, const Evaluator& evaluator, const std::string& rows,
                  Evaluation& evaluation) const;

 private:
  bool temperature_ = false;
  bool thresholds_ = false;
};

/// Writes and finishes calibration.json.
void write_calibration_file(OutputFile& file, const Model& model, const Calibration& calibration);

}  // namespace headlight
