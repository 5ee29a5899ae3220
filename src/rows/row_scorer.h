// Scores rows with a classifier, with or without a trace of its attention, or gives them vectors.
#pragma once

#include <any>
#include <cstddef>
#include <vector>

#include <tbb/enumerable_thread_specific.h>

#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "classifier/text_classifier.h"
#include "inside/ablated_classifier.h"
#include "rows/row.h"
#include "rows/row_sink.h"

namespace headlight {

/// Const and shared by threads; each thread has its own scratch.
class RowScorer {
 public:
  virtual ~RowScorer() = default;

  /// The maximum number of rows that are scored together.
  virtual std::size_t rows_at_once() const { return 64; }
  /// Scores the rows in order. After a signal, it may return only the first ones. Rows that could
  /// not be read keep their errors.
  virtual std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& scratch) const = 0;
};

/// Scores rows together.
class TextScorer : public RowScorer {
 public:
  /// The classifier must outlive it.
  explicit TextScorer(const TextClassifier& classifier) : classifier_(classifier) {}

  std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& scratch) const override;

 private:
  const TextClassifier& classifier_;
};

/// Scores rows with two models. Rows keep the predictions of both.
class ComparingScorer : public RowScorer {
 public:
  /// Both must outlive it.
  ComparingScorer(const TextClassifier& first, const TextClassifier& second)
      : first_(first), second_(second) {}

  std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& scratch) const override;

 private:
  const TextClassifier& first_;
  const TextClassifier& second_;
  mutable tbb::enumerable_thread_specific<ScoringScratch> scratches_;  // of the second
};

/// Scores rows with a model and without each of its parts.
class AblatingScorer : public RowScorer {
 public:
  /// The classifier must outlive it.
  explicit AblatingScorer(const AblatedClassifier& classifier) : classifier_(classifier) {}

  std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& scratch) const override;

 private:
  const AblatedClassifier& classifier_;
};

/// Gives rows their sentence vectors; predictions only have sizes and errors.
class VectorScorer : public RowScorer {
 public:
  /// The embedder must outlive it.
  explicit VectorScorer(const Embedder& embedder) : embedder_(embedder) {}

  std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& scratch) const override;

 private:
  const Embedder& embedder_;
};

/// Reduces the trace of a row to a summary, because a trace is too large to keep until its row is
/// written. Shared by threads.
class TraceSummarizer {
 public:
  virtual ~TraceSummarizer() = default;

  /// An empty trace that selects the parts to record.
  virtual Trace wanted() const = 0;
  virtual std::any summarize(const Encoding& encoding, const TextTrace& trace) const = 0;
};

/// The same predictions as TextScorer, with a trace summary for each row. Slower, because rows are
/// scored one by one.
class TracingScorer : public RowScorer {
 public:
  /// Both must outlive it.
  TracingScorer(const Classifier& classifier, const TraceSummarizer& summarizer)
      : classifier_(classifier), summarizer_(summarizer) {}

  std::size_t rows_at_once() const override { return 1; }
  std::vector<ScoredRow> score(std::vector<Row> rows, ScoringScratch& scratch) const override;

 private:
  void score(ScoredRow& scored, Scratch& scratch) const;

  const Classifier& classifier_;
  const TraceSummarizer& summarizer_;
};

}  // namespace headlight
