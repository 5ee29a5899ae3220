// From text to prediction. START HERE: classifier.cpp is the whole way in one screen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classifier/text_classifier.h"
#include "encoder/trace.h"
#include "model/model.h"
#include "text/encoding.h"

namespace headlight {

/// What happens to texts of more tokens than the model takes: they are cut, refused, or read
/// through overlapping windows (see text/windows.h) whose logits are averaged.
enum class LongTexts : std::uint8_t { truncate, error, window };

struct ClassifierOptions {
  bool ids = false;         // all inputs have token ids, so that no vocabulary is needed
  bool plain_text = false;  // special tokens typed in a text are text
  std::optional<std::size_t> max_length;
  Truncation truncation = Truncation::longest_first;
  LongTexts long_texts = LongTexts::truncate;
  std::optional<std::size_t> stride;          // tokens that two windows share; nothing: a quarter
  std::optional<ScoreActivation> activation;  // nothing: the model's own
  /// Tokens that are computed together; nothing: by the model's size. Changes no result.
  std::optional<std::size_t> batch_tokens;
};

/// The error of a text of more tokens than can be read.
std::string too_long(std::size_t tokens, std::size_t limit);

/// A model with the labels it was trained on. The model must outlive it.
class Classifier : public TextClassifier {
 public:
  /// Throws Error where texts are to be read and the model has no vocabulary.
  Classifier(const Model& model, ClassifierOptions options);

  /// The model must have a classification head.
  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                   const StopCheck& stopped) const override;
  /// The same for `count` texts, each made when it is its turn.
  std::vector<Prediction> classify_each(std::size_t count,
                                        const std::function<const TextInput&(std::size_t)>& input,
                                        ScoringScratch& scratch, const StopCheck& stopped) const;
  const LabelSet& labels() const override { return labels_; }

  /// The prediction for one encoding, with what `trace` wants to see of the way there. Without a
  /// classification head only the trace means something.
  Prediction classify_traced(const Encoding& encoding, Scratch& scratch, Trace& trace) const;

  /// Tokens as one pass of the model is given them: cut to its limit, filled to pad_to_length.
  /// Throws TextError.
  Encoding encode(const TextInput& input) const;
  /// Tokens of the whole text, cut only where a max_length was asked for. Throws TextError.
  Encoding encode_whole(const TextInput& input) const;

  /// Tokens of the whole of a text that goes on: without those that end it. Throws TextError, not
  /// where they are more than limit().
  TokenIds encode_beginning(const TextInput& input) const;

  /// The most tokens that the model can read of a text.
  std::size_t limit() const;
  /// Tokens of a text alone that can be read at once, special ones not counted.
  std::size_t room() const;

  /// What the logits [c] of a text say, `tokens` being all that was read of it.
  Prediction predict(const TokenIds& tokens, std::span<const float> logits) const;

  /// Throws Error where the model has no classification head, and so nothing to say about a text.
  void require_head() const;

  const Model& model() const { return model_; }

 private:
  class Passes;
  /// What a prediction says of its text.
  struct TextSize {
    std::size_t tokens;
    std::size_t truncated;
    std::size_t windows;
  };

  /// What the encoder reads of encode(), or its windows.
  TokenWindows encode_windows(const TextInput& input) const;
  TokenIds encode_ids(const TextInput& input) const;
  Encoding encode_up_to(const TextInput& input, std::optional<std::size_t> limit) const;
  EncodeOptions options_up_to(std::optional<std::size_t> limit) const;
  void fill_ids(TokenIds& tokens) const;
  void fill(Encoding& encoding) const;
  void check_length(const TextInput& input, const TokenIds& tokens) const;
  void check_ids(const TextInput& input, const TokenIds& tokens) const;
  Prediction predict(const TextSize& size, std::span<const float> logits) const;

  const Model& model_;
  ClassifierOptions options_;
  ScoreActivation activation_;
  bool calibrated_;  // a temperature and thresholds were fitted for this activation
  LabelSet labels_;
  std::size_t batch_tokens_;
};

}  // namespace headlight
