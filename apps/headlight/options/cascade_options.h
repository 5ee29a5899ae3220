// Options of a cascade: a small model that passes rows on to a large one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "metrics/cascade_file.h"
#include "options/options.h"
#include "options/run_options.h"
#include "rows/predict.h"

namespace headlight {

/// --then, and in batch --agree and --keep-above, in evaluate --write
class CascadeOptions {
 public:
  /// `small` are the options of the small model, and must outlive it.
  void add_to(CLI::App& batch, const ModelOptions& small);
  void add_measuring_to(CLI::App& evaluate, const ModelOptions& small);

  bool is_used() const { return !then_.empty(); }
  /// The large model; empty if there is none. Throws UsageError or Error if the two cannot be one
  /// cascade.
  std::optional<Model> load(const Model& small, const ClassifierOptions& reading,
                            const Console& console) const;
  /// Of the labels of `small` in `large`.
  static std::vector<std::size_t> numbers_in(const Model& small, const Model& large,
                                             const ClassifierOptions& reading);
  /// Throws Error if cascade.json does not promise the agreement for this run.
  LargeModel choose(const Model& small, const Model& large) const;
  /// The models are prepared, and must outlive it.
  static ScoreTexts<Prediction> score(const Model& small, const Model& large,
                                      const ClassifierOptions& reading, float threshold);

  /// Opens cascade.json; nullptr without --write. Throws Error if it exists and may not be
  /// replaced.
  std::unique_ptr<OutputFile> open(const Model& small, const OutputOptions& output) const;
  /// Writes and finishes it. Throws Error if no row was measured.
  void store(OutputFile& file, const Model& small, const Model& large, const Cascade& measured,
             const Console& console) const;

 private:
  Origin::Facts score_options() const;
  Origin origin(const Model& small, const Model& large) const;
  /// The command of this name with the models and the options that change a score.
  std::string command(const std::string& name) const;

  const CLI::App* command_ = nullptr;
  const ModelOptions* small_ = nullptr;
  std::string then_;
  std::string agree_;
  std::optional<float> keep_above_;
  bool writes_ = false;
};

}  // namespace headlight
