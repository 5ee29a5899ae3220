// Options of `headlight fit`: what is learned, from which rows, and where the model goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "options/options.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "rows/origin.h"
#include "training/head/head_fitting.h"
#include "training/rows/training_data.h"

namespace headlight {

/// What is trained. automatic: the last layer of a model with weights, else all.
enum class TrainedPart : std::uint8_t { automatic, head, all };

/// What options need of a training.
inline constexpr Fact kTrainsAll{"--train all"};
inline constexpr Fact kHasWeights{"a start with weights"};
inline constexpr Fact kHasLabels{"--label", /*is_listed=*/false};

struct TrainingOptions {
  TrainedPart part = TrainedPart::automatic;
  std::string output;  // the directory
  std::string dev;     // a file of development rows; empty: held out
  DataOptions data;
  ClassWeights class_weights = ClassWeights::none;
  std::string log;  // empty: none
  bool is_json = false;
  bool force = false;
  bool resume = false;
  bool accepts_build = false;
  bool errors_ok = false;

  void add_to(CLI::App& command);
  /// What the model is made from, without what is read: the start and the rows.
  Origin made_from(const CLI::App& command, const std::string& arithmetic) const;
};

/// The command line that makes the same model: all given options but those with Effect::nothing.
/// The output is named without its folder.
std::string training_command(const CLI::App& command, const std::string& rows);

/// `given` without the slashes at its end, or what it leads to if it is a symbolic link.
std::string directory_name(std::string given);

}  // namespace headlight
