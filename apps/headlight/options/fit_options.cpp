#include "options/fit_options.h"

#include "base/error.h"
#include "base/file_guard.h"
#include "model/calibration.h"
#include "options/help_group.h"

namespace headlight {

void FitOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  CLI::Option* temperature =
      command
          .add_flag("--fit-temperature", temperature_,
                    "Fit one temperature and store it beside the model's config")
          ->option_text(" ");
  CLI::Option* thresholds = command
                                .add_flag("--fit-thresholds", thresholds_,
                                          "Fit the threshold of each label for the best F1 and "
                                          "store them beside the model's config")
                                ->option_text(" ");
  for (const char* name : {"--zero-shot", "--activation"}) {
    for (CLI::Option* fit : {temperature, thresholds}) fit->excludes(command.get_option(name));
  }
}

std::unique_ptr<OutputFile> FitOptions::open(const Model& model,
                                             const OutputOptions& output) const {
  if (!wanted()) return nullptr;
  const Description& description = model.description;
  if (temperature_ && default_activation(description) == ScoreActivation::none) {
    throw UsageError("--fit-temperature needs probabilities, but the model has none");
  }
  if (thresholds_ && description.problem_type != ProblemType::multi_label) {
    throw UsageError("--fit-thresholds needs a multi-label model");
  }
  release_input(model.calibration.file);  // it is fitted again
  return std::make_unique<OutputFile>(calibration_path(model.place), output.force());
}

Calibration FitOptions::fit(const Model& model, const Evaluator& evaluator, const std::string& rows,
                            Evaluation& evaluation) const {
  Calibration calibration = model.calibration;
  if (evaluation.rows == evaluation.errors + evaluation.unknown_label_rows) {
    throw Error(rows, "has no rows to fit to");
  }
  if (temperature_) {
    const auto fit = evaluator.fit_temperature(default_activation(model.description));
    if (!fit) {
      throw Error(
          rows, "no temperature from 0.05 to 100 is best for these rows",
          "the rows are too few, all predicted correctly, or predicted no better than by chance");
    }
    evaluation.temperature = fit;
    calibration.temperature = fit->temperature;
    if (!thresholds_ && !calibration.thresholds.empty()) {
      calibration.thresholds.clear();
      evaluation.notes.emplace_back(
          "the stored thresholds were removed: they were fitted to other probabilities");
    }
  }
  if (thresholds_) {
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

void write_calibration_file(OutputFile& file, const Model& model, const Calibration& calibration) {
  file.output().write(calibration_document(model.description.labels, calibration));
  file.finish();
}

}  // namespace headlight
