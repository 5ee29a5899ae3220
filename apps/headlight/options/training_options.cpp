#include "options/training_options.h"

#include <filesystem>

#include "build.h"
#include "help/next_step.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "options/output_options.h"

namespace headlight {
namespace {

void add_data_options(CLI::App& command, TrainingOptions& options) {
  const HelpGroup group(command, kInputGroup);
  rule(add_value(command, "--dev FILE", options.dev,
                 "Rows to choose settings by and to measure (default: some of FILE are held out)")
           ->check(not_empty()))
      .needs(kHasLabels,
             "because --teacher-vectors has vectors of the training rows only; --dev-share holds "
             "some of them out");
  rule(add_value(command, "--dev-share P", options.data.dev_share,
                 "Share of the rows of each label to hold out (default: 0.1)")
           ->check(fraction()))
      .excludes("--dev");
  command.add_flag("--regression", options.data.is_regression,
                   "Learn the number in --label instead of a label");
}

void add_method_options(CLI::App& command, TrainingOptions& options) {
  const HelpGroup group(command, kTrainingGroup);
  choice(command.add_option("--train",
                            "Train only the last layer, on the vectors of the model, or all "
                            "weights; auto: all of a config without weights, else the last layer"),
         options.part,
         {{"auto", TrainedPart::automatic}, {"head", TrainedPart::head}, {"all", TrainedPart::all}})
      ->option_text("PART");
  rule(choice(command.add_option("--class-weights",
                                 "Weights of the labels in the loss; balanced: rare labels count "
                                 "as much as frequent ones"),
              options.class_weights,
              {{"none", ClassWeights::none}, {"balanced", ClassWeights::balanced}})
           ->option_text("KIND"),
       "balanced")
      .excludes("--regression", "which learns numbers")
      .needs(kHasLabels);
  add_value(command, "--seed N", options.data.seed,
            "Seed of everything that is drawn at random (default: 0)")
      ->check(whole_number(0, UINT64_MAX));
}

void add_output_options(CLI::App& command, TrainingOptions& options) {
  const HelpGroup group(command, kOutputGroup);
  mark(add_value(command, "-o,--output DIR", options.output, "The directory to create")
           ->check(not_empty())
           ->required(),
       Effect::nothing);
  mark(add_value(command, "--log FILE", options.log,
                 "Also write the course of the training to this file, as JSONL")
           ->check(not_empty())
           ->check(ends_like(OutputFormat::jsonl)),
       Effect::nothing);
  mark(choice(command.add_option("--format", "Output format of the summary"), options.is_json,
              {{"text", false}, {"json", true}})
           ->option_text("FORMAT"),
       Effect::nothing);
  mark(command.add_flag("-f,--force", options.force, "Replace a model that exists, and the log"),
       Effect::nothing);
}

}  // namespace

void TrainingOptions::add_to(CLI::App& command) {
  add_data_options(command, *this);
  add_method_options(command, *this);
  add_output_options(command, *this);
  add_resume(command, "DIR", resume, accepts_build);
  const HelpGroup group(command, kRunGroup);
  mark(command.add_flag("--row-errors-ok", errors_ok,
                        "Rows that cannot be used do not change the exit status"),
       Effect::nothing);
}

Origin TrainingOptions::made_from(const CLI::App& command, const std::string& arithmetic) const {
  return {build_name(), given_options(command), {}, {}, arithmetic, accepts_build};
}

std::string training_command(const CLI::App& command, const std::string& rows) {
  std::string line = "headlight fit " + shell_word(rows);
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || option->get_positional()) continue;
    if (name == "--output") {
      const std::filesystem::path path = directory_name(option->as<std::string>());
      line += " -o " + shell_word(path.filename().string());
    } else if (declaration_of(*option).effect == Effect::nothing) {
      continue;
    } else if (option->get_items_expected_max() == 0) {
      line += ' ' + name;
    } else {
      for (const std::string& value : option->results()) {
        line += ' ' + name + ' ' + shell_word(value);
      }
    }
  }
  return line;
}

std::string directory_name(std::string given) {
  constexpr int kMostLinks = 40;  // as the system follows
  for (int links = 0;; ++links) {
    while (given.size() > 1 && given.ends_with('/')) given.pop_back();
    std::error_code failure;
    const std::filesystem::path to = std::filesystem::read_symlink(given, failure);
    if (failure || links == kMostLinks) return given;
    given = (std::filesystem::path(given).parent_path() / to).string();
  }
}

}  // namespace headlight
