#include "training/head/classifier_start.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/error.h"
#include "base/utf8.h"
#include "classifier/classifier.h"
#include "model/adapter.h"

namespace headlight {
namespace {

constexpr std::size_t kListedLabels = 12;

std::optional<Pooling> pooling_of(TokenPooling pooling) {
  switch (pooling) {
    case TokenPooling::cls:
      return Pooling::cls;
    case TokenPooling::last:
      return Pooling::last;
    case TokenPooling::max:
      return Pooling::max;
    case TokenPooling::mean:
      return Pooling::mean;
    default:
      return std::nullopt;
  }
}

void refuse_without_vector(const Model& model) {
  require_one_stack(model, "fit");
  refuse_adapter(model.place, "training");
  const auto& biases = model.description.relative_biases;
  if (!biases.empty() && (biases.size() > 1 || !(biases[0].buckets == DistanceBuckets()))) {
    throw Error(model.place.config, "has buckets of distances that no model of ours has",
                "fit needs one table of biases with 32 buckets up to a distance of 128");
  }
  if (model.description.pooling == Pooling::each_token && model.weights.classifier) {
    throw Error(model.place.config, "labels tokens, so it has no vector for a whole text",
                "a model that classifies texts or an encoder is needed");
  }
  if (model.description.pooling == Pooling::label_attention) {
    throw Error(model.place.config, "has label attention, whose queries belong to its own labels",
                "an encoder that pools in another way is needed");
  }
  if (model.description.label_reading) {
    throw Error(model.place.config, "reads labels with each text, and has no layer for others",
                "a model that classifies texts or an encoder is needed");
  }
}

/// Whether the activation of 0 is 0.
bool keeps_zero(Activation activation) { return activation != Activation::sigmoid; }

/// Notes them unless nobody named them.
void note_dropped_labels(const Model& start, const LabelSet& labels,
                         std::vector<std::string>& notes) {
  if (start.description.problem_type == ProblemType::regression || labels.names.empty() ||
      labels.problem_type == ProblemType::regression) {
    return;
  }
  const auto& old = start.description.labels;
  std::vector<std::string> dropped;
  bool named = false;
  for (std::size_t i = 0; i < old.size(); ++i) {
    named = named || old[i] != "LABEL_" + std::to_string(i);
    if (std::ranges::find(labels.names, old[i]) == labels.names.end()) dropped.push_back(old[i]);
  }
  if (dropped.empty() || !named) return;
  notes.push_back("the rows lack " + std::to_string(dropped.size()) + " of the " +
                  std::to_string(old.size()) + " labels of " + start.place.name +
                  ", so the new model lacks them too: " + listed(dropped, kListedLabels));
}

}  // namespace

ClassifierStart::ClassifierStart(Model loaded, const LabelSet& labels, bool normalizes)
    : model_(std::move(loaded)),
      keeps_layout_(model_.weights.classifier && !model_.description.label_ngrams &&
                    model_.description.folds == 1),
      normalizes_(normalizes) {
  refuse_without_vector(model_);
  Description& description = model_.description;
  description.score_activation.reset();
  description.folds = 1;
  model_.weights.folds.reset();
  description.label_ngrams.reset();
  model_.weights.label_ngrams = {};
  model_.calibration = {};
  if (model_.weights.classifier) {
    description.classifier_bias = !model_.weights.classifier->bias.empty();
    format_ = model_.weights.classifier->weight.format;
    note_dropped_labels(model_, labels, notes_);
    return;
  }
  description.classifier_bias = true;
  use_modules();
}

void ClassifierStart::use_modules() {
  modules_ = read_sentence_modules(model_, std::nullopt);
  const std::size_t limit = model_.description.max_positions;
  apply_reading(modules_, model_);
  // A classifier also keeps to the limit of its tokenizer.
  model_.description.max_positions = std::min(model_.description.max_positions, limit);
  reads_otherwise_ = modules_.lowercase || model_.description.max_positions != limit;
  if (!modules_.note.empty()) {
    notes_.push_back(modules_.note.substr(0, modules_.note.find(';')));
  }
  if (!modules_.prompts.empty()) {
    notes_.emplace_back("the prompts of the model are not put before texts");
  }
  Description& description = model_.description;
  const auto usable = pooling_of(modules_.poolings.front());
  description.pooling = usable.value_or(Pooling::mean);
  description.last_skips.reset();
  if (modules_.poolings.size() > 1 || !usable) {
    notes_.push_back(
        std::string("the pooling of the model cannot be part of a classifier; ") +
        (usable ? "only its first kind is used" : "the mean of the tokens' vectors is used"));
    return;
  }
  for (const VectorModule& module : modules_.after) {
    const auto obstacle = std::visit([&](const auto& own) { return absorb(own); }, module);
    if (obstacle.empty()) continue;
    left_out_ = obstacle;
    notes_.push_back(obstacle + "; the vectors before it are used");
    return;
  }
}

std::string ClassifierStart::absorb(const NormalizeModule& /*normalize*/) {
  if (normalizes_ && !model_.description.head_dense) {
    model_.description.normalize = true;
    return "";
  }
  return "the module Normalize of the model cannot be part of a classifier";
}

/// A dense layer of another width is filled with rows of zeros.
std::string ClassifierStart::absorb(const DenseModule& dense) {
  std::string what = "the module Dense of the model cannot be part of a classifier";
  const std::size_t d = model_.description.hidden_size;
  const Linear& linear = dense.linear;
  if (dense.activation == Activation::linear && !dense.residual) {
    return "the module Dense of the model is linear, as the classifier is";
  }
  const bool fits = linear.in() == d && linear.out() <= d && model_.description.encoded_size() == d;
  const bool padded = linear.out() < d;
  if (dense.residual || !fits || model_.description.head_dense || model_.description.normalize) {
    return what;
  }
  if (padded && !keeps_zero(dense.activation)) return what;
  model_.description.head_dense = dense.activation;
  model_.description.head_dense_size = 0;
  model_.description.head_dense_bias = !linear.bias.empty();
  model_.description.head_norm = false;
  model_.description.head_dense_first = false;
  Linear& head = model_.weights.head_dense.emplace(linear);
  if (!padded) return "";
  dense_weight_.assign(d * d, 0.0F);
  for (std::size_t i = 0; i < linear.out(); ++i) {
    linear.weight.read(i, std::span(dense_weight_).subspan(i * d, d));
  }
  head.weight = {NumberFormat::f32, reinterpret_cast<const std::byte*>(dense_weight_.data()), d, d};
  if (!linear.bias.empty()) {
    dense_bias_.assign(linear.bias.begin(), linear.bias.end());
    dense_bias_.resize(d);
    head.bias = dense_bias_;
  }
  return "";
}

std::string ClassifierStart::absorb(const LayerNorm& norm) {
  Description& description = model_.description;
  const bool alike =
      norm.epsilon == description.layer_norm_eps && norm.form == description.layer_norm_form &&
      norm.bias.empty() != description.norm_bias && norm.gain.size() == description.hidden_size;
  if (!alike || !description.head_dense || description.head_norm || !dense_weight_.empty()) {
    return "the module LayerNorm of the model cannot be part of a classifier";
  }
  description.head_norm = true;
  model_.weights.head_norm = norm;
  return "";
}

void ClassifierStart::set_head(LinearHead head, const LabelSet& labels) {
  head_ = std::move(head);
  Description& description = model_.description;
  description.labels = labels.names;
  description.problem_type = labels.problem_type;
  Linear& classifier = model_.weights.classifier.emplace();
  classifier.weight = {NumberFormat::f32, reinterpret_cast<const std::byte*>(head_.weight.data()),
                       labels.names.size(), width()};
  classifier.bias = head_.bias;
}

void ClassifierStart::divide_head(float divisor) {
  scale_head(1.0F / divisor, head_);
  round_head(format_, head_);
}

void ClassifierStart::set_label_ngrams(NgramDescription ngrams, std::vector<float> table) {
  label_ngrams_ = std::move(table);
  model_.weights.label_ngrams = {NumberFormat::f32,
                                 reinterpret_cast<const std::byte*>(label_ngrams_.data()),
                                 ngrams.buckets, model_.description.classes()};
  model_.description.label_ngrams = std::move(ngrams);
  keeps_layout_ = false;
}

void ClassifierStart::remove_head() {
  Description& description = model_.description;
  description.labels.clear();
  description.problem_type = ProblemType::single_label;
  description.normalize = false;
  description.head_dense.reset();
  description.head_dense_size = 0;
  description.head_dense_bias = true;
  description.head_norm = false;
  description.head_dense_first = false;
  description.classifier_bias = true;
  model_.weights.head_dense.reset();
  model_.weights.head_norm.reset();
  model_.weights.classifier.reset();
}

}  // namespace headlight
