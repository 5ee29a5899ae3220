// Classification with labels that the model was not trained on. An entailment model reads the text
// as the premise and a sentence about each label as the hypothesis; the hypothesis that is entailed
// most gives the label (Yin et al. 2019, "Benchmarking Zero-shot Text Classification"). The rules
// are the same as in the reference, transformers' pipelines/zero_shot_classification.py.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifier/classifier.h"

namespace headlight {

/// The placeholder for the label in a hypothesis.
inline constexpr std::string_view kLabelPlace = "{}";

struct ZeroShotTask {
  std::vector<std::string> candidates;  // at least one, all different, valid UTF-8
  std::string hypothesis = "This example is {}.";
  bool multi_label = false;  // each candidate is scored independently
  std::string entailment{};  // the model's label for it; empty: see find_entailment()
};

/// The numbers of a model's labels for entailment and contradiction.
struct EntailmentLabels {
  std::size_t entailment;
  std::size_t contradiction;
  bool guessed = false;  // the model numbers its labels and does not name them
};

/// Entailment is the label `wanted`; if that is empty, the first label that begins with "entail" in
/// upper or lower case, or, as in the reference, the last one if labels have no names (LABEL_0 …).
/// Contradiction is the first label, or the last one if the first is entailment. Empty if labels
/// have names and none is entailment. Needs at least two labels.
std::optional<EntailmentLabels> find_entailment(const std::vector<std::string>& labels,
                                                std::string_view wanted = "");

/// The same for a model. Throws Error if it has no classification head, or no labels for entailment
/// and contradiction.
EntailmentLabels entailment_of(const Model& model, std::string_view wanted);

/// The label set of the predictions of this task.
LabelSet labels_of(const ZeroShotTask& task);

/// Splits labels at commas and trims white space; empty labels are left out. Throws TextError for
/// invalid UTF-8.
std::vector<std::string> split_candidates(std::string_view list);

/// The logits of a prediction are the entailment logits. The scores are their softmax; with a
/// single candidate, or if candidates are scored independently, the softmax of contradiction and
/// entailment. If a text is too long, only the premise is cut or split into windows; tokens,
/// truncated and windows are those of the longest pair.
class ZeroShotClassifier : public TextClassifier {
 public:
  /// Throws Error as entailment_of() and Classifier do. The model must outlive it; the activation
  /// in `options` is not used.
  ZeroShotClassifier(const Model& model, ClassifierOptions options, const ZeroShotTask& task);

  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  const LabelSet& labels() const override { return labels_; }
  TextReaches reach_of(const TextInput& input) const override;

 private:
  /// Combines the predictions for the pairs of a text, one per candidate.
  Prediction judge(std::span<const Prediction> pairs) const;

  Classifier pairs_;
  LabelSet labels_;
  EntailmentLabels entailment_;
  std::vector<std::string> hypotheses_;
};

}  // namespace headlight
