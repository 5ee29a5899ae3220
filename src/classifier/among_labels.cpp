#include "classifier/among_labels.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "sparse/sparse_model.h"

namespace headlight {
namespace {

class AmongLabels : public TextClassifier {
 public:
  AmongLabels(const Model& model, const ClassifierOptions& options)
      : numbers_(numbers_among(model, options)),
        labels_(labels_of(model, options)),
        temperature_(model.calibration.temperature.value_or(1.0)),
        has_own_scores_(model.features_as<SparseModel>() != nullptr) {
    ClassifierOptions whole = options;
    whole.among.clear();
    whole.only_ranked = false;
    classifier_ = make_classifier(model, whole);
  }

  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override {
    std::vector<Prediction> predictions = classifier_->classify(inputs, scratch, stopped);
    for (Prediction& prediction : predictions) {
      if (prediction.error.empty()) restrict(prediction);
    }
    return predictions;
  }
  const LabelSet& labels() const override { return labels_; }
  TextReaches reach_of(const TextInput& input) const override {
    return classifier_->reach_of(input);
  }

 private:
  void restrict(Prediction& prediction) const {
    std::vector<float> logits(numbers_.size());
    std::ranges::transform(numbers_, logits.begin(),
                           [&](std::size_t label) { return prediction.logits[label]; });
    prediction.scores = has_own_scores_
                            ? shares_of(prediction.scores)
                            : activate_scores(ScoreActivation::softmax, logits, temperature_);
    const std::vector<float>& order = has_own_scores_ ? prediction.scores : logits;
    prediction.best = static_cast<std::size_t>(std::ranges::max_element(order) - order.begin());
    prediction.logits = std::move(logits);
    prediction.ranked.clear();
    prediction.ranked_for = 0;
  }

  /// Probabilities that are no softmax of the logits: each divided by their sum.
  std::vector<float> shares_of(const std::vector<float>& all) const {
    double sum = 0.0;
    for (const std::size_t label : numbers_) sum += all[label];
    std::vector<float> shares(numbers_.size(), 1.0F / static_cast<float>(numbers_.size()));
    if (sum == 0.0) return shares;
    std::ranges::transform(numbers_, shares.begin(),
                           [&](std::size_t label) { return static_cast<float>(all[label] / sum); });
    return shares;
  }

  std::vector<std::size_t> numbers_;  // in the model, of each label
  LabelSet labels_;
  double temperature_;
  bool has_own_scores_;
  std::unique_ptr<TextClassifier> classifier_;
};

}  // namespace

std::vector<std::size_t> numbers_among(const Model& model, const ClassifierOptions& options) {
  const Description& description = model.description;
  if (description.problem_type != ProblemType::single_label || description.folds > 1 ||
      default_activation(description) != ScoreActivation::softmax) {
    throw Error(model.place.path, "has no softmax over its labels, and --among takes it over some");
  }
  std::vector<std::size_t> numbers;
  for (const std::string& name : options.among) {
    numbers.push_back(label_of(model, name));
  }
  std::ranges::sort(numbers);
  return numbers;
}

std::unique_ptr<TextClassifier> make_classifier_among(const Model& model,
                                                      const ClassifierOptions& options) {
  return std::make_unique<AmongLabels>(model, options);
}

}  // namespace headlight
