// What `evaluate` learns from labelled rows and stores beside the model's config.
#pragma once

#include <memory>

#include "metrics/evaluation.h"
#include "options.h"

namespace headlight {

/// --fit-temperature, --fit-thresholds
class FitOptions {
 public:
  /// After the options that do not go together with these.
  void add_to(CLI::App& command);

  bool wanted() const { return temperature_ || thresholds_; }
  /// The file that finish() writes. Throws UsageError where the model has nothing to fit, Error
  /// where the file exists and is to be kept.
  std::unique_ptr<OutputFile> open(const Model& model, const OutputOptions& output) const;
  /// Fits, and says in `evaluation` what came of it. Throws Error where nothing fits.
  Calibration fit(const Model& model, const Evaluator& evaluator, const std::string& rows,
                  Evaluation& evaluation) const;

 private:
  bool temperature_ = false;
  bool thresholds_ = false;
};

/// Writes the file whole.
void write_calibration_file(OutputFile& file, const Model& model, const Calibration& calibration);

}  // namespace headlight
