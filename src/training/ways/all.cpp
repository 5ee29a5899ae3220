// --train all: all weights, by back-propagation, of a start with weights or from random ones.

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "training/course/planned_course.h"
#include "training/cuts/start_cut.h"
#include "training/directory/published_model.h"
#include "training/head/head_training.h"
#include "training/ways/fresh_training.h"
#include "training/ways/model_training.h"
#include "training/ways/ways.h"
#include "training/whole/trainer.h"

namespace headlight {
namespace {

NumberFormat format_of(const AllSettings& settings) {
  return settings.stored_as.value_or(NumberFormat::f32);
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

void note_long_texts(const TrainingRun& run, Learned& made) {
  const auto is_cut = [](const LabelledRow& row) { return trained_windows(row) < row.windows(); };
  const auto cut = std::ranges::count_if(made.rows.train, is_cut);
  if (cut == 0) return;
  made.notes.push_back(counted(static_cast<std::size_t>(cut), "text") +
                       " had so many windows that all weights were trained on the first only");
  run.watch.note(made.notes.back());
}

FitEnd end_of(const TrainingOutcome& outcome, bool keeps_last, bool is_fresh,
              const PlannedCourse& course) {
  if (!outcome.stopped) return FitEnd::finished;
  const bool is_better = outcome.kept_epoch > 0.0;
  const std::string kept = keeps_last ? "last weights" : "best weights so far";
  course.warn_stopped(outcome, is_better ? kept : "");
  return is_better || !is_fresh ? FitEnd::stopped : FitEnd::stopped_at_once;
}

/// Trains, and shows the states at the ends of epochs as `model`.
TrainingOutcome train_and_show(Parameters& parameters, const LabelledRows& rows,
                               const TrainOptions& options, const TrainWatch& watch, Model& model,
                               FitWatch& shown) {
  const auto show = [&](const TrainingReport& report) {
    model.weights = parameters.weights();
    shown.state(model, rows.train, report);
  };
  double loss = 0.0;
  std::size_t steps = 0;
  const auto report = [&](const TrainingReport& done) {
    if (watch.report) watch.report(done);
    loss += done.loss;
    ++steps;
    if (done.epoch != std::floor(done.epoch)) return;
    TrainingReport epoch = done;
    epoch.loss = loss / static_cast<double>(std::exchange(steps, 0));
    loss = 0.0;
    show(epoch);
  };
  show({});
  return train(parameters, rows, options, {report, watch.stopped});
}

/// Leaves the best weights in `parameters` and completes `made`. `usual`: for such a start.
void train_weights(const AllSettings& settings, const TrainOptions& usual, bool is_fresh,
                   const TrainingRun& run, Model& model, Parameters& parameters, Learned& made) {
  const LabelledRows& rows = made.rows;
  const PlannedCourse course{run};
  TrainOptions options = planned_options(settings.course, usual);
  options.keep_last = settings.keep_last;
  options.loss.label_smoothing = settings.label_smoothing;
  options.loss.temperature = settings.teacher.temperature;
  options.loss.teacher_share = settings.teacher.share;
  course.set(rows, options);
  std::optional<TeacherVectors> vectors;
  if (!settings.teacher.vectors.empty()) {
    options.loss.vectors = &vectors.emplace(settings.teacher.vectors);
  }
  note_long_texts(run, made);
  const TrainingOutcome outcome = course.take([&](const TrainWatch& watch) {
    return train_and_show(parameters, rows, options, watch, model, run.watch);
  });
  made.start_is_best = !is_fresh && !options.keep_last && outcome.latest && outcome.step > 0 &&
                       outcome.kept_epoch == 0.0;
  made.trained =
      made.start_is_best ? kept_line(rows.labels, outcome) : trained_line(options, outcome);
  round_matrices(format_of(settings), parameters);
  if (outcome.best) {
    made.chosen.emplace_back(options.keep_last ? "the end of the training"
                                               : "the best state of the training");
    Development development(parameters, rows.dev, options.loss);
    if (rows.labels.names.empty()) {
      made.cosine = development.score().score;
    } else {
      made.figures = development_figures(rows.labels, development.outputs(), rows.dev);
    }
  }
  made.end = end_of(outcome, options.keep_last, is_fresh, course);
}

/// What is left out of the start, which changes its vectors.
std::string name_of(const CutSettings& cut) {
  return cut.kept_layers_as_given + '\n' + std::to_string(cut.vocabulary_size.value_or(0)) + '\n' +
         std::to_string(cut.feed_forward_size.value_or(0));
}

/// Of a start with weights: if there are labels, first those of a new last layer.
class Tuning : public ModelTraining {
 public:
  /// A start without a head gets that of its family.
  Tuning(FitStart start, AllSettings settings, const TrainingRun& run)
      : ModelTraining(std::move(start), "all"),
        settings_(std::move(settings)),
        cut_(settings_.cut, run.place.directory(), run.watch) {
    stored_as_ = format_of(settings_);
    if (!run.data.has_labels) return;
    if (auto model = with_new_head(loaded_, run.data.seed)) loaded_ = *std::move(model);
  }

  TextReading reading() override {
    return {loaded_, settings_.cut.vocabulary_size.has_value(), {}, [this](const auto& texts) {
              cut_.cut(texts, loaded_);
            }};
  }

  Learned learn(const TrainingRun& run, LabelledRows rows) override {
    Learned made{.rows = std::move(rows)};
    prepare(run, made);
    if (!run.data.has_labels) {
      start_->remove_head();
    } else if (!HeadTraining{run, settings_.head, /*is_last=*/false, /*with_ngrams=*/false,
                             name_of(settings_.cut)}
                    .fit(*start_, made)) {
      made.end = FitEnd::stopped_at_once;
      return made;
    }
    made.strength.reset();  // the last layer changes, too
    made.penalty = settings_.head.penalty.value_or(kDefaultStrength);
    Model& model = start_->model();
    parameters_.emplace(model.description, model.weights);
    train_weights(settings_, options_for_tuning(model.description), /*is_fresh=*/false, run, model,
                  *parameters_, made);
    model.weights = parameters_->weights();
    if (run.data.has_labels) keep_layout(run, made);
    return made;
  }

 private:
  void divide_head(float divisor) override {
    for (const ParameterTensor& tensor : parameters_->tensors()) {
      if (!tensor.name.starts_with("classifier.")) continue;
      for (float& value : parameters_->values(tensor.name)) value /= divisor;
    }
    round_matrices(stored_as_, *parameters_);
  }

  AllSettings settings_;
  StartCut cut_;
  std::optional<Parameters> parameters_;
};

/// From random weights.
class FromScratch : public FreshTraining {
 public:
  FromScratch(const FitStart& start, AllSettings settings, FitWatch& watch)
      : FreshTraining(FreshModel(start.bare, settings.cut.vocabulary_size)),
        settings_(std::move(settings)),
        watch_(watch) {
    start.set_reading(fresh_.model().description);
  }

  TextReading reading() override {
    TextReading reading = FreshTraining::reading();
    if (!reading.changes) return reading;
    reading.prepare = [this](const auto& texts) {
      fresh_.learn_words(texts);
      watch_.note("learned a vocabulary of " + counted(model().description.vocab_size, "token"));
    };
    return reading;
  }

  Learned learn(const TrainingRun& run, LabelledRows rows) override {
    Learned made{.rows = std::move(rows), .training = shared_from_this()};
    fresh_.set_labels(made.rows.labels);
    Model& model = fresh_.model();
    parameters_.emplace(random_start(model.description, run.data.seed));
    train_weights(settings_, options_from_scratch(model.description), /*is_fresh=*/true, run, model,
                  *parameters_, made);
    model.weights = parameters_->weights();
    return made;
  }

  void write(ModelDirectory& directory) const override {
    fresh_.write(directory);
    write_native_weights(model(), directory, format_of(settings_));
  }

 private:
  AllSettings settings_;
  FitWatch& watch_;
  std::optional<Parameters> parameters_;
};

/// For as many epochs as take these seconds at most, or one of fewer rows.
std::optional<Offer> offer_all(const Model& start, const TrainingSize& size, double seconds) {
  constexpr double kLeastShare = 0.2;  // fewer rows are too few to learn from
  if (size.is_few()) return std::nullopt;
  for (std::size_t epochs = options_for_tuning(start.description).epochs; epochs > 0; --epochs) {
    const TrainingCost cost = cost_of_all(start, size, epochs);
    if (cost.seconds <= seconds) return Offer{.cost = cost, .epochs = epochs};
  }
  const TrainingCost whole = cost_of_all(start, size, 1);
  const double share = seconds / whole.seconds;
  if (share < kLeastShare) return Offer{.cost = whole, .epochs = 1};
  const auto part_of = [&](std::size_t count) {
    return static_cast<std::size_t>(share * static_cast<double>(count));
  };
  TrainingSize part = size;
  part.rows = part_of(size.rows);
  part.tokens = part_of(size.tokens);
  return Offer{cost_of_all(start, part, 1), 1, part.rows, whole.seconds};
}

}  // namespace

Way all_way(const AllSettings& settings) {
  const auto way = std::make_shared<TrainingWay>();
  way->word = "all";
  way->help = "all weights";
  way->takes = {.penalty = true, .course = true, .teacher = true, .all = true};
  way->teacher = settings.teacher;
  way->begin = [=](FitStart start, const TrainingRun& run) -> std::shared_ptr<Training> {
    if (start.model) return std::make_shared<Tuning>(std::move(start), settings, run);
    return std::make_shared<FromScratch>(start, settings, run.watch);
  };
  way->offer = offer_all;
  way->penalty_of = settings.head.penalty ? "" : "head";
  way->keeps_layout = [](const Model& start) {
    return has_published_class(start) && (start.weights.classifier || start.place.modules.empty());
  };
  return way;
}

}  // namespace headlight
