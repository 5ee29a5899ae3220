// From text to prediction. START HERE: classifier.cpp is the whole way in one screen.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/prediction.h"
#include "encoder/scratch.h"
#include "encoder/trace.h"
#include "model/model.h"
#include "text/encoding.h"

namespace headlight {

/// A text to score, or a pair of them.
struct TextInput {
  std::string text;  // or its token ids, with ClassifierOptions::ids
  std::optional<std::string> pair;
  std::optional<std::string> type_ids;  // segments for token ids
};

/// What happens to texts of more tokens than the model takes.
enum class LongTexts : std::uint8_t { truncate, error };

struct ClassifierOptions {
  bool ids = false;         // texts are token ids, special ones included
  bool plain_text = false;  // special tokens typed in a text are text
  std::optional<std::size_t> max_length;
  LongTexts long_texts = LongTexts::truncate;
  std::optional<ScoreActivation> activation;  // nothing: the model's own
};

/// Const and shared by threads; each thread brings its own Scratch. The model must outlive it.
class Classifier {
 public:
  /// Throws Error where texts are to be read and the model has no vocabulary.
  Classifier(const Model& model, ClassifierOptions options);

  /// A prediction a text, in order; the model must have a classification head. What is wrong with a
  /// text is in its prediction's error.
  std::vector<Prediction> classify(std::span<const TextInput> inputs, Scratch& scratch) const;

  /// The prediction for one encoding, with what `trace` wants to see of the way there. Without a
  /// classification head only the trace means something.
  Prediction classify_traced(const Encoding& encoding, Scratch& scratch, Trace& trace) const;

  /// Tokens as the model is given them: cut to its limit, filled to pad_to_length. Throws
  /// TextError.
  Encoding encode(const TextInput& input) const;
  /// Tokens of the whole text, cut only where a max_length was asked for. Throws TextError.
  Encoding encode_whole(const TextInput& input) const;

  /// Throws Error where the model has no classification head, and so nothing to say about a text.
  void require_head() const;

  const Model& model() const { return model_; }
  ScoreActivation activation() const { return activation_; }

 private:
  Encoding encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const;
  void fill(Encoding& encoding) const;
  void check_ids(const Encoding& encoding) const;
  Prediction predict(const Encoding& encoding, std::span<const float> logits) const;

  const Model& model_;
  ClassifierOptions options_;
  ScoreActivation activation_;
};

}  // namespace headlight
