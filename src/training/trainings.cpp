#include "training/trainings.h"

#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "training/contrastive/contrastive_training.h"
#include "training/head/classifier_start.h"
#include "training/head/head_training.h"
#include "training/head/label_ngrams.h"
#include "training/rows/training_data.h"
#include "training/static/token_vectors.h"
#include "training/whole/whole_training.h"

namespace headlight {
namespace {

/// A start whose weights are trained.
struct WholeStart {
  ClassifierStart start;
  std::optional<Parameters> parameters = {};
};

/// Reads the rows as `start` does, and notes what it leaves out.
void prepare(const TrainingRun& run, const ClassifierStart& start, TrainedModel& trained) {
  if (start.reads_otherwise()) read_tokens_again(start.model(), trained.rows);
  for (const std::string& note : start.notes()) run.watch.note(note);
  std::vector<std::string>& notes = trained.made.notes;
  notes.insert(notes.end(), start.notes().begin(), start.notes().end());
}

/// Gives `start` its last layer, if there are labels. Returns false if a signal stopped the work.
bool make_start(const TrainingRun& run, ClassifierStart& start, bool is_last,
                TrainedModel& trained) {
  prepare(run, start, trained);
  Fit& made = trained.made;
  if (!run.plan.data.has_labels) {
    start.remove_head();
    return true;
  }
  if (HeadTraining{run.plan, run.engine, run.watch, is_last}.run(start, trained.rows, made)) {
    return true;
  }
  made.end = FitEnd::stopped_at_once;
  return false;
}

/// Moves the encoder by contrast and fits a last layer. Returns false if a signal stopped the work.
/// Another call has no log. `round`: of these calls, from 1.
bool move_and_fit(const TrainingRun& run, std::size_t round, FitPlan& plan,
                  const LabelledRows& rows, WholeStart& moved, Fit& made) {
  Model& model = moved.start.model();
  Parameters& parameters = moved.parameters.emplace(model.description, model.weights);
  plan.resume = run.plan.resume;
  made.trained = train_contrastive(parameters, rows, {plan, run.origin, run.watch, round});
  if (made.trained.empty()) return false;
  model.weights = parameters.weights();
  plan.log.clear();
  // Vectors of an earlier run are not of the same weights.
  plan.resume = false;
  plan.kept_vectors.clear();
  return HeadTraining{plan, run.engine, run.watch, /*is_last=*/true}.run(moved.start, rows, made);
}

void check_label_ngrams(const ClassifierStart& start, const TrainedModel& trained) {
  if (const std::size_t labels = trained.rows.labels.names.size(); labels > kMostNgramLabels) {
    throw Error(trained.made.file,
                "has " + std::to_string(labels) + " labels, but --train ngrams is for at most " +
                    std::to_string(kMostNgramLabels),
                "use --train head");
  }
  if (start.model().description.reads_windows) {
    throw Error(start.model().place.config,
                "reads long texts in windows, but --train ngrams does not",
                "use --long truncate, or --train head");
  }
}

void keep_native(const TrainingRun& run, const std::shared_ptr<WholeStart>& owner,
                 TrainedModel& trained) {
  trained.model = std::shared_ptr<const Model>(owner, &owner->start.model());
  trained.write_files = [owner, format = run.plan.stored_as](ModelDirectory& directory) {
    write_native(owner->start.model(), directory, format);
  };
}

template <typename Owner>
void keep_fresh(const TrainingRun& run, std::shared_ptr<Owner> owner, TrainedModel& trained) {
  trained.model = std::shared_ptr<const Model>(owner, &owner->fresh.model());
  trained.write_files = [owner, format = run.plan.stored_as](ModelDirectory& directory) {
    owner->fresh.write(directory);
    write_native_weights(owner->fresh.model(), directory, format);
  };
}

}  // namespace

TrainedModel train_last_layer(const TrainingRun& run, Model start, LabelledRows rows, Fit made) {
  TrainedModel trained{std::move(made), std::move(rows), nullptr, {}};
  const auto owner = std::make_shared<ClassifierStart>(std::move(start), trained.rows.labels);
  if (run.plan.part == TrainedPart::label_ngrams) check_label_ngrams(*owner, trained);
  if (!make_start(run, *owner, /*is_last=*/true, trained)) return trained;
  trained.made.trained =
      std::string("the last layer, on the vectors of the model") +
      (owner->model().description.label_ngrams ? " and n-grams of one and two tokens" : "") +
      " (L-BFGS in float64)";
  if (owner->keeps_layout()) {
    trained.made.layout = "that of the start, " + owner->model().family;
    if (owner->model().family != "headlight") {
      trained.divide_logits = [owner](float temperature) { owner->divide_head(temperature); };
    }
  }
  trained.model = std::shared_ptr<const Model>(owner, &owner->model());
  trained.write_files = [owner](ModelDirectory& directory) {
    owner->keeps_layout() ? write_with_new_head(owner->model(), directory)
                          : write_native(owner->model(), directory);
  };
  return trained;
}

TrainedModel train_all(const TrainingRun& run, Model start, LabelledRows rows, Fit made) {
  TrainedModel trained{std::move(made), std::move(rows), nullptr, {}};
  const auto owner = std::make_shared<WholeStart>(
      WholeStart{ClassifierStart(std::move(start), trained.rows.labels)});
  Model& model = owner->start.model();
  if (!make_start(run, owner->start, /*is_last=*/false, trained)) return trained;
  trained.made.strength.reset();
  Parameters& parameters = owner->parameters.emplace(model.description, model.weights);
  trained.made.end = WholeTraining{run.plan, run.origin, /*is_fresh=*/false, run.watch}.run(
      parameters, trained.rows, trained.made);
  model.weights = parameters.weights();
  keep_native(run, owner, trained);
  return trained;
}

TrainedModel train_by_contrast(const TrainingRun& run, Model start, LabelledRows rows, Fit made) {
  TrainedModel trained{std::move(made), std::move(rows), nullptr, {}};
  if (trained.rows.labels.problem_type != ProblemType::single_label) {
    throw Error(trained.made.file,
                "has rows with several labels, but --train contrastive needs one label a row",
                "use --train head or all");
  }
  const auto owner = std::make_shared<WholeStart>(
      WholeStart{ClassifierStart(std::move(start), trained.rows.labels)});
  prepare(run, owner->start, trained);
  const Description description = owner->start.model().description;
  const Weights weights = owner->start.model().weights;
  FitPlan plan = run.plan;
  bool is_done = move_and_fit(run, 1, plan, trained.rows, *owner, trained.made);
  if (is_done && trained.made.is_refitted) {
    plan.penalty = trained.made.strength;
    owner->start.model().description = description;
    owner->start.model().weights = weights;
    is_done = move_and_fit(run, 2, plan, without_development(trained.rows), *owner, trained.made);
    trained.made.is_refitted = true;
  }
  if (!is_done) trained.made.end = FitEnd::stopped_at_once;
  trained.made.encoder_is_trained = true;
  keep_native(run, owner, trained);
  return trained;
}

TrainedModel train_bare(const TrainingRun& run, FreshModel fresh, LabelledRows rows, Fit made) {
  struct Owner {
    FreshModel fresh;
    Parameters parameters;
  };
  TrainedModel trained{std::move(made), std::move(rows), nullptr, {}};
  fresh.set_labels(trained.rows.labels);
  Parameters random = random_start(fresh.model().description, run.plan.data.seed);
  const auto owner = std::make_shared<Owner>(Owner{std::move(fresh), std::move(random)});
  Parameters& parameters = owner->parameters;
  trained.made.end = WholeTraining{run.plan, run.origin, /*is_fresh=*/true, run.watch}.run(
      parameters, trained.rows, trained.made);
  owner->fresh.model().weights = parameters.weights();
  keep_fresh(run, owner, trained);
  return trained;
}

TrainedModel train_static(const TrainingRun& run, StaticStart start, Fit made) {
  struct Owner {
    FreshModel fresh;
    StaticTraining training;  // owns the weights
  };
  StaticTraining training({run.plan, run.origin, run.watch});
  TrainedModel trained{std::move(made), {}, nullptr, {}};
  trained.made.end = training.run(start, trained.made);
  trained.rows = std::move(start.rows);
  trained.made.architecture = architecture_line(start.fresh.model().description);
  keep_fresh(run, std::make_shared<Owner>(Owner{std::move(start.fresh), std::move(training)}),
             trained);
  return trained;
}

StaticStart start_of_student(const Model& encoder) {
  return {FreshModel(with_own_reading(encoder), kStaticConfig)};
}

TrainedModel train_student(const TrainingRun& run, const Model& encoder, StaticStart start,
                           Fit made) {
  ClassifierStart reader(load_model(encoder.place));
  reader.model() = run.engine.ready(std::move(reader.model()), Workload::many);
  auto vectors =
      token_vectors(reader.model(), start.rows, start.fresh.model().description.hidden_size,
                    run.plan, run.engine, run.watch);
  if (!vectors) {
    made.end = FitEnd::stopped_at_once;
    return {std::move(made), {}, nullptr, {}};
  }
  start.vectors = *std::move(vectors);
  return train_static(run, std::move(start), std::move(made));
}

std::string architecture_line(const Description& model) {
  std::string line =
      counted(model.layers.size(), "layer") + ", hidden size " + std::to_string(model.hidden_size);
  if (!model.layers.empty()) {
    line += ", " + counted(model.layers.front().heads.sizes.size(), "head");
  }
  return line + ", vocabulary of " + std::to_string(model.vocab_size);
}

}  // namespace headlight
