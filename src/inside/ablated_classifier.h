// Predictions with the whole model, and without each of its parts in turn. What lies below a part
// is computed once.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "classifier/classifier.h"
#include "encoder/ablation.h"

namespace headlight {

/// Logits [t, (1 + p) · c] in `out`: those of the whole model, then without each of p lists of
/// AblatedParts, which must be in the order of their first layers. Calls `check` before each pass;
/// it may throw. The model must not label tokens.
ConstMatrix forward_without(const Description& model, const Weights& weights,
                            std::span<const std::vector<Part>> parts, const Batch& batch,
                            Scratch& scratch, Buffer& out, const std::function<void()>& check);

/// With the whole model.
struct AblatedPrediction : Prediction {
  std::vector<Prediction> without;  // one per part; empty with an error
};

class AblatedClassifier {
 public:
  /// Throws Error if a layer cannot be passed over. The classifier must outlive it. Texts must not
  /// be read in windows. `parts`: as those of forward_without().
  AblatedClassifier(const Classifier& classifier, std::vector<std::vector<Part>> parts);

  /// One per text, in order; fewer if `stopped` returned true, which is checked before every pass.
  std::vector<AblatedPrediction> classify(std::span<const TextInput> inputs,
                                          ScoringScratch& scratch, const StopCheck& stopped) const;

 private:
  const Classifier& classifier_;
  std::vector<std::vector<Part>> parts_;
};

}  // namespace headlight
