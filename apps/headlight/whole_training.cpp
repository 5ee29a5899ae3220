#include "whole_training.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "choice.h"
#include "classifier/text_reader.h"
#include "command.h"
#include "help_group.h"
#include "report/formats/plain_text.h"
#include "training/batches.h"

namespace headlight {
namespace {

/// One hash of the tokens and targets of all rows.
std::string mark_of_rows(const LabelledRows& rows) {
  std::string hash;
  for (const auto* set : {&rows.train, &rows.dev}) {
    for (const LabelledRow& row : *set) {
      std::string bytes = hash + std::to_string(row.target.value);
      for (const TokenId id : row.tokens.ids) bytes += ' ' + std::to_string(id);
      for (const std::size_t label : row.target.labels) bytes += ',' + std::to_string(label);
      for (const float logit : row.teacher_logits) bytes += '/' + std::to_string(logit);
      hash = hash_of(bytes);
    }
  }
  return hash;
}

std::vector<RowTarget> targets_of(const std::vector<LabelledRow>& rows) {
  std::vector<RowTarget> targets;
  targets.reserve(rows.size());
  for (const LabelledRow& row : rows) targets.push_back(row.target);
  return targets;
}

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

void WholeTrainingOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kTrainingGroup);
  command
      .add_option("--epochs", epochs,
                  "Train on all rows at most N times (default: 50 from a config without weights, "
                  "else 3)")
      ->check(whole_number(1, 100'000))
      ->option_text("N");
  command
      .add_option("--learning-rate", learning_rate,
                  "The highest learning rate (default: 0.02 / √hidden size from a config without "
                  "weights, else 0.04 / hidden size)")
      ->check(CLI::PositiveNumber)
      ->option_text("X");
  command
      .add_option("--batch-tokens", batch_tokens,
                  "Tokens of a batch (default: a two-hundredth of all, from 256 to 4096)")
      ->check(whole_number(1, 10'000'000))
      ->option_text("N");
  command
      .add_option("--dropout", dropout,
                  "Share of numbers that are dropped at random (default: 0.1)")
      ->check(CLI::Range(0.0, 0.9))
      ->option_text("P");
  command
      .add_option("--label-smoothing", label_smoothing,
                  "Share of the target that is spread over all labels (default: 0)")
      ->check(CLI::Range(0.0, 0.9))
      ->option_text("P");
  CLI::Option* teacher =
      command
          .add_option("--teacher-logits", teacher_logits,
                      "Also learn the logits of another model, which FIELD has as batch --logits "
                      "writes them")
          ->check(not_empty())
          ->option_text("FIELD");
  command
      .add_option("--temperature", temperature,
                  "Divide logits by this before they are compared with the teacher's; a high one, "
                  "such as 100, compares them by their squared differences (default: 2)")
      ->check(CLI::Range(0.01, 1000.0))
      ->needs(teacher)
      ->option_text("T");
  command
      .add_option("--teacher-share", teacher_share,
                  "Share of the teacher's logits in the loss; the rest is that of the labels "
                  "(default: 0.8)")
      ->check(fraction())
      ->needs(teacher)
      ->option_text("P");
  command
      .add_option(
          "--teacher-vectors", teacher_vectors,
          "Learn the sentence vectors of another model by their cosine; FILE has one for each "
          "row, as headlight embed writes it; without --label, nothing else is learned")
      ->check(not_empty())
      ->option_text("FILE.npy");
  choice(command.add_option("--keep-state",
                            "The weights to keep: those with the best score on the development "
                            "rows, or the last; few rows choose badly"),
         keep_last, {{"best", false}, {"last", true}})
      ->option_text("STATE");
  choice(command.add_option("--store",
                            "Round the weights to this format at the end; f16: files of half the "
                            "size"),
         stored_as, {{"f32", NumberFormat::f32}, {"f16", NumberFormat::f16}})
      ->option_text("FORMAT");
  command
      .add_option(
          "--vocabulary-size", vocabulary_size,
          "Without weights: learn at most N tokens from the rows (default: vocab_size of "
          "the config); with weights: keep the N tokens of WordPiece that are commonest in "
          "the rows, and the single characters of the rows and of Latin scripts (default: all)")
      ->check(whole_number(2, 10'000'000))
      ->option_text("N");
  command
      .add_option("--keep-layers", keep_layers,
                  "Keep only these layers of the start, counted from 0, such as 0,2-4")
      ->check(not_empty())
      ->option_text("LIST");
  command
      .add_option("--feed-forward-size", feed_forward_size,
                  "Keep at most N neurons of each feed-forward of the start, which take over what "
                  "the others gave as far as they can")
      ->check(whole_number(1, 10'000'000))
      ->option_text("N");
}

void WholeTrainingOptions::check(bool is_used, bool is_bare) const {
  if (is_bare && !keep_layers.empty()) throw UsageError("--keep-layers needs a start with weights");
  if (is_bare && feed_forward_size) {
    throw UsageError("--feed-forward-size needs a start with weights");
  }
  if (is_used) return;
  if (epochs) throw UsageError("--epochs needs --train all");
  if (learning_rate) throw UsageError("--learning-rate needs --train all");
  if (batch_tokens) throw UsageError("--batch-tokens needs --train all");
  if (dropout) throw UsageError("--dropout needs --train all");
  if (!teacher_vectors.empty()) throw UsageError("--teacher-vectors needs --train all");
  if (!teacher_logits.empty()) throw UsageError("--teacher-logits needs --train all");
  if (keep_last) throw UsageError("--keep-state last needs --train all");
  if (stored_as != NumberFormat::f32) throw UsageError("--store needs --train all");
  if (label_smoothing > 0.0F) throw UsageError("--label-smoothing needs --train all");
  if (vocabulary_size) throw UsageError("--vocabulary-size needs --train all");
  if (!keep_layers.empty()) throw UsageError("--keep-layers needs --train all");
  if (feed_forward_size) throw UsageError("--feed-forward-size needs --train all");
}

void WholeTrainingOptions::check_without_labels(const TrainingOptions& training) const {
  if (!training.dev.empty()) {
    throw UsageError("--dev needs --label: " + teacher_vectors +
                     " has vectors of the training rows only; --dev-share holds some of them out");
  }
  if (training.class_weights != ClassWeights::none) {
    throw UsageError("--class-weights needs --label");
  }
  if (!teacher_logits.empty()) throw UsageError("--teacher-logits needs --label");
  if (label_smoothing > 0.0F) throw UsageError("--label-smoothing needs --label");
}

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
  origin.input["rows"] = mark_of_rows(rows);
  chosen.origin = std::move(origin);
  std::optional<TeacherVectors> vectors;
  if (!whole.teacher_vectors.empty()) {
    chosen.loss.vectors = &vectors.emplace(whole.teacher_vectors);
    chosen.origin.input["teacher vectors"] = model_hash(marks_of_files({whole.teacher_vectors}));
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
      report.figures = development_figures(rows.labels, development.logits(), targets_of(rows.dev));
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

void WholeTraining::clean() const {
  std::error_code ignored;
  std::filesystem::remove(checkpoint(), ignored);
}

}  // namespace headlight
