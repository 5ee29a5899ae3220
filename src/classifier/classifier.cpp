#include "classifier/classifier.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/nearest_name.h"
#include "base/utf8.h"
#include "classifier/among_labels.h"
#include "classifier/fasttext_classifier.h"
#include "classifier/feature_classifiers.h"
#include "encoder/forward.h"

namespace headlight {
namespace {

/// A hint, for a model without layers.
std::string readers_of_features(const Model& model) {
  return std::string(model.description.labels.empty() ? ""
                                                      : "classify, batch, evaluate, explain, ") +
         (model.features->gives_vectors() ? "embed, " : "") +
         "tokenize and inspect read such models";
}

/// Temperature and thresholds apply only to the activation that they were fitted with.
bool is_calibrated(const Model& model, std::optional<ScoreActivation> activation) {
  const ScoreActivation own = default_activation(model.description);
  return activation.value_or(own) == own;
}

}  // namespace

LabelSet own_labels_of(const Model& model, std::optional<ScoreActivation> activation) {
  const Description& description = model.description;
  const ScoreActivation used = activation.value_or(default_activation(description));
  LabelSet labels = {description.labels, description.problem_type, used != ScoreActivation::none};
  if (is_calibrated(model, activation)) labels.thresholds = model.calibration.thresholds;
  labels.each_token = description.pooling == Pooling::each_token;
  if (const auto* fasttext = model.features_as<FasttextModel>()) {
    labels.prefix = fasttext_prefix(*fasttext, labels.names);
  }
  return labels;
}

LabelSet labels_of(const Model& model, const ClassifierOptions& options) {
  LabelSet labels = own_labels_of(model, options.activation);
  if (options.among.empty()) return labels;
  std::vector<std::string> names;
  for (const std::size_t label : numbers_among(model, options)) {
    names.push_back(labels.names[label]);
  }
  labels.names = std::move(names);
  return labels;
}

void require_text_labels(const Model& model, const std::string& task) {
  if (model.description.pooling != Pooling::each_token) return;
  throw Error(model.place.path,
              "labels each token, not the text; " + task + " needs a label of the text");
}

void require_head(const Model& model) {
  if (model.weights.classifier || model.description.adds_features) return;
  if (model.description.label_reading) {
    throw Error(model.place.path, "has no labels of its own: it reads them with each text",
                "--zero-shot LABEL,... names them for classify, batch, evaluate and explain");
  }
  if (model.features) {
    throw Error(model.place.path, "has vectors of words and no labels", readers_of_features(model));
  }
  const std::string& name = model.architecture;
  throw Error(
      model.place.path,
      "has no classification head" + (name.empty() ? "" : " (architecture " + name + ")"),
      "headlight fit makes a classifier of it; embed, inspect, tokenize and attention need none");
}

void require_one_stack(const Model& model, const std::string& task) {
  if (!model.description.decoder) return;
  throw Error(model.place.path,
              "has an encoder and a decoder (" + model.family + "), and " + task +
                  " reads models with one stack of layers",
              "classify, batch, evaluate, embed, explain and attention read such models");
}

void require_layers(const Model& model, const std::string& task) {
  if (!model.features) return;
  throw Error(model.place.path,
              std::string("is a model of ") + model.features->kind() + ", without layers, and " +
                  task + " needs some",
              readers_of_features(model));
}

std::size_t label_of(const Model& model, const std::string& name) {
  constexpr std::size_t kFewLabels = 4;
  const auto& labels = model.description.labels;
  if (name.empty() && labels.size() == 1) return 0;
  const auto found = std::find(labels.begin(), labels.end(), name);
  if (found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  throw Error(model.place.path,
              (name.empty() ? "has several labels" : "has no label \"" + shortened(name) + '"') +
                  "; its labels are " + listed(labels, kFewLabels),
              name.empty() ? "--label chooses one" : did_you_mean(name, labels));
}

Classifier::Classifier(const Model& model, const ClassifierOptions& options)
    : model_(model),
      reader_(model, options),
      activation_(options.activation.value_or(default_activation(model.description))),
      temperature_(is_calibrated(model, options.activation)
                       ? model.calibration.temperature.value_or(1.0)
                       : 1.0),
      labels_(own_labels_of(model, options.activation)),
      batch_tokens_(options.batch_tokens.value_or(tokens_at_once(model.description))),
      heads_off_(options.heads_off),
      sought_label_(options.sought_label),
      adds_folds_(model.description.folds > 1 && is_calibrated(model, options.activation)) {}

std::vector<Prediction> Classifier::classify(std::span<const TextInput> inputs,
                                             ScoringScratch& scratch,
                                             const StopCheck& stopped) const {
  const auto input = [&](std::size_t i) -> const TextInput& { return inputs[i]; };
  return classify_each(inputs.size(), input, scratch, stopped);
}

std::vector<Prediction> Classifier::classify_each(
    std::size_t count, const std::function<const TextInput&(std::size_t)>& input,
    ScoringScratch& scratch, const StopCheck& stopped) const {
  const auto read_one = [&](std::size_t i) { return read(input(i)); };  // text → ids
  const auto run = [&](const Batch& batch, Scratch& memory) {           // ids → logits
    HeadsOff observer(heads_off_, nullptr);
    return forward(model_.description, model_.weights,
                   {batch, memory, heads_off_.empty() ? nullptr : &observer, labels().names.size(),
                    adds_folds_});
  };
  BatchedEncoder encoder(run, model_.description, batch_tokens_, scratch);
  std::vector<Prediction> predictions;
  for (const EncodedText& text : encoder.encode(count, read_one, stopped)) {
    predictions.emplace_back();
    if (text.error.empty()) {
      predictions.back() = predict(text.size, logits_of(text.windows));  // logits → prediction
    } else {
      predictions.back().error = text.error;
    }
  }
  return predictions;
}

std::vector<float> Classifier::logits_of(const WindowResults& results) const {
  if (!sought_label_) return results.mean();
  const auto& windows = results.windows();
  const auto score = [&](const auto& logits) { return scores_of(logits)[*sought_label_]; };
  return *std::max_element(windows.begin(), windows.end(),
                           [&](const auto& a, const auto& b) { return score(a) < score(b); });
}

Prediction Classifier::classify_traced(const Encoding& encoding, Scratch& scratch,
                                       Trace& trace) const {
  Batch batch;
  batch.add(encoding.ids, encoding.type_ids);
  HeadsOff observer(heads_off_, &trace);
  const ConstMatrix logits =
      forward(model_.description, model_.weights, {batch, scratch, &observer, 0, adds_folds_});
  std::vector<float> all;
  keep_rows(logits, all);
  return predict(reader_.size_of(encoding), all);
}

Prediction Classifier::predict(const TextSize& text, std::span<const float> logits) const {
  Prediction prediction;
  if (!std::all_of(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); })) {
    prediction.error = "the logits are not finite";
    return prediction;
  }
  static_cast<TextSize&>(prediction) = text;
  if (model_.description.pooling == Pooling::each_token) {
    prediction.token_labels.logits.assign(logits.begin(), logits.end());
    return prediction;
  }
  if (logits.empty()) return prediction;
  const std::size_t classes = adds_folds_ ? labels_.names.size() : logits.size();
  if (adds_folds_ && logits.size() == classes) {
    prediction.error = "the probabilities are means over several classifiers; this needs one";
    return prediction;
  }
  prediction.logits.assign(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(classes));
  const bool regression = model_.description.problem_type == ProblemType::regression;
  if (regression || activation_ != ScoreActivation::none) {
    prediction.scores = scores_of(logits);
  }
  const auto& order = adds_folds_ ? prediction.scores : prediction.logits;
  prediction.best = static_cast<std::size_t>(std::ranges::max_element(order) - order.begin());
  return prediction;
}

std::vector<float> Classifier::scores_of(std::span<const float> logits) const {
  if (!adds_folds_) return activate_scores(activation_, logits, temperature_);
  const std::size_t classes = labels_.names.size();
  std::vector<double> sums(classes);
  for (std::size_t first = classes; first < logits.size(); first += classes) {
    const auto scores = activate_scores(activation_, logits.subspan(first, classes), temperature_);
    for (std::size_t i = 0; i < classes; ++i) sums[i] += static_cast<double>(scores[i]);
  }
  std::vector<float> means;
  const auto folds = static_cast<double>(model_.description.folds);
  means.reserve(sums.size());
  for (const double sum : sums) means.push_back(static_cast<float>(sum / folds));
  return means;
}

std::unique_ptr<TextClassifier> make_classifier(const Model& model,
                                                const ClassifierOptions& options) {
  if (!options.among.empty()) return make_classifier_among(model, options);
  if (auto classifier = make_feature_classifier(model, options)) return classifier;
  return std::make_unique<Classifier>(model, options);
}

}  // namespace headlight
