// One run of batch, embed or explain over a file of rows: from the first row that is not scored yet
// to the last, or until a signal or an error stops the run.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>

#include "options/engine_options.h"
#include "options/run_options.h"
#include "report/predictions/row_serializer.h"
#include "rows/row_sources.h"
#include "rows/scoring.h"

namespace headlight {

class RowRun {
 public:
  /// All must outlive it.
  RowRun(const RunOptions& options, const RowOptions& rows, const OutputOptions& output,
         const Console& console, const Engine& engine)
      : options_(options), rows_(rows), output_(output), console_(console), engine_(engine) {}

  /// Opens the output. False if it is already complete, which a note says; then the summary is
  /// written again, and status() is that of all rows. The arguments must outlive the run.
  bool open(RowReader& input, const Model& model, RowFinder& finder, const LargeModel& large = {});
  int status() const { return options_.errors.status(count_); }
  /// For the summary. `labels` must outlive the run.
  void sum_labels(const LabelSet& labels) { sums_.labels = &labels; }
  /// Reads the first rows. `rows` must come from the input and outlive the run.
  const RowsAhead& read_ahead(RowSource& rows);
  /// Scores the rows that are not scored yet, writes them with `serializer`, and returns the exit
  /// status. Throws Error if the run cannot continue; the rows scored until then have been written.
  template <typename Result, typename Serializer>
  int score(const ScoreTexts<Result>& score, Serializer& serializer,
            std::size_t rows_at_once = RowPace().rows_at_once) {
    return run(serializer, [&](const std::function<void()>& show_progress) {
      const auto write_row = [&](const ScoredRow<Result>& row) {
        write(row.row, row.result, serializer, serializer.row(row));
        if constexpr (std::is_base_of_v<Prediction, Result>) sums_.add(row.result);
        show_progress();
      };
      score_rows<Result>({engine_.threads(), rows_at_once}, *ahead_, score,
                         {write_row, [this] { flush(); }});
    });
  }

 private:
  using ScoreAll = std::function<void(const std::function<void()>& show_progress)>;

  int run(RowSerializer& serializer, const ScoreAll& score_all);
  /// False if a signal stopped the run.
  bool score_and_finish(RowSerializer& serializer, const ScoreAll& score_all);
  /// Throws Error at the row that exceeds the permitted errors.
  void write(const Row& row, const TextResult& result, const RowSerializer& serializer,
             const std::string& bytes);
  void flush();
  void save_by_force();
  void write_summary(bool finished) const;
  void say_stopped() const;

  const RunOptions& options_;
  const RowOptions& rows_;
  const OutputOptions& output_;
  const Console& console_;
  const Engine& engine_;
  RowReader* input_ = nullptr;
  std::array<std::string, 2> models_;  // their names: the model, and the large one of a cascade
  std::optional<ModelMarks> marks_;
  RowOutput written_;
  std::chrono::steady_clock::time_point begun_;  // when reading began
  std::optional<RowsAhead> ahead_;
  ErrorCount count_;
  PredictionSums sums_;
  std::timed_mutex writing_;  // locked while rows are written
};

}  // namespace headlight
