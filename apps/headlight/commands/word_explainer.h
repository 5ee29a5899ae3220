// Explains the words of a text by any method, and measures how faithful the explanations are.
#pragma once

#include <memory>
#include <optional>

#include "classifier/classifier.h"
#include "inside/explanation.h"
#include "inside/gradient_explanation.h"
#include "inside/shapley.h"
#include "options/zero_shot_options.h"

namespace headlight {

/// How words are explained.
struct WordExplaining {
  ExplanationMethod method = ExplanationMethod::occlusion;
  ExplanationOrder order = ExplanationOrder::words;  // of occlusion
  ShapleyOptions shapley;
  bool faithfulness = false;  // also judge all methods that the model has
};

/// Const and shared by threads. For one model.
class WordExplainer {
 public:
  /// The model must outlive it. Must be constructed after ZeroShotOptions::labels(). Throws Error
  /// if the method is by gradients and the model has a part without one.
  WordExplainer(const Model& model, const ZeroShotOptions& zero_shot,
                const ClassifierOptions& options, WordExplaining how);

  /// Empty if it was stopped. Throws TextError.
  std::optional<Explanation> explain(const TextInput& input, const ExplanationWatch& watch) const;

 private:
  bool has(ExplanationMethod method) const { return gradients_ || !is_by_gradients(method); }
  std::optional<Explanation> explain_by(ExplanationMethod method, const TextInput& input,
                                        const ExplanationWatch& watch) const;
  /// Judges the explanation, those of the other methods, and random orders. False if stopped.
  bool judge(const TextInput& input, const ExplanationWatch& watch, Explanation& explanation) const;

  WordExplaining how_;
  std::unique_ptr<TextClassifier> classifier_;
  std::unique_ptr<Classifier> plain_;             // of the gradients; may be empty
  std::unique_ptr<GradientExplainer> gradients_;  // empty: not needed, or the model has none
};

}  // namespace headlight
