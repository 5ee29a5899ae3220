// What rows and reports know of a classifier: texts go in, predictions over a set of labels come
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
  std::string text;  // of token ids as they were typed: for display alone
  std::optional<std::string> pair;
  std::optional<TypedIds> ids;  // to be scored instead of the text, special tokens included
};

/// What a thread needs to score texts, used again by the next.
struct ScoringScratch {
  Scratch encoder;
  Batch batch;
  RecentTexts recent;
};

/// Asked between forward passes.
using StopCheck = std::function<bool()>;

/// Const and shared by threads; each thread brings its own scratch, for one classifier alone.
class TextClassifier {
 public:
  virtual ~TextClassifier() = default;

  /// A prediction a text, in order; fewer where `stopped` said so. What is wrong with a text is in
  /// its prediction's error. Threads that have nothing to do help.
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
