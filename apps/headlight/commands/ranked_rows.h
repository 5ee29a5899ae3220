// What rank writes: rows by their score, or measures of rankings.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/utf8.h"
#include "metrics/gold.h"
#include "metrics/ranking.h"
#include "options/console.h"
#include "options/output_options.h"
#include "report/evaluation/evaluation_view.h"
#include "report/formats/plain_text.h"
#include "report/predictions/prediction_report.h"
#include "report/predictions/row_serializer.h"
#include "rows/scoring.h"
#include "rows/whole_rows.h"

namespace headlight {

/// Writes the rows with the highest score of a label, ties in input order, in bounded memory; or
/// each row at once without a rank.
class RankedRows : public RowSerializer {
 public:
  /// `most`: 0: each row.
  RankedRows(const OutputOptions& output, std::size_t label, std::size_t most)
      : output_(output), label_(label), most_(most) {}

  std::string without_rows(const RowReader& input) override {
    throw Error(input.name(), "has no rows to rank");
  }
  std::string row(const ScoredRow<Prediction>& scored) {
    read.add(scored.result);
    if (most_ == 0) return written(scored, 0) + '\n';
    if (!scored.result.error.empty()) return "";
    rows_.emplace(std::pair(-scored.result.score(label_), scored.row.number), scored);
    if (rows_.size() > most_) rows_.erase(std::prev(rows_.end()));
    return "";
  }
  std::string ending() const override {
    std::size_t rank = 0;
    const auto ranked = [&](const auto& row) { return written(row.second, ++rank); };
    const bool is_json = output_.format() == OutputFormat::json;
    if (is_json) return "[" + joined(rows_, ",\n", ranked) + "]\n";
    if (is_rerank()) return "{\"results\":[" + joined(rows_, ",\n", ranked) + "]}\n";
    return joined(rows_, "", [&](const auto& row) { return ranked(row) + '\n'; });
  }

  TextSize read;  // own and unknown tokens of all texts

 private:
  bool is_rerank() const { return output_.format() == OutputFormat::rerank; }
  /// `rank`: 0: not known.
  std::string written(const ScoredRow<Prediction>& scored, std::size_t rank) const {
    const auto& [row, result] = scored;
    const bool is_error = !result.error.empty();
    if (output_.format() == OutputFormat::text) {
      return cut_to((rank > 0 ? end_in(std::to_string(rank), 3) + "  " : "") +
                        (is_error ? "error: " + printable(result.error)
                                  : formatted("%8.4f", result.score(label_))) +
                        "  " + printable(row.id.text + "  " + row.input.text),
                    Console::columns());
    }
    std::string object;
    JsonWriter json(object, output_.ascii());
    json.begin_object();
    if (is_rerank()) {
      json.field("index", row.number).field("relevance_score", result.score(label_)).end_object();
      return object;
    }
    if (rank > 0) json.field("rank", rank);
    write_id(json.key("id"), row.id);
    if (!is_error) json.field("score", result.score(label_));
    json.field("text", row.input.text);
    if (is_error) json.field("error", result.error);
    json.end_object();
    return object;
  }

  const OutputOptions& output_;
  std::size_t label_;
  std::size_t most_;
  std::map<std::pair<float, std::size_t>, ScoredRow<Prediction>> rows_;  // by -score and row
};

/// A ranking cannot be continued: nothing of it is kept.
class NoRows : public RowFinder {
 public:
  void add(std::string_view /*bytes*/) override {}
  bool is_damaged() const override { return true; }
  WholeRows found() const override { return {}; }
};

/// Writes the measures of the rankings of rows with a query as their pair and their relevance as
/// the label. Rows with errors are left out.
class MeasuredRows : public RowSerializer {
 public:
  /// The first two must outlive it.
  MeasuredRows(const OutputOptions& output, const GoldReader& relevances, std::size_t label,
               std::size_t k)
      : output_(output), relevances_(relevances), label_(label), k_(k) {}

  std::string row(const ScoredRow<Prediction>& scored) {
    const auto& [row, result] = scored;
    const bool is_error = !result.error.empty();
    ++(is_error ? evaluation_.errors : evaluation_.rows);
    if (is_error) return "";
    rankings_[*row.input.pair].push_back({result.score(label_), relevances_.read(row.label).value});
    return "";
  }
  std::string ending() const override {
    if (rankings_.empty()) throw Error("", "there are no rows to rank");
    Evaluation evaluation = evaluation_;
    evaluation.measures = ranking_measures(rankings_, k_);
    if (output_.format() == OutputFormat::text) return evaluation_text({}, evaluation);
    return json_document(output_.ascii(),
                         [&](JsonWriter& json) { write_evaluation(json, {}, evaluation); });
  }

 private:
  const OutputOptions& output_;
  const GoldReader& relevances_;
  std::size_t label_;
  std::size_t k_;
  Evaluation evaluation_;
  Rankings rankings_;
};

}  // namespace headlight
