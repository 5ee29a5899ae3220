// One run over rows: a source, a function that scores texts, and a sink. START HERE in this room.
//
// Example:
//   const Model model = load_model(locate_model("data/models/sentiment", ""));
//   const Classifier classifier(model, {});
//   const auto score = [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
//     return classifier.classify(texts, scratch, is_interrupted);
//   };
//   RowReader rows("reviews.csv", {.format = RowFormat::csv});
//   std::size_t positive = 0;
//   const auto add = [&](const ScoredRow<Prediction>& row) { positive += row.result.best; };
//   score_rows<Prediction>({default_threads().threads}, rows, score, {add});
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "classifier/text_classifier.h"
#include "rows/row.h"
#include "rows/row_sources.h"

namespace headlight {

/// A row and its result, which is a TextResult and has an error if the row could not be read.
template <typename Result>
struct ScoredRow {
  Row row;
  Result result;
};

/// The results of texts in order; fewer after a signal. Called on all threads, each with its own
/// scratch.
template <typename Result>
using ScoreTexts =
    std::function<std::vector<Result>(std::span<const TextInput> texts, ScoringScratch& scratch)>;

template <typename Result>
struct RowSink {
  /// Called for each row, in the order of the input.
  std::function<void(const ScoredRow<Result>& row)> write;
  /// Passes on what was written. Called at the latest before the program waits for input.
  std::function<void()> flush = [] {};
};

struct RowPace {
  std::size_t threads = 1;
  std::size_t rows_at_once = 64;  // scored together, at most
};

/// Scores texts one by one. `score(text)` returns nullopt after a signal. Its TextError becomes the
/// error of the result, and so does memory that it lacks.
template <typename Result, typename Score>
std::vector<Result> score_each(std::span<const TextInput> texts, const Score& score) {
  std::vector<Result> results;
  for (const TextInput& text : texts) {
    if (is_interrupted()) break;
    try {
      std::optional<Result> result = score(text);
      if (!result) break;
      results.push_back(std::move(*result));
    } catch (const TextError& error) {
      results.emplace_back().error = error.line();
    } catch (const std::bad_alloc&) {
      results.emplace_back().error = "needs more memory than there is";
    }
  }
  return results;
}

/// Below: score_rows() without the type of its results.

struct ScoredChunk {
  std::function<void()> write;
  bool is_complete;  // it has a result for each row
};

/// Calls `score` on all threads for rows that follow each other, and writes in order.
void score_chunks(const RowPace& pace, RowSource& source,
                  const std::function<ScoredChunk(std::vector<Row>, ScoringScratch&)>& score);

std::vector<TextInput> readable_inputs(const std::vector<Row>& rows);

/// Gives each readable row the next of `results`, until there are no more.
template <typename Result>
std::vector<ScoredRow<Result>> with_results(std::vector<Row>&& rows, std::vector<Result> results) {
  auto next = results.begin();
  std::vector<ScoredRow<Result>> scored;
  scored.reserve(rows.size());
  for (Row& row : rows) {
    const bool readable = row.error.empty();
    if (readable && next == results.end()) break;
    ScoredRow<Result>& done = scored.emplace_back();
    if (readable) {
      done.result = std::move(*next++);
    } else {
      done.result.error = row.error;
    }
    done.row = std::move(row);
  }
  return scored;
}

/// Reads, scores and writes at the same time, in constant memory. The result of a row depends only
/// on the row. After a signal, the rows in progress are completed and written up to the first
/// unfinished one. If `sink` throws, waiting for input stops.
template <typename Result>
void score_rows(const RowPace& pace, RowSource& source, const ScoreTexts<Result>& score,
                const RowSink<Result>& sink) {
  score_chunks(pace, source, [&](std::vector<Row> rows, ScoringScratch& scratch) {
    const std::size_t count = rows.size();
    auto results = score(readable_inputs(rows), scratch);
    auto scored = with_results(std::move(rows), std::move(results));
    const bool is_complete = scored.size() == count;
    auto write = [&sink, scored = std::move(scored)] {
      for (const ScoredRow<Result>& row : scored) sink.write(row);
      sink.flush();
    };
    return ScoredChunk{std::move(write), is_complete};
  });
}

}  // namespace headlight
