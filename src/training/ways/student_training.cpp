#include "training/ways/student_training.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "training/head/head_training.h"
#include "training/head/label_ngrams.h"
#include "training/static/token_vectors.h"
#include "training/ways/ways.h"

namespace headlight {
namespace {

constexpr std::size_t kMostNumbers = 128;  // of a vector

/// Reads text as `reader` does, and waits for vectors and a last layer; without the latter, modules
/// in the folder of `reader` would be put behind the mean.
Model mean_of_tokens(const Model& reader, std::size_t numbers) {
  FreshModel fresh(with_own_reading(reader), R"({
    "model_type": "headlight", "vocab_size": 1, "num_hidden_layers": 0, "num_attention_heads": 1,
    "position_embedding_type": "none", "max_position_embeddings": 65536, "pooling": "mean",
    "tokenizer": {"type": "wordpiece"}, "hidden_size": )" +
                                                 std::to_string(numbers) + "}");
  fresh.model().weights.classifier.emplace();
  return std::move(fresh.model());
}

}  // namespace

StudentTraining::StudentTraining(Model encoder, const StaticSettings& settings)
    : StaticTraining(FreshModel(with_own_reading(encoder), kStaticConfig), settings,
                     {.sizes = true}),
      place_(encoder.place),
      width_(encoder.description.classifier_size()),
      files_(std::move(encoder.files)),
      teacher_(settings.teacher.logits),
      format_(settings.stored_as.value_or(NumberFormat::i8)) {}

Learned StudentTraining::learn(const TrainingRun& run, LabelledRows rows) {
  const bool has_characters = StaticTraining::model().tokenizer->character_ngrams() > 0;
  if (teacher_.empty() && rows.labels.names.size() <= kMostNgramLabels && !has_characters) {
    return fit_last_layer(run, std::move(rows));
  }
  auto vectors = vectors_of(run, rows, StaticTraining::model().description.hidden_size);
  if (!vectors) return {.end = FitEnd::stopped_at_once, .training = shared_from_this()};
  vectors_ = *std::move(vectors);
  return StaticTraining::learn(run, std::move(rows));
}

std::optional<std::vector<float>> StudentTraining::vectors_of(const TrainingRun& run,
                                                              const LabelledRows& rows,
                                                              std::size_t size) {
  ClassifierStart encoder(load_model(place_));
  encoder.model() = run.engine.ready(std::move(encoder.model()), Workload::many);
  return token_vectors(encoder.model(), rows, size, run);
}

Learned StudentTraining::fit_last_layer(const TrainingRun& run, LabelledRows rows) {
  Learned made{.rows = std::move(rows), .training = shared_from_this()};
  const std::size_t d = std::min(width_, kMostNumbers);
  auto vectors = vectors_of(run, made.rows, d);
  if (!vectors) {
    made.end = FitEnd::stopped_at_once;
    return made;
  }
  vectors_ = *std::move(vectors);
  Model mean = mean_of_tokens(StaticTraining::model(), d);
  Table& table = mean.weights.embeddings.token;
  table = {NumberFormat::f32, reinterpret_cast<const std::byte*>(vectors_.data()),
           vectors_.size() / d, d};
  if (format_ == NumberFormat::i8) table = tokens_.emplace(table).table();
  fitted_.emplace(std::move(mean));
  fitted_->model().description.classifier_bias = true;
  const HeadSettings settings;
  const HeadTraining training{.run = run,
                              .settings = settings,
                              .is_last = true,
                              .with_ngrams = true,
                              .keeps_vectors = false};
  if (!training.fit(*fitted_, made)) {
    made.end = FitEnd::stopped_at_once;
    return made;
  }
  if (format_ == NumberFormat::f16) {
    Model& model = fitted_->model();
    rounded_.emplace(model.description, model.weights);
    round_matrices(format_, *rounded_);
    model.weights = rounded_->weights();
  }
  made.trained = "the last layer, on the vectors that " + place_.name + " gives " +
                 counted(model().description.vocab_size, "token") +
                 ", and n-grams of one and two tokens (L-BFGS in float64)";
  return made;
}

void StudentTraining::write(ModelDirectory& directory) const {
  fitted_ ? write_native(model(), directory, format_) : StaticTraining::write(directory);
}

}  // namespace headlight
