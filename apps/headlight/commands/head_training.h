// `headlight fit --train head`: a new last layer for a model, on the vectors of its encoder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/engine.h"
#include "options/options.h"
#include "options/training_options.h"
#include "report/training/fit_report.h"
#include "terminal/progress.h"
#include "training/head/classifier_start.h"
#include "training/head/head_fitting.h"
#include "training/head/text_vectors.h"

namespace headlight {

/// The log of a fit: a line of JSON for each strength.
class StrengthLog {
 public:
  /// Writes nothing if `path` is empty. Throws Error if the file may not be replaced: with
  /// `resume`, only a log of the same lines.
  StrengthLog(const std::string& path, bool force, bool resume);
  void add(const StrengthTrial& trial);
  void finish();

 private:
  std::string path_;
  bool resumes_;
  std::string text_;
  std::unique_ptr<OutputFile> file_;
};

struct HeadTraining {
  const TrainingOptions& options;
  const Console& console;
  const Engine& engine;
  Progress::Style progress;
  /// Whether development rows that were held out are trained on in the end.
  bool refits;
  std::string changes;  // how the encoder differs from the files of the start

  /// Gives `start` a last layer for the rows and completes the report. Returns false if a signal
  /// stopped the run, which was said. Throws Error.
  bool run(ClassifierStart& start, const LabelledTexts& rows, FitReport& report) const;

 private:
  /// Both return false or nothing if a signal stopped the work, which was said.
  bool encode(const Model& model, const std::vector<const TextInput*>& inputs,
              VectorFile& file) const;
  std::optional<HeadFit> fit_shown(const FittingRows& train, const FittingRows& dev,
                                   const HeadFittingOptions& fitting, StrengthLog& log) const;
};

/// Loads the finished model and compares its logits, or its vectors, for some rows with those of
/// `made`. Throws Error if they differ.
void check_written(const std::string& folder, const Model& made, const LabelledTexts& rows);

}  // namespace headlight
