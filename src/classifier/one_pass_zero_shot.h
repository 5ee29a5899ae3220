// Classification with labels that the model was not trained on, all of them in one pass: the model
// reads them together with the text (LabelReading; Stepanov et al. 2025, "GLiClass"). The rules are
// those of the reference, gliclass' UniEncoderZeroShotClassificationPipeline.
#pragma once

#include <vector>

#include "classifier/classifier.h"
#include "classifier/zero_shot.h"

namespace headlight {

/// Scores are the softmax of the logits; with one label, or if each is scored independently, the
/// sigmoid. If a text is too long, only the text is cut or split into windows, never the labels;
/// tokens are those of both.
class OnePassZeroShotClassifier : public Classifier {
 public:
  /// `model` has label_reading and must outlive it. Only candidates and multi_label of `task` are
  /// used, and not the activation in `options`. Throws Error as Classifier does, if the labels
  /// leave no room for a text, or if the tokenizer does not read them as the model needs.
  OnePassZeroShotClassifier(const Model& model, const ClassifierOptions& options,
                            const ZeroShotTask& task);

  const LabelSet& labels() const override { return labels_; }

 protected:
  ReadText read(const TextInput& input) const override;

 private:
  OnePassZeroShotClassifier(const Model& model, const ClassifierOptions& options,
                            const ZeroShotTask& task, std::vector<TokenId> label_ids);

  LabelSet labels_;
  std::vector<TokenId> label_ids_;  // of all labels and the tokens between them
};

}  // namespace headlight
