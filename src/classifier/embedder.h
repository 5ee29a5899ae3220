// From text to sentence vector.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "classifier/batched_encoder.h"
#include "classifier/text_classifier.h"
#include "classifier/text_reader.h"
#include "encoder/ablation.h"
#include "model/model.h"
#include "model/sentence_modules.h"

namespace headlight {

struct EmbeddedText : TextResult {
  std::vector<float> vector;
};

struct EmbedderOptions : ReadingOptions {
  std::string prompt;                // put before each text; not before token ids
  bool is_half = false;              // vectors with numbers too large for float16 are errors
  std::vector<Part> heads_off = {};  // as in ClassifierOptions
};

/// Const and shared by threads. Each thread needs its own scratch, which belongs to one embedder.
class Embedder {
 public:
  /// Both must outlive it. Throws Error as require_vocabulary() does, and for windows if the
  /// modules do not pool the prompt, which only the first window has.
  Embedder(const Model& model, const SentenceModules& modules, const EmbedderOptions& options);

  /// One vector per text in order; fewer if `stopped` returned true. The vectors of a text's
  /// windows are averaged after pooling, before the other modules.
  std::vector<EmbeddedText> embed(std::span<const TextInput> inputs, ScoringScratch& scratch,
                                  const StopCheck& stopped) const;
  /// Of the vectors.
  std::size_t width() const { return modules_.width; }

 private:
  ReadText read(const TextInput& input) const;
  std::size_t tokens_of_prompt() const;
  std::vector<EmbeddedText> finish(std::vector<EncodedText> encoded) const;
  void check(EmbeddedText& text) const;

  const Model& model_;
  const SentenceModules& modules_;
  EmbedderOptions options_;
  TextReader reader_;
  std::size_t skipped_ = 0;  // tokens at the beginning that are not pooled
};

}  // namespace headlight
