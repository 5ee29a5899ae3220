// From text to prediction. START HERE: classifier.cpp is the whole way in one screen.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "classifier/text_classifier.h"
#include "classifier/text_reader.h"
#include "encoder/trace.h"
#include "model/model.h"
#include "text/encoding.h"

namespace headlight {

struct ClassifierOptions : ReadingOptions {
  std::optional<ScoreActivation> activation;  // empty: the model's own
  /// Tokens that are computed together; empty: by the model's size. Changes no result.
  std::optional<std::size_t> batch_tokens;
};

/// What a model's predictions stand for with this activation; empty: its own.
LabelSet labels_of(const Model& model, std::optional<ScoreActivation> activation);

/// Throws Error if the model has no classification head, and so nothing to say about a text.
void require_head(const Model& model);

/// A model with the labels it was trained on. The model must outlive it.
class Classifier : public TextClassifier {
 public:
  /// Throws Error as require_vocabulary() does.
  Classifier(const Model& model, const ClassifierOptions& options);

  /// The model must have a classification head.
  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  /// The same for `count` texts, each made when it is its turn.
  std::vector<Prediction> classify_each(std::size_t count,
                                        const std::function<const TextInput&(std::size_t)>& input,
                                        ScoringScratch& scratch, const StopCheck& stopped) const;

  /// The prediction for one encoding, with what `trace` wants to see of the way there. Without a
  /// classification head only the trace means something.
  Prediction classify_traced(const Encoding& encoding, Scratch& scratch, Trace& trace) const;

  /// What the logits [c] of a text say.
  Prediction predict(const TextSize& text, std::span<const float> logits) const;

  const LabelSet& labels() const override { return labels_; }
  const TextReader& reader() const { return reader_; }
  const Model& model() const { return model_; }

 private:
  const Model& model_;
  TextReader reader_;
  ScoreActivation activation_;
  double temperature_;
  LabelSet labels_;
  std::size_t batch_tokens_;
};

}  // namespace headlight
