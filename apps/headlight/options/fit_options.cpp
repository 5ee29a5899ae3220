#include "options/fit_options.h"

#include "base/file_guard.h"
#include "model/calibration.h"
#include "options/help_group.h"

namespace headlight {

void FitOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kOutputGroup);
  command_ = &command;
  rule(command.add_flag("--fit-temperature", fits_.temperature,
                        "Fit a temperature; it is stored beside the model's config"))
      .excludes("--zero-shot, --activation or --among")
      .needs(kLabelsTexts)
      .needs(kHasProbabilities);
  rule(command.add_flag("--fit-thresholds", fits_.thresholds,
                        "Fit the threshold of each label for the best F1 and store them beside "
                        "the model's config"))
      .excludes("--zero-shot, --activation or --among")
      .needs(kLabelsTexts)
      .needs(kIsMultiLabel);
}

std::unique_ptr<OutputFile> FitOptions::open(const Model& model,
                                             const OutputOptions& output) const {
  if (!fits_.any()) return nullptr;
  const Description& description = model.description;
  check_fact(*command_, kHasProbabilities, default_activation(description) != ScoreActivation::none,
             ", but the model has none");
  check_fact(*command_, kIsMultiLabel, description.problem_type == ProblemType::multi_label);
  release_input(model.calibration.file);  // it is fitted again
  return std::make_unique<OutputFile>(calibration_path(model.place), output.force());
}

void write_calibration_file(OutputFile& file, const Model& model, const Calibration& calibration) {
  file.output().write(calibration_document(model.description.labels, calibration));
  file.finish();
}

}  // namespace headlight
