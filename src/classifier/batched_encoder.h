// Runs many texts through the encoder: one pass takes windows of several texts, and repeated texts
// are computed once.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "classifier/text_classifier.h"
#include "classifier/text_reader.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// The number of tokens in one forward pass: large enough to reuse the cached weights, small enough
/// that the activations stay in the cache too and that a run can stop within a second.
std::size_t tokens_at_once(const Description& model);

/// One forward pass: the results of a batch, such as logits: [t, c] of its texts, or [n, c] of its
/// tokens.
using ForwardPass = std::function<ConstMatrix(const Batch&, Scratch&)>;

/// Collects the results of the windows of one text: logits or sentence vectors.
class WindowResults {
 public:
  WindowResults() = default;
  explicit WindowResults(std::size_t windows) : windows_(windows) {}

  /// Adds the result of one window: [c], or [n, c] for each of its tokens. Each window once, in any
  /// order.
  void put(std::size_t window, std::vector<float> result) { windows_[window] = std::move(result); }

  /// The mean over the windows [c], after all have been added. It does not depend on the order of
  /// put(): a float64 sum in text order, divided and rounded once. For one window, exactly its
  /// result. Not for results of tokens.
  std::vector<float> mean() const;
  /// Those of each window.
  const std::vector<std::vector<float>>& windows() const { return windows_; }

 private:
  std::vector<std::vector<float>> windows_;
};

struct EncodedText {
  TextSize size;
  WindowResults windows;
  std::string error;  // if not empty, the text could not be read and nothing else is set
};

/// Computes the results of texts. They do not depend on the batches, bit for bit.
class BatchedEncoder {
 public:
  /// Each pass has at least `batch_tokens` tokens, except the last.
  BatchedEncoder(ForwardPass forward_pass, const Description& model, std::size_t batch_tokens,
                 ScoringScratch& scratch);

  /// The results of `count` texts in order; fewer if `stopped` returned true. `read` makes a text
  /// when it is needed, or throws TextError.
  std::vector<EncodedText> encode(std::size_t count,
                                  const std::function<ReadText(std::size_t)>& read,
                                  const StopCheck& stopped);

 private:
  /// Adds text `number`; numbers must increase. Runs the encoder when a batch is full; returns
  /// false if `stopped` prevents it.
  bool add(std::size_t number, ReadText text, const StopCheck& stopped);
  /// Runs the encoder on all waiting texts.
  void run();
  struct Waiting {
    TokenIds tokens;     // empty: same as a text that already waits
    std::size_t number;  // number of the text
    std::size_t window;  // index of the window in its text
    std::size_t text;    // index of the text in the batch
  };

  ForwardPass forward_pass_;
  std::size_t batch_tokens_;
  bool remembers_;  // the results of texts: sooner found than computed
  ScoringScratch& scratch_;
  std::vector<EncodedText> texts_;
  std::vector<Waiting> waiting_;
};

}  // namespace headlight
