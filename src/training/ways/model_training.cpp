#include "training/ways/model_training.h"

#include <string>
#include <utility>

#include "base/error.h"
#include "training/directory/published_model.h"
#include "training/head/head_training.h"

namespace headlight {

namespace {

Model model_of(FitStart start, const char* word) {
  if (!start.model) {
    throw Error(start.bare.config,
                std::string("has no weights, so there are no vectors for --train ") + word,
                "use --train all");
  }
  start.set_reading(start.model->description);
  return *std::move(start.model);
}

}  // namespace

ModelTraining::ModelTraining(FitStart start, const char* word)
    : loaded_(model_of(std::move(start), word)) {}

TextReading ModelTraining::reading() {
  return {loaded_, /*changes=*/false, {}, [](const auto& /*texts*/) {}};
}

void ModelTraining::prepare(const TrainingRun& run, Learned& made) {
  start_.emplace(std::move(loaded_), made.rows.labels);
  made.training = shared_from_this();
  if (start_->reads_otherwise()) read_tokens_again(start_->model(), made.rows);
  for (const std::string& note : start_->notes()) run.watch.note(note);
  made.notes = start_->notes();
}

void ModelTraining::keep_layout(const TrainingRun& run, Learned& made) {
  if (model().family == "headlight") return;
  const std::string obstacle = published_config(model()).obstacle;
  keeps_layout_ = obstacle.empty();
  if (keeps_layout_) made.layout = "that of the start, " + model().family;
  if (keeps_layout_ && !model().description.reads_windows) return;
  made.notes.push_back(
      keeps_layout_ ? "only headlight reads long texts in windows; others read what fits"
                    : "the files have the layout of headlight, not that of the start: " + obstacle);
  run.watch.note(made.notes.back());
}

void ModelTraining::write(ModelDirectory& directory) const {
  keeps_layout_ ? write_published(model(), directory, stored_as_)
                : write_native(model(), directory, stored_as_);
}

bool ModelTraining::divide_logits(float temperature) {
  if (keeps_layout_) divide_head(temperature);
  return keeps_layout_;
}

bool keeps_layout_of_head(const Model& start) {
  return start.weights.classifier && has_published_class(start);
}

Learned LastLayerTraining::learn(const TrainingRun& run, LabelledRows rows) {
  Learned made{.rows = std::move(rows)};
  prepare(run, made);
  if (!HeadTraining{run, settings_, /*is_last=*/true, with_ngrams_}.fit(*start_, made)) {
    made.end = FitEnd::stopped_at_once;
    return made;
  }
  made.trained = std::string("the last layer, on the vectors of the model") +
                 (with_ngrams_ ? " and n-grams of one and two tokens" : "") +
                 " (L-BFGS in float64)";
  if (start_->keeps_layout()) made.layout = "that of the start, " + model().family;
  return made;
}

void LastLayerTraining::write(ModelDirectory& directory) const {
  start_->keeps_layout() ? write_with_new_head(model(), directory)
                         : write_native(model(), directory);
}

bool LastLayerTraining::divide_logits(float temperature) {
  if (!start_->keeps_layout() || model().family == "headlight") return false;
  start_->divide_head(temperature);
  return true;
}

}  // namespace headlight
