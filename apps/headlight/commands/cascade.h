// A cascade: a small model that passes rows on to a large one, in batch and evaluate.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "metrics/cascade.h"
#include "options/cascade_options.h"
#include "options/run_options.h"
#include "rows/predict.h"

namespace headlight {

/// The large model; empty if there is none. Throws UsageError or Error if the two cannot be one
/// cascade.
std::optional<Model> load_large(const CascadeOptions& options, const Model& small,
                                const ClassifierOptions& reading, const Console& console);
/// Of the labels of `small` in `large`. Throws Error if they are not the same.
std::vector<std::size_t> numbers_in_large(const Model& small, const Model& large,
                                          const ClassifierOptions& reading);
/// Throws Error if cascade.json does not promise the agreement for this run.
LargeModel choose_threshold(const CascadeOptions& options, const Model& small, const Model& large);
/// The models are prepared, and must outlive it.
ScoreTexts<Prediction> score_by_cascade(const Model& small, const Model& large,
                                        const ClassifierOptions& reading, float threshold);

/// Opens cascade.json; nullptr without --write. Throws Error if it exists and may not be replaced.
std::unique_ptr<OutputFile> open_cascade(const CascadeOptions& options, const Model& small,
                                         const OutputOptions& output);
/// Writes and finishes it. Throws Error if no row was measured.
void store_cascade(const CascadeOptions& options, OutputFile& file, const Model& small,
                   const Model& large, const Cascade& measured, const Console& console);

}  // namespace headlight
