#include "terminal/training_progress.h"

#include <array>
#include <cmath>
#include <cstddef>

#include "base/json_writer.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

/// What is counted, by stage.
constexpr std::array kThings = {"text", "strength", "",
                                "fold", "row",      "percent of the training rows' effects"};

/// The part of a score after its name.
std::string score_value(const DevelopmentScore& score) {
  const bool is_share = score.name == "accuracy" || score.name == "micro_f1";
  return is_share ? formatted("%.1f", 100.0 * score.score) + " %" : formatted("%.3f", score.score);
}

std::string score_name(const DevelopmentScore& score) {
  if (score.name == "micro_f1") return "micro-F1";
  if (score.name == "r2") return "R²";
  return score.name;
}

}  // namespace

void FitProgress::problems(const std::vector<RowProblem>& rows) {
  constexpr std::size_t kSaid = 5;
  std::string lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowProblem& row = rows[i];
    if (i < kSaid) {
      console_.detail(row.file + ": row " + std::to_string(row.row) + " (line " +
                      std::to_string(row.line) + "): " + row.reason);
    }
    JsonWriter json(lines);
    json.begin_object().field("file", row.file).field("row", row.row).field("line", row.line);
    json.field("text", row.text).field("label", row.label).field("reason", row.reason);
    json.end_object();
    lines += '\n';
  }
  if (write_problems) write_problems(lines);
}

void FitProgress::begin(Stage stage, std::size_t before) {
  begun_ = Clock::now();
  if (stage == Stage::training) {
    status_.emplace(style_, next_);
  } else {
    counted_.emplace(style_, kThings.at(static_cast<std::size_t>(stage)), before, next_);
  }
}

void FitProgress::count(std::size_t done, double share) { counted_->update({done, share, 0}); }

void FitProgress::step(const TrainingReport& report) {
  constexpr double kNewest = 0.1;
  loss_ = loss_ ? *loss_ + kNewest * (report.loss - *loss_) : report.loss;
  if (!status_->is_due()) return;
  status_->show(line(report), report.epoch / static_cast<double>(report.epochs));
}

void FitProgress::end() {
  if (style_ == StatusLine::Style::minutes) next_ = counted_ ? counted_->next() : status_->next();
  counted_.reset();
  status_.reset();
}

std::string FitProgress::line(const TrainingReport& report) const {
  std::string line = "epoch " + formatted("%.1f", report.epoch) + " of " +
                     std::to_string(report.epochs) + ", loss " +
                     formatted("%.3f", loss_.value_or(report.loss));
  if (report.latest != nullptr) {
    line += ", " + score_name(*report.latest) + ' ' + score_value(*report.latest) + " (best " +
            score_value(*report.best) + ")";
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  const auto done = static_cast<double>(report.rows - report.rows_before);
  if (seconds <= 0.0 || done <= 0.0) return line;
  const double all =
      static_cast<double>(report.rows) / report.epoch * static_cast<double>(report.epochs);
  const double left = seconds / done * (all - static_cast<double>(report.rows));
  line += ", " + std::to_string(std::lround(done / seconds)) + " rows per second";
  return line + ", at most " + duration_text(left) + " left";
}

}  // namespace headlight
