// Options of `headlight fit`: what is learned, from which rows, how, and where the model goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/options.h"
#include "options/row_options.h"
#include "options/run_options.h"
#include "training/fit.h"

namespace headlight {

/// What options need of a training.
inline constexpr Fact kTrainsAll{"--train all"};
inline constexpr Fact kTriesSeveral{"--train auto and a start with weights"};
inline constexpr Fact kTrainsOne{"a --train other than auto"};
inline constexpr Fact kTrainsEncoder{"--train all or contrastive"};
inline constexpr Fact kTrainsVectors{"--train all or static"};
inline constexpr Fact kHasWeights{"a start with weights"};
inline constexpr Fact kHasLabels{"--label", /*is_listed=*/false};

struct TrainingOptions {
  FitRequest request;     // all but its way
  AllSettings settings;   // of all ways
  std::size_t train = 0;  // the way: auto, or one of ways_of(settings)
  double minutes = 2.0;   // of the reference machine (ways/cost.h), for what is tried
  std::optional<bool> reads_windows;
  std::string dev_file;           // a file of development rows; empty: held out
  std::vector<std::string> film;  // of --film: a file, then perhaps a text; empty: none
  std::string problems_file;
  std::string checked_file;  // of --apply; empty: none
  std::string numbers_of;    // a model; empty: none
  std::vector<std::string> label_maps;
  bool is_json = false;
  bool accepts_build = false;
  bool errors_ok = false;

  /// With its settings.
  Way way() const;
  /// Whether labels or numbers are learned. Without, the model learns the vectors of a teacher and
  /// is an encoder alone.
  bool has_labels(const RowOptions& rows) const;
  void add_to(CLI::App& command);

 private:
  void add_data(CLI::App& command);
  /// What is taken over from earlier runs.
  void add_earlier(CLI::App& command);
  void add_method(CLI::App& command);
  void add_output(CLI::App& command);
  /// How all weights are trained.
  void add_course(CLI::App& command);
  /// Which weights are kept, and as what.
  void add_result(CLI::App& command);
  void add_teacher_logits(CLI::App& command);
  void add_teacher_vectors(CLI::App& command);
  /// What of the start is left out.
  void add_cuts(CLI::App& command);
};

// Of `check`, too.
CLI::Option* add_merge_labels(CLI::App& command, bool& merges);
CLI::Option* add_class_weights(CLI::App& command, ClassWeights& weights);
CLI::Option* add_kept_vectors(CLI::App& command, std::string& file);
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed);

/// The command line that makes the same model: all given options but those with Effect::nothing.
/// The output is named without its folder.
std::string training_command(const CLI::App& command, const std::vector<std::string>& rows,
                             const OutputPlace& place);

}  // namespace headlight
