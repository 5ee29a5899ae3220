#include "commands/whole_training.h"

#include <utility>
#include <vector>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "classifier/text_reader.h"
#include "commands/command.h"
#include "report/formats/plain_text.h"
#include "training/whole/batches.h"

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
         ", batches of " + std::to_string(options.batch_tokens) + " tokens, dropout " +
         formatted("%.3g", static_cast<double>(options.dropout));
}

}  // namespace

TrainOptions WholeTraining::options_for(const Start& start, const LabelledRows& rows) const {
  const Description& model = start.model.description;
  TrainOptions result = start.is_fresh ? options_from_scratch(model) : options_for_tuning(model);
  std::vector<std::size_t> lengths;
  for (const LabelledRow& row : rows.train) lengths.push_back(row.tokens.size());
  result.seed = options.data.seed;
  result.epochs = whole.epochs.value_or(result.epochs);
  result.learning_rate = whole.learning_rate.value_or(result.learning_rate);
  result.batch_tokens = whole.batch_tokens.value_or(usual_batch_tokens(lengths));
  result.dropout = whole.dropout.value_or(result.dropout);
  result.keep_last = whole.keep_last;
  result.loss.label_smoothing = whole.label_smoothing;
  result.loss.temperature = whole.temperature;
  result.loss.teacher_share = whole.teacher_share;
  if (options.class_weights == ClassWeights::balanced) {
    result.loss.class_weights = balanced_class_weights(rows);
  }
  result.log = options.log;
  result.force = options.force;
  result.checkpoint = checkpoint();
  result.resume = options.resume;
  return result;
}

TrainingEnd WholeTraining::run(const Start& start, Parameters& parameters,
                               const LabelledTexts& texts, Origin origin, FitReport& report) const {
  const TextReader reader(start.model, {});
  const LabelledRows rows = tokenize_rows(texts, reader);
  TrainOptions chosen = options_for(start, rows);
  origin.input["rows"] = hash_of_rows(rows);
  chosen.origin = std::move(origin);
  std::optional<TeacherVectors> vectors;
  if (!whole.teacher_vectors.empty()) {
    chosen.loss.vectors = &vectors.emplace(whole.teacher_vectors);
  }
  if (can_resume() && options.resume) console.note("resuming a stopped training");
  // After a signal, the best state is measured and written, which can take seconds.
  end_without_force();
  TrainingOutcome outcome;
  {
    TrainingProgress shown(progress);
    outcome = train(parameters, rows, chosen,
                    {[&](const TrainingReport& done) { shown.update(done); },
                     [] { return caught_signal() != 0; }});
  }
  report.trained = trained_line(chosen, outcome);
  round_matrices(whole.stored_as, parameters);
  if (outcome.best) {
    Development development(parameters, rows.dev, chosen.loss);
    if (rows.labels.names.empty()) {
      report.cosine = development.score().score;
    } else {
      report.figures = development_figures(rows.labels, development.logits(), targets_of(texts.dev),
                                           keys_of(texts.dev));
    }
  }
  if (!outcome.stopped) return TrainingEnd::finished;
  const bool is_better = outcome.kept_epoch > 0.0;
  const std::string kept = whole.keep_last ? "last weights" : "best weights so far";
  complain("stopped after " + formatted("%.3g", outcome.epochs) + " epochs; " +
           (is_better ? "the " + kept + " are kept, use" : "use") + " --resume to continue");
  return is_better || !start.is_fresh ? TrainingEnd::stopped : TrainingEnd::stopped_at_once;
}

bool WholeTraining::can_resume() const { return file_exists(checkpoint()); }

}  // namespace headlight
