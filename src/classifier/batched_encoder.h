// Many texts through the encoder: windows of several texts in one pass, and what occurs again is
// computed once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "classifier/text_classifier.h"
#include "classifier/text_reader.h"
#include "classifier/window_logits.h"
#include "model/model.h"

namespace headlight {

/// Tokens of one forward pass: enough to keep the weights in cache busy, few enough that the
/// activations stay there too, and that a run can stop within a second.
std::size_t tokens_at_once(const Description& model);

/// The logits of numbered texts. Batches change no bit of any result.
class BatchedEncoder {
 public:
  /// Passes have at least `batch_tokens` tokens where texts suffice. The model must outlive it.
  BatchedEncoder(const Model& model, std::size_t batch_tokens, ScoringScratch& scratch);

  /// Text `number`, above those added before. Runs the encoder when a batch is full; false if
  /// `stopped` prevents it.
  bool add(std::size_t number, ReadText text, const StopCheck& stopped);
  /// Runs the encoder on what waits.
  void run();

  /// The first text that was added and still waits.
  std::optional<std::size_t> first_waiting() const;
  /// The logits [c] of a text that was added and waits no more: the mean over its windows.
  std::vector<float> logits(std::size_t number) const { return texts_[number].mean(); }

 private:
  struct Waiting {
    TokenIds tokens;     // empty: those of a text that waits already
    std::size_t number;  // of the text
    std::size_t window;  // which of its windows
    std::size_t text;    // which of the batch's
  };

  const Model& model_;
  std::size_t batch_tokens_;
  ScoringScratch& scratch_;
  std::vector<WindowLogits> texts_;
  std::vector<Waiting> waiting_;
};

}  // namespace headlight
