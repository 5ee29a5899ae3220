// The interface of classifiers for rows and reports: texts in, predictions over a set of labels
// out.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/prediction.h"
#include "classifier/recent_texts.h"
#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "text/typed_ids.h"

namespace headlight {

/// A text to score, a pair of them, or token ids.
struct TextInput {
  std::string text;  // for token ids: the ids as typed, only for display
  std::optional<std::string> pair;
  std::optional<TypedIds> ids;  // scored instead of the text; include special tokens
};

/// Memory that a thread needs to score texts, reused for the next texts.
struct ScoringScratch {
  Scratch encoder;
  Batch batch;
  RecentTexts recent;
};

/// Called between forward passes; true stops the work.
using StopCheck = std::function<bool()>;

/// Const and shared by threads. Each thread needs its own scratch, which belongs to one classifier.
class TextClassifier {
 public:
  virtual ~TextClassifier() = default;

  /// One prediction per text, in order; fewer if `stopped` returned true. If a text cannot be
  /// scored, its prediction has an error. Idle threads help.
  virtual std::vector<Prediction> classify(std::span<const TextInput> inputs,
                                           ScoringScratch& scratch,
                                           const StopCheck& stopped) const = 0;
  std::vector<Prediction> classify(std::span<const TextInput> inputs,
                                   ScoringScratch& scratch) const {
    return classify(inputs, scratch, [] { return false; });
  }
  virtual const LabelSet& labels() const = 0;
};

}  // namespace headlight
