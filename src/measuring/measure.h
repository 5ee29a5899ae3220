// From labelled rows and a model to all measures of it. START HERE in this room.
//
// Example:
//   const Model model = load_model(locate_model("data/models/sentiment", ""));
//   const LabelSet labels = labels_of(model, {});
//   const GoldReader gold(labels);
//   RowReader rows("reviews.csv", {.format = RowFormat::csv, .needs_label = true});
//   MeasuringWatch watch;  // derive from it to see the rows
//   const Measured found = measure({model}, rows, {labels, gold, rows.name()}, watch);
//   const std::vector<Measure> measures = found.evaluation.measures;  // accuracy, macro F1, …
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"
#include "measuring/calibrating.h"
#include "metrics/ablation.h"
#include "metrics/cascade.h"
#include "metrics/cell_rows.h"
#include "metrics/comparison.h"
#include "metrics/evaluation.h"
#include "metrics/gold.h"
#include "metrics/slices.h"
#include "rows/row_sources.h"

namespace headlight {

class RowMeasures;

/// What was found. What the way does not find is empty.
struct Measured {
  LabelSet labels;
  Evaluation evaluation;
  std::optional<Slices> slices;
  std::optional<Comparison> comparison;
  std::optional<Cascade> cascade;
  std::optional<Ablation> ablation;     // of `attribution`, on a sample of the rows
  std::optional<Ablation> attribution;  // estimated
  CellRows cell_rows;
  LabelSet labels_of_second;          // of `comparison`
  std::optional<Calibration> fitted;  // of plan.fits
};

/// Sees the rows of a run, in their order, on one thread.
class MeasuringWatch {
 public:
  MeasuringWatch() = default;
  virtual ~MeasuringWatch() = default;
  MeasuringWatch(const MeasuringWatch&) = delete;
  MeasuringWatch& operator=(const MeasuringWatch&) = delete;

  /// A row of the file, with its prediction or its error.
  virtual void row(const Row& /*row*/, const TextResult& /*result*/) {}
  /// One that was measured.
  virtual void judged(const Gold& /*gold*/, const Row& /*row*/, const Prediction& /*prediction*/) {}
  /// Rows are read again: `thing` is what is counted, such as "row of the sample".
  virtual void begin(const char* /*thing*/) {}
  virtual void count(std::size_t /*done*/, double /*share*/) {}
  /// A line about the run.
  virtual void note(const std::string& /*line*/) {}
};

/// The models of a run, prepared.
struct MeasuredModels {
  const Model& first;
  const Model* second = nullptr;  // of a way that scores with two
};

/// Scores all rows, gives each to RowMeasures, and adds what it finds beyond them. Ends early after
/// a signal. Throws Error for models that it is not for.
using MeasuringWay = std::function<void(const MeasuredModels& models, RowSource& rows,
                                        RowMeasures& all, Measured& found)>;

/// What is measured.
struct MeasuringPlan {
  LabelSet labels;         // of the predictions
  const GoldReader& gold;  // of these labels
  std::string file;        // the name of the rows in messages
  std::size_t threads = 1;
  MeasuringWay way = {};       // of ways/ways.h; empty: plain_way({})
  std::string slices_by = {};  // a field of the rows, or kByLength; empty: no slices
  bool keeps_cells = false;    // the rows behind a confusion matrix
  CalibrationFits fits = {};
  std::vector<std::size_t> at = {};  // Evaluator::rank_at()
};

/// Scores all rows and measures. After a signal, the result is not complete. Throws Error if there
/// are no rows, or if what was asked for cannot be measured.
Measured measure(const MeasuredModels& models, RowSource& rows, const MeasuringPlan& plan,
                 MeasuringWatch& watch);

}  // namespace headlight
