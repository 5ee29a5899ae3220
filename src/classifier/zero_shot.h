// Labels that a model was never trained on. A model of entailment reads the text as the premise and
// a sentence about each label as the hypothesis, and what it thinks entailed is the text's label
// (Yin et al. 2019, "Benchmarking Zero-shot Text Classification"). The rules are those of the
// reference, transformers' pipelines/zero_shot_classification.py.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifier/classifier.h"

namespace headlight {

/// What stands in a hypothesis for the label.
inline constexpr std::string_view kLabelPlace = "{}";

struct ZeroShotTask {
  std::vector<std::string> candidates;  // at least one, all different, valid UTF-8
  std::string hypothesis = "This example is {}.";
  bool multi_label = false;  // each candidate is judged by itself
};

/// Which of a model's labels speak for and against a hypothesis.
struct EntailmentLabels {
  std::size_t entailment;
  std::size_t contradiction;
  bool named;  // by a label that begins with "entail"; else the last one is taken for it
};

/// The first label that begins with "entail", in whatever case; contradiction is the first label,
/// or the last where that is entailment. At least two labels.
EntailmentLabels find_entailment(const std::vector<std::string>& labels);

/// Those of a model. Throws Error where it has no classification head, or no labels that could mean
/// entailment and contradiction.
EntailmentLabels entailment_of(const Model& model);

/// What predictions of the task stand for.
LabelSet labels_of(const ZeroShotTask& task);

/// The labels between commas, without white space around them; empty ones are left out. Throws
/// TextError for bad UTF-8.
std::vector<std::string> split_candidates(std::string_view list);

/// Logits are those of entailment. Scores are the softmax of them; where there is one candidate, or
/// each is judged by itself, the softmax of contradiction and entailment. Of a long text only the
/// premise is cut, or read through windows; tokens, truncated and windows are those of the longest
/// pair.
class ZeroShotClassifier : public TextClassifier {
 public:
  /// Throws Error as entailment_of() and Classifier do. The model must outlive it; the activation
  /// of `options` is not asked for.
  ZeroShotClassifier(const Model& model, ClassifierOptions options, const ZeroShotTask& task);

  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  const LabelSet& labels() const override { return labels_; }

 private:
  /// The verdict on a text from those on its pairs, one a candidate.
  Prediction judge(std::span<const Prediction> pairs) const;

  Classifier pairs_;
  LabelSet labels_;
  EntailmentLabels entailment_;
  std::vector<std::string> hypotheses_;
};

}  // namespace headlight
