#include "training/whole/whole_training.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/utf8.h"

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
  return "all weights, by back-propagation with AdamW: " + counted(outcome.steps, "step") + ", " +
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

TrainOptions options_of(const WholeTraining& training, const Description& model,
                        const LabelledRows& rows) {
  const FitPlan& plan = training.plan;
  TrainOptions options =
      training.is_fresh ? options_from_scratch(model) : options_for_tuning(model);
  options.seed = plan.data.seed;
  options.epochs = plan.epochs.value_or(options.epochs);
  options.learning_rate = plan.learning_rate.value_or(options.learning_rate);
  options.batch_tokens = plan.batch_tokens.value_or(options.batch_tokens);
  options.dropout = plan.dropout.value_or(options.dropout);
  options.keep_last = plan.keep_last;
  options.loss.label_smoothing = plan.label_smoothing;
  options.loss.temperature = plan.temperature;
  options.loss.teacher_share = plan.teacher_share;
  if (plan.class_weights == ClassWeights::balanced) {
    options.loss.class_weights = balanced_class_weights(rows);
  }
  options.log = plan.log;
  options.force = plan.force;
  options.checkpoint = checkpoint_of(plan);
  options.resume = plan.resume;
  options.origin = training.origin;
  options.origin.input["rows"] = hash_of_rows(rows);
  return options;
}

}  // namespace

FitEnd WholeTraining::run(Parameters& parameters, const LabelledRows& rows, Fit& made) const {
  TrainOptions options = options_of(*this, parameters.description(), rows);
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
  if (plan.resume && file_exists(options.checkpoint)) watch.note("resuming a stopped training");
  // After a signal, the best state is measured and written, which can take seconds.
  end_without_force();
  watch.begin(FitWatch::Stage::training, 0);
  const TrainingOutcome outcome = train(
      parameters, rows, options,
      {[&](const TrainingReport& done) { watch.step(done); }, [] { return caught_signal() != 0; }});
  watch.end();
  made.start_is_best = !is_fresh && !plan.keep_last && outcome.latest && outcome.steps > 0 &&
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
  watch.warn("stopped after " + formatted("%.3g", outcome.epochs) + " epochs; " +
             (is_better ? "the " + kept + " are kept, use" : "use") + " --resume to continue");
  return is_better || !is_fresh ? FitEnd::stopped : FitEnd::stopped_at_once;
}

std::string checkpoint_of(const FitPlan& plan) { return plan.directory() + ".checkpoint"; }

}  // namespace headlight
