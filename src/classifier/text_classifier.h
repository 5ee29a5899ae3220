// The interface of classifiers for rows and reports: texts in, predictions over a set of labels
// out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/prediction.h"
#include "classifier/recent_texts.h"
#include "encoder/batch.h"
#include "encoder/scratch.h"
#include "text/feature_model.h"
#include "text/typed_ids.h"

namespace headlight {

/// A text to score, a pair of them, or token ids.
struct TextInput {
  std::string text;  // for token ids: the ids as typed, only for display
  std::optional<std::string> pair;
  std::optional<TypedIds> ids;  // scored instead of the text; include special tokens
};

/// What is read of a text that is cut, in code points.
struct TextReach {
  Offset read = {0, SIZE_MAX};    // from the first to the last that has a token
  std::size_t enough = SIZE_MAX;  // the text up to here is read alike, whatever words it lacks
  /// Where a word ends inside of what blanks separate: see ReadingOptions::tokens_are_words.
  std::vector<std::size_t> cuts = {};
};
/// By sequence: of a text and of its pair.
using TextReaches = std::array<TextReach, 2>;

/// What a word of a text adds to the logits.
struct WordEffect {
  Offset offset;              // in code points
  std::vector<float> effect;  // [c]
};

/// Memory that a thread needs to score texts, reused for the next texts.
struct ScoringScratch {
  Scratch encoder;
  Batch batch;
  RecentTexts recent;
  std::unique_ptr<FeatureScratch> features;
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
  /// Of words that one space joins. Throws TextError if the text cannot be read.
  virtual TextReaches reach_of(const TextInput& /*input*/) const { return {}; }
  /// Whether the logits are a sum of what words add and a rest that is no word's, without
  /// gradients.
  virtual bool adds_words() const { return false; }
  /// If they are: what each word adds. Throws TextError if the text cannot be read.
  virtual std::vector<WordEffect> effects_of(const TextInput& /*input*/) const { return {}; }
};

}  // namespace headlight
