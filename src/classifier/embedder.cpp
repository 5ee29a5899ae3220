#include "classifier/embedder.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "classifier/feature_classifiers.h"
#include "encoder/sentence_vectors.h"
#include "math/number_format.h"

namespace headlight {

Embedder::Embedder(const Model& model, const SentenceModules& modules,
                   const EmbedderOptions& options)
    : model_(model), modules_(modules), options_(options), reader_(model, options) {
  if (options_.ids) options_.prompt.clear();
  if (!modules_.pools_prompt && !options_.prompt.empty()) skipped_ = tokens_of_prompt();
  if (skipped_ > 0 && reads_windows(model_, options_)) {
    throw Error(model_.place.path,
                "does not pool the tokens of its prompt, which is only in the first window",
                "--long truncate or error reads a text without windows");
  }
}

/// The tokens of the prompt alone, without those that end every text.
std::size_t Embedder::tokens_of_prompt() const {
  const ReadText prompt = reader_.read({options_.prompt, {}, {}});
  const std::size_t ending = std::min<std::size_t>(model_.tokenizer->ending_tokens(), 1);
  return prompt.windows.front().size() - ending;
}

ReadText Embedder::read(const TextInput& input) const {
  TextInput prompted = input;
  prompted.text = options_.prompt + input.text;
  ReadText text = reader_.read(prompted);
  const bool is_mean = modules_.poolings == std::vector{TokenPooling::mean};
  const bool is_nothing = text.size.tokens == 0 && is_mean;  // its vector is 0
  if (text.size.tokens <= skipped_ && !is_nothing)
    throw TextError("has no tokens after the prompt");
  return text;
}

std::vector<EmbeddedText> Embedder::embed(std::span<const TextInput> inputs,
                                          ScoringScratch& scratch, const StopCheck& stopped) const {
  if (model_.features) {
    std::vector<EmbeddedText> texts = embed_features(model_, options_, inputs, stopped);
    for (EmbeddedText& text : texts) check(text);
    return texts;
  }
  const auto run = [&](const Batch& batch, Scratch& memory) {
    HeadsOff observer(options_.heads_off, nullptr);
    return pooled_vectors(model_.description, model_.weights, {modules_.poolings, skipped_},
                          {batch, memory, options_.heads_off.empty() ? nullptr : &observer});
  };
  BatchedEncoder encoder(run, model_.description, tokens_at_once(model_.description), scratch);
  return finish(encoder.encode(
      inputs.size(), [&](std::size_t i) { return read(inputs[i]); }, stopped));
}

/// Pooled vectors [t, k · d] → finished vectors [t, width].
std::vector<EmbeddedText> Embedder::finish(std::vector<EncodedText> encoded) const {
  const auto is_read = [](const EncodedText& text) { return text.error.empty(); };
  const auto count =
      static_cast<std::size_t>(std::count_if(encoded.begin(), encoded.end(), is_read));
  const std::size_t pooled = modules_.poolings.size() * model_.description.encoded_size();
  Buffer memory;
  ModuleBuffers buffers;
  Matrix vectors = memory.shape(count, pooled);
  std::size_t row = 0;
  for (const EncodedText& text : encoded) {
    if (!is_read(text)) continue;
    const std::vector<float> mean = text.windows.mean();
    std::copy(mean.begin(), mean.end(), vectors.row(row++).data());
  }
  vectors = apply_modules(modules_.after, vectors, buffers);
  row = 0;
  std::vector<EmbeddedText> texts;
  for (const EncodedText& text : encoded) {
    EmbeddedText& done = texts.emplace_back(EmbeddedText{{text.size, text.error}, {}});
    if (!is_read(text)) continue;
    const auto vector = vectors.row(row++).first(modules_.width);
    done.vector.assign(vector.begin(), vector.end());
    check(done);
  }
  return texts;
}

void Embedder::check(EmbeddedText& text) const {
  const auto all = [&](const auto& holds) {
    return std::all_of(text.vector.begin(), text.vector.end(), holds);
  };
  if (!all([](float x) { return std::isfinite(x); })) {
    text = {{{}, "the vector is not finite"}, {}};
  } else if (options_.is_half && !all(fits_half)) {
    text = {{{}, "the vector has a number above 65504, the most of a float16"}, {}};
  }
}

}  // namespace headlight
