#include "training/whole/whole_training.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "training/course/planned_course.h"

namespace headlight {
namespace {

/// Rounds the matrices to the format of the file.
void round_matrices(NumberFormat format, Parameters& parameters) {
  if (format == NumberFormat::f32) return;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    if (tensor.shape.size() < 2) continue;
    const auto values = parameters.values().subspan(tensor.offset, tensor.size);
    widen(format, bytes_in(format, values).data(), values);
  }
  parameters.refresh();
}

std::string trained_line(const TrainOptions& options, const TrainingOutcome& outcome) {
  return "all weights, by back-propagation with AdamW: " + counted(outcome.step, "step") + ", " +
         formatted("%.3g", outcome.epochs) + " epochs, the " +
         (options.keep_last ? "last state"
                            : "best state after " + formatted("%.3g", outcome.kept_epoch)) +
         "; learning rate " + formatted("%.3g", static_cast<double>(options.learning_rate)) +
         ", batches of " + std::to_string(outcome.batch_tokens) + " tokens, dropout " +
         formatted("%.3g", static_cast<double>(options.dropout));
}

/// Where no state was better than the first.
std::string kept_line(const LabelSet& labels, const TrainingOutcome& outcome) {
  const double less = outcome.best->score - outcome.latest->score;
  const bool is_share = outcome.best->name == "accuracy" || outcome.best->name == "micro_f1";
  return std::string(labels.names.empty() ? "the start" : "the last layer") +
         " alone, which is best; all weights after " + formatted("%.3g", outcome.epochs) +
         " epochs: " + outcome.best->name + ' ' +
         (is_share ? formatted("%.1f", 100.0 * less) + " points" : formatted("%.4f", less)) +
         " less";
}

}  // namespace

TrainOptions planned_options(const FitPlan& plan, TrainOptions usual) {
  usual.epochs = plan.epochs.value_or(usual.epochs);
  usual.learning_rate = plan.learning_rate.value_or(usual.learning_rate);
  usual.batch_tokens = plan.batch_tokens.value_or(usual.batch_tokens);
  usual.dropout = plan.dropout.value_or(usual.dropout);
  return usual;
}

FitEnd WholeTraining::run(Parameters& parameters, const LabelledRows& rows, Fit& made) const {
  const Description& model = parameters.description();
  TrainOptions options =
      planned_options(plan, is_fresh ? options_from_scratch(model) : options_for_tuning(model));
  std::optional<TeacherVectors> vectors;
  if (!plan.teacher_vectors.empty()) {
    options.loss.vectors = &vectors.emplace(plan.teacher_vectors);
  }
  const auto is_cut = [](const LabelledRow& row) { return trained_windows(row) < row.windows(); };
  if (const auto cut = std::ranges::count_if(rows.train, is_cut); cut > 0) {
    made.notes.push_back(counted(static_cast<std::size_t>(cut), "text") +
                         " had so many windows that all weights were trained on the first only");
    watch.note(made.notes.back());
  }
  const PlannedCourse course{plan, origin, watch};
  course.set(rows, options);
  const TrainingOutcome outcome =
      course.run([&](const TrainWatch& shown) { return train(parameters, rows, options, shown); });
  made.start_is_best = !is_fresh && !plan.keep_last && outcome.latest && outcome.step > 0 &&
                       outcome.kept_epoch == 0.0;
  made.trained =
      made.start_is_best ? kept_line(rows.labels, outcome) : trained_line(options, outcome);
  round_matrices(plan.stored_as, parameters);
  if (outcome.best) {
    made.chosen.emplace_back(plan.keep_last ? "the end of the training"
                                            : "the best state of the training");
    Development development(parameters, rows.dev, options.loss);
    if (rows.labels.names.empty()) {
      made.cosine = development.score().score;
    } else {
      made.figures = development_figures(rows.labels, development.outputs(), rows.dev);
    }
  }
  if (!outcome.stopped) return FitEnd::finished;
  const bool is_better = outcome.kept_epoch > 0.0;
  const std::string kept = plan.keep_last ? "last weights" : "best weights so far";
  course.warn_stopped(outcome, is_better ? kept : "");
  return is_better || !is_fresh ? FitEnd::stopped : FitEnd::stopped_at_once;
}

}  // namespace headlight
