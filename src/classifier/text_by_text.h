// For models that read one text after another, without batches.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "classifier/text_classifier.h"

namespace headlight {

/// One prediction per text, in order; fewer if `stopped` returned true. `predict(text)` may throw
/// TextError, which is the error of its prediction.
template <typename Predict>
std::vector<Prediction> text_by_text(std::span<const TextInput> inputs, const StopCheck& stopped,
                                     const Predict& predict) {
  std::vector<Prediction> predictions;
  predictions.reserve(inputs.size());
  for (const TextInput& input : inputs) {
    if (stopped()) break;
    try {
      predictions.push_back(predict(input));
    } catch (const TextError& error) {
      predictions.emplace_back().error = error.line();
    }
  }
  return predictions;
}

}  // namespace headlight
