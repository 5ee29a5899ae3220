// Runs many texts through the encoder: one pass takes windows of several texts, and repeated texts
// are computed once.
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

/// The number of tokens in one forward pass: large enough to reuse the cached weights, small enough
/// that the activations stay in the cache too and that a run can stop within a second.
std::size_t tokens_at_once(const Description& model);

/// Computes the logits of numbered texts. Results do not depend on the batches, bit for bit.
class BatchedEncoder {
 public:
  /// Each pass has at least `batch_tokens` tokens, except the last. The model must outlive it.
  BatchedEncoder(const Model& model, std::size_t batch_tokens, ScoringScratch& scratch);

  /// Adds text `number`; numbers must increase. Runs the encoder when a batch is full; returns
  /// false if `stopped` prevents it.
  bool add(std::size_t number, ReadText text, const StopCheck& stopped);
  /// Runs the encoder on all waiting texts.
  void run();

  /// The number of the first text that still waits.
  std::optional<std::size_t> first_waiting() const;
  /// The logits of an added text that no longer waits.
  const WindowLogits& logits(std::size_t number) const { return texts_[number]; }

 private:
  struct Waiting {
    TokenIds tokens;     // empty: same as a text that already waits
    std::size_t number;  // number of the text
    std::size_t window;  // index of the window in its text
    std::size_t text;    // index of the text in the batch
  };

  const Model& model_;
  std::size_t batch_tokens_;
  ScoringScratch& scratch_;
  std::vector<WindowLogits> texts_;
  std::vector<Waiting> waiting_;
};

}  // namespace headlight
