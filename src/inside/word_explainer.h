// Explains the words of a text by any method, and measures how faithful the explanations are.
// START HERE for explanations; explanation.h says what one contains.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "classifier/text_classifier.h"
#include "inside/explanation.h"
#include "inside/gradient_explanation.h"
#include "inside/shapley.h"

namespace headlight {

/// How words are explained.
struct WordExplaining {
  ExplanationMethod method = ExplanationMethod::occlusion;
  ExplanationOrder order = ExplanationOrder::words;  // of occlusion
  ShapleyOptions shapley;
  bool flip = false;          // also find the smallest change of the verdict
  bool faithfulness = false;  // also judge all methods that the model has
};

/// The method of a model where none is chosen: exact where the vectors of n-grams add up to the
/// logits, else occlusion, which also holds what words do together.
ExplanationMethod default_method(const Description& model);
/// Whether the method needs the gradients of a model, which has its own labels.
bool is_by_gradients(ExplanationMethod method);
/// About how many texts are scored for a text with this number of words that are read; at most, for
/// sampled Shapley values and WordExplaining::flip.
std::size_t texts_to_score(const WordExplaining& how, std::size_t words);
/// What these texts are: "each whole text, and without each of its words".
std::string texts_named(const WordExplaining& how);

/// Const and shared by threads.
class WordExplainer {
 public:
  /// Throws Error if the method is by gradients and the model has a part without one, or if it is
  /// exact and the logits of the model are no sum over words.
  WordExplainer(std::unique_ptr<TextClassifier> classifier, const WordExplaining& how);

  /// Empty if it was stopped. Throws TextError.
  std::optional<Explanation> explain(const TextInput& input, const ExplanationWatch& watch) const;

  const TextClassifier& classifier() const { return *classifier_; }
  const GradientExplainer& gradients() const { return *gradients_; }
  const WordExplaining& how() const { return how_; }

 private:
  /// False if stopped.
  bool add_flip(const TextInput& input, const ExplanationWatch& watch,
                Explanation& explanation) const;
  /// Judges the explanation, those of the other methods, and random orders. False if stopped.
  bool judge(const TextInput& input, const ExplanationWatch& watch, Explanation& explanation) const;

  std::unique_ptr<TextClassifier> classifier_;
  WordExplaining how_;
  std::unique_ptr<GradientExplainer> gradients_;  // empty: not needed, or the model has none
};

}  // namespace headlight
