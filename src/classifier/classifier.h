// From text to prediction. START HERE: classifier.cpp shows all steps on one screen.
//
// Example:
//   const Model model = load_model(locate_model("data/models/sentiment", ""));
//   const Classifier classifier(model, {});
//   ScoringScratch scratch;  // one per thread
//   const std::vector<TextInput> texts = {{"not bad at all", {}, {}}, {"dull", {}, {}}};
//   const Prediction first = classifier.classify(texts, scratch).front();
//   const std::string label = classifier.labels().names[first.best];  // "positive"
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "classifier/batched_encoder.h"
#include "classifier/text_classifier.h"
#include "classifier/text_reader.h"
#include "encoder/ablation.h"
#include "encoder/trace.h"
#include "model/model.h"
#include "text/encoding.h"

namespace headlight {

struct ClassifierOptions : ReadingOptions {
  std::optional<ScoreActivation> activation;  // empty: use the model's own
  std::vector<std::string> among;             // the only labels that count; empty: all
  /// Tokens per forward pass; empty: depends on the model's size. Does not change results.
  std::optional<std::size_t> batch_tokens;
  std::vector<Part> heads_off;  // of PartKind::head: their outputs are zero
  std::size_t most_ranked = 1;  // labels that a list has, for models with an order of their own
  bool only_ranked = false;     // the scores and logits of other labels may be 0
  /// The logits are those of the window where this label scores highest; empty: the mean.
  std::optional<std::size_t> sought_label;
};

/// The label set of a model's own predictions with this activation; empty: use the model's own.
LabelSet own_labels_of(const Model& model, std::optional<ScoreActivation> activation);

/// The label set of the predictions of make_classifier(). Throws Error if `options.among` does not
/// fit the model.
LabelSet labels_of(const Model& model, const ClassifierOptions& options);

/// Throws Error if the model labels tokens, not texts. `task` needs a label of the text.
void require_text_labels(const Model& model, const std::string& task);

/// Throws Error if the model has no classification head.
void require_head(const Model& model);

/// Throws Error if the model has a decoder behind its encoder. `task` needs one stack of layers.
void require_one_stack(const Model& model, const std::string& task);

/// Throws Error if the model is a FeatureModel, which has no layers. `task` needs them.
void require_layers(const Model& model, const std::string& task);

/// The number of a label, or of the only one if `name` is empty. Throws Error.
std::size_t label_of(const Model& model, const std::string& name);

/// A classifier with the labels that the model was trained on. The model must outlive it.
class Classifier : public TextClassifier {
 public:
  /// Throws Error as require_vocabulary() does.
  Classifier(const Model& model, const ClassifierOptions& options);

  /// The model must have a classification head that labels texts.
  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  /// The same for `count` texts, each made when it is needed.
  std::vector<Prediction> classify_each(std::size_t count,
                                        const std::function<const TextInput&(std::size_t)>& input,
                                        ScoringScratch& scratch, const StopCheck& stopped) const;

  /// The prediction for one encoding; fills the requested parts of `trace`. Without a
  /// classification head only the trace is meaningful. With a label for each token, the prediction
  /// has their logits, but no entities.
  Prediction classify_traced(const Encoding& encoding, Scratch& scratch, Trace& trace) const;

  /// The prediction for the logits [c] of a text, or [n, c] of its tokens; with
  /// Description::folds [c + k · c], else it has an error.
  Prediction predict(const TextSize& text, std::span<const float> logits) const;
  /// Divides the logits before the activation.
  double temperature() const { return temperature_; }
  /// The scores [c] for logits [c], or [c + k · c].
  std::vector<float> scores_of(std::span<const float> logits) const;

  const LabelSet& labels() const override { return labels_; }
  TextReaches reach_of(const TextInput& input) const override { return reader_.reach_of(input); }
  const TextReader& reader() const { return reader_; }
  const Model& model() const { return model_; }
  bool has_heads_off() const { return !heads_off_.empty(); }

 protected:
  virtual ReadText read(const TextInput& input) const { return reader_.read(input); }

 private:
  std::vector<float> logits_of(const WindowResults& results) const;

  const Model& model_;
  TextReader reader_;
  ScoreActivation activation_;
  double temperature_;
  LabelSet labels_;
  std::size_t batch_tokens_;
  std::vector<Part> heads_off_;
  std::optional<std::size_t> sought_label_;
  bool adds_folds_;  // to the logits
};

/// The classifier of a model with its own labels, or those of `options.among`. The model must
/// outlive it. Throws Error as require_vocabulary() does.
std::unique_ptr<TextClassifier> make_classifier(const Model& model,
                                                const ClassifierOptions& options);

}  // namespace headlight
