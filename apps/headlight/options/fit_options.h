// Options for fitting a temperature and thresholds to labelled rows. They are stored beside the
// model's config.
#pragma once

#include <memory>

#include "measuring/calibrating.h"
#include "options/options.h"

namespace headlight {

/// --fit-temperature, --fit-thresholds
class FitOptions {
 public:
  void add_to(CLI::App& command);

  const CalibrationFits& fits() const { return fits_; }
  /// Opens the calibration file; nullptr if nothing is fitted. Throws UsageError if the model has
  /// nothing to fit, and Error if the file exists and may not be replaced.
  std::unique_ptr<OutputFile> open(const Model& model, const OutputOptions& output) const;

 private:
  const CLI::App* command_ = nullptr;
  CalibrationFits fits_;
};

/// Writes and finishes calibration.json.
void write_calibration_file(OutputFile& file, const Model& model, const Calibration& calibration);

}  // namespace headlight
