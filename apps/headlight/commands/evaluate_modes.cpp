#include "commands/evaluate_modes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "commands/cascade.h"

namespace headlight {
namespace {

ClassifierOptions reading_of(const EvaluateOptions& options) {
  return options.text.classifier_options();
}

constexpr std::array kEvaluateModes = {
    EvaluateMode{"", "", false,
                 [](const auto& options, const auto& /*models*/) {
                   return plain_way([&](const Model& prepared) {
                     return options.zero_shot.classifier(prepared, reading_of(options));
                   });
                 }},
    EvaluateMode{"--attention-stats", "--zero-shot or --among", true,
                 [](const auto& options, const auto& /*models*/) {
                   return attended_way(reading_of(options));
                 }},
    EvaluateMode{"--compare", "--zero-shot, --fit-temperature or --fit-thresholds", false,
                 [](const auto& options, const auto& /*models*/) {
                   return compared_way(reading_of(options));
                 }},
    EvaluateMode{"--then", "--fit-temperature, --fit-thresholds or --html", false,
                 [](const auto& options, const auto& models) {
                   const ClassifierOptions reading = reading_of(options);
                   return cascaded_way(numbers_in_large(models.first, *models.second, reading),
                                       reading);
                 }},
    EvaluateMode{"--ablate", "--zero-shot or --among", true,
                 [](const auto& options, const auto& models) {
                   return ablated_way(options.ablation_plan(models.first.description),
                                      reading_of(options));
                 }},
    EvaluateMode{"--attribute", "--zero-shot or --among", true,
                 [](const auto& options, const auto& /*models*/) {
                   return attributed_way(*options.attributed, reading_of(options));
                 }}};

}  // namespace

void add_mode_rules_to(CLI::App& command) {
  std::vector<std::string> names;
  for (const EvaluateMode& mode : kEvaluateModes) {
    if (*mode.option == 0) continue;
    names.emplace_back(mode.option);
    RulesOf rules = rule(command.get_option(mode.option)).excludes(mode.excludes);
    if (mode.in_one_pass) rules.excludes("--long window", "which averages only logits");
  }
  only_one_of(command, names);
}

MeasuringWay measuring_way(const CLI::App& command, const EvaluateOptions& options,
                           const MeasuredModels& models) {
  const auto is_asked_for = [&](const EvaluateMode& mode) {
    return *mode.option != 0 && command.count(mode.option) > 0;
  };
  const auto* const found = std::ranges::find_if(kEvaluateModes, is_asked_for);
  const EvaluateMode& mode = found == kEvaluateModes.end() ? kEvaluateModes.front() : *found;
  if (mode.in_one_pass) require_layers(models.first, mode.option);
  return mode.way(options, models);
}

}  // namespace headlight
