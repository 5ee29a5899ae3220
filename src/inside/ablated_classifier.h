// Predictions with the whole model and without each of its parts.
#pragma once

#include <span>
#include <vector>

#include "classifier/classifier.h"
#include "inside/ablated_forward.h"

namespace headlight {

/// With the whole model.
struct AblatedPrediction : Prediction {
  std::vector<Prediction> without;  // one per part; empty with an error
};

class AblatedClassifier {
 public:
  /// Throws Error if a layer cannot be passed over. The classifier must outlive it. Texts must not
  /// be read in windows. `parts` are in the order of their layers.
  AblatedClassifier(const Classifier& classifier, std::vector<PartAway> parts);

  /// One per text, in order; fewer if `stopped` returned true, which is checked before every pass.
  std::vector<AblatedPrediction> classify(std::span<const TextInput> inputs,
                                          ScoringScratch& scratch, const StopCheck& stopped) const;

 private:
  const Classifier& classifier_;
  std::vector<PartAway> parts_;
};

}  // namespace headlight
