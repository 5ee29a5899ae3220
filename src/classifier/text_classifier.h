// What rows and reports know of a classifier: texts go in, predictions over a set of labels come
// out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/prediction.h"
#include "encoder/scratch.h"

namespace headlight {

/// A text to score, or a pair of them.
struct TextInput {
  std::string text;  // or its token ids, with ClassifierOptions::ids
  std::optional<std::string> pair;
  std::optional<std::string> type_ids;  // segments for token ids
};

/// Const and shared by threads; each thread brings its own Scratch.
class TextClassifier {
 public:
  virtual ~TextClassifier() = default;

  /// A prediction a text, in order. What is wrong with a text is in its prediction's error.
  virtual std::vector<Prediction> classify(std::span<const TextInput> inputs,
                                           Scratch& scratch) const = 0;
  virtual const LabelSet& labels() const = 0;
};

}  // namespace headlight
