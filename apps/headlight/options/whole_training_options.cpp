#include "options/whole_training_options.h"

#include "base/error.h"
#include "base/interrupt.h"
#include "base/utf8.h"
#include "options/choice.h"
#include "options/help_group.h"
#include "training/rows/teacher_vectors.h"

namespace headlight {

void WholeTrainingOptions::add_to(CLI::App& command) {
  const HelpGroup group(command, kTrainingGroup);
  add_course(command);
  add_teachers(command);
  add_cuts(command);
}

void WholeTrainingOptions::add_course(CLI::App& command) {
  add_value(command, "--epochs N", epochs,
            "Train on all rows at most N times (default: 50 from a config without weights, "
            "else 3)")
      ->check(whole_number(1, 100'000));
  add_value(command, "--learning-rate X", learning_rate,
            "The highest learning rate (default: 0.02 / √hidden size from a config without "
            "weights, else 0.04 / hidden size)")
      ->check(number(1e-12, 1e6));
  add_value(command, "--batch-tokens N", batch_tokens,
            "Tokens of a batch (default: a two-hundredth of all, from 256 to 4096)")
      ->check(whole_number(1, 10'000'000));
  add_value(command, "--dropout P", dropout,
            "Share of numbers that are dropped at random (default: 0.1)")
      ->check(number(0.0, 0.9));
  add_value(command, "--label-smoothing P", label_smoothing,
            "Share of the target that is spread over all labels (default: 0)")
      ->check(number(0.0, 0.9));
  choice(command.add_option("--keep-state",
                            "The weights to keep: those with the best score on the development "
                            "rows, which is partly chance if these are few, or the last"),
         keep_last, {{"best", false}, {"last", true}})
      ->option_text("STATE");
  choice(command.add_option("--store",
                            "Round the weights to this format at the end; f16: files of half the "
                            "size"),
         stored_as, {{"f32", NumberFormat::f32}, {"f16", NumberFormat::f16}})
      ->option_text("FORMAT");
}

void WholeTrainingOptions::add_teachers(CLI::App& command) {
  CLI::Option* teacher =
      add_value(command, "--teacher-logits FIELD", teacher_logits,
                "Also learn the logits of another model, which FIELD has as batch --logits "
                "writes them")
          ->check(not_empty());
  add_value(command, "--temperature T", temperature,
            "Divide logits by this before they are compared with the teacher's; a high one, "
            "such as 100, compares them by their squared differences (default: 2)")
      ->check(number(0.01, 1000.0))
      ->needs(teacher);
  add_value(command, "--teacher-share P", teacher_share,
            "Share of the teacher's logits in the loss; the rest is that of the labels "
            "(default: 0.8)")
      ->check(fraction())
      ->needs(teacher);
  add_value(command, "--teacher-vectors FILE.npy", teacher_vectors,
            "Learn the sentence vectors of another model by their cosine; FILE has one for each "
            "row of the input, also those that --skip, --limit or --shard leave out, as headlight "
            "embed writes it; without --label, nothing else is learned")
      ->check(not_empty());
}

void WholeTrainingOptions::add_cuts(CLI::App& command) {
  add_value(
      command, "--vocabulary-size N", vocabulary_size,
      "Without weights: learn at most N tokens from the training rows (default: vocab_size of "
      "the config); with weights: keep the N tokens of WordPiece that are commonest in "
      "these rows, and the single characters of the rows and of Latin scripts (default: all)")
      ->check(whole_number(2, 10'000'000));
  add_value(command, "--keep-layers LIST", keep_layers,
            "Keep only these layers of the start, counted from 0, such as 0,2-4")
      ->check(not_empty());
  add_value(command, "--feed-forward-size N", feed_forward_size,
            "Keep at most N neurons of each feed-forward of the start, which take over what "
            "the others gave as far as they can")
      ->check(whole_number(1, 10'000'000));
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

void WholeTrainingOptions::check_vectors(RowReader& rows, const std::string& file) const {
  const std::size_t vectors = TeacherVectors(teacher_vectors).rows().rows;
  const std::size_t count = rows.count_rows();
  if (vectors == count || caught_signal() != 0) return;
  throw Error(
      teacher_vectors,
      "has " + counted(vectors, "vector") + ", but " + file + " has " + counted(count, "row"),
      "it needs a vector for each row of the file, also with --skip, --limit and --shard");
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

}  // namespace headlight
