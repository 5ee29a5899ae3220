#include "classifier/batched_encoder.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace headlight {
namespace {

/// The text in the batch that has the same tokens.
std::optional<std::size_t> find_text(const Batch& batch, const TokenIds& tokens) {
  for (std::size_t text = 0; text < batch.texts(); ++text) {
    if (batch.length(text) != tokens.size()) continue;
    const std::size_t first = batch.starts()[text];
    const auto ids = batch.ids().subspan(first, tokens.size());
    const auto type_ids = batch.type_ids().subspan(first, tokens.size());
    if (std::equal(ids.begin(), ids.end(), tokens.ids.begin()) &&
        std::equal(type_ids.begin(), type_ids.end(), tokens.type_ids.begin())) {
      return text;
    }
  }
  return std::nullopt;
}

}  // namespace

std::size_t tokens_at_once(const Description& model) {
  constexpr std::size_t kOperations = 50'000'000'000;
  constexpr std::size_t kFewest = 64;
  constexpr std::size_t kMost = 512;
  std::size_t each = 1;  // multiply-adds per token
  for (const LayerDescription& layer : model.layers) {
    each += 2 * model.hidden_size * (4 * layer.heads.width() + 2 * layer.intermediate_size);
  }
  return std::clamp(kOperations / each, kFewest, kMost);
}

BatchedEncoder::BatchedEncoder(ForwardPass forward_pass, std::size_t batch_tokens,
                               ScoringScratch& scratch)
    : forward_pass_(std::move(forward_pass)), batch_tokens_(batch_tokens), scratch_(scratch) {}

std::vector<EncodedText> BatchedEncoder::encode(std::size_t count,
                                                const std::function<ReadText(std::size_t)>& read,
                                                const StopCheck& stopped) {
  std::vector<EncodedText> texts(count);
  texts_.assign(count, {});
  scratch_.batch.clear();
  waiting_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    try {
      ReadText text = read(i);  // text → ids
      texts[i].size = text.size;
      if (!add(i, std::move(text), stopped)) break;  // ids → result
    } catch (const TextError& error) {
      texts[i].error = error.line();
    }
  }
  if (!stopped()) run();
  if (!waiting_.empty()) texts.resize(waiting_.front().number);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].error.empty()) texts[i].result = texts_[i].mean();
  }
  return texts;
}

bool BatchedEncoder::add(std::size_t number, ReadText text, const StopCheck& stopped) {
  Batch& batch = scratch_.batch;
  texts_[number] = WindowLogits(text.windows.size());
  for (std::size_t window = 0; window < text.windows.size(); ++window) {
    TokenIds& tokens = text.windows[window];
    if (const auto* result = scratch_.recent.find(tokens)) {
      texts_[number].put(window, *result);
      continue;
    }
    const auto same = find_text(batch, tokens);
    if (!same) {
      if (batch.tokens() > 0 && batch.tokens() + tokens.size() > batch_tokens_) {
        if (stopped()) return false;
        run();
      }
      batch.add(tokens.ids, tokens.type_ids);
    }
    waiting_.push_back(
        {same ? TokenIds() : std::move(tokens), number, window, same.value_or(batch.texts() - 1)});
  }
  return true;
}

void BatchedEncoder::run() {
  if (waiting_.empty()) return;
  const ConstMatrix results = forward_pass_(scratch_.batch, scratch_.encoder);  // [t, c]
  for (const auto& [tokens, number, window, text] : waiting_) {
    texts_[number].put(window, results.row(text));
    if (tokens.size() > 0) scratch_.recent.add(tokens, results.row(text));
  }
  waiting_.clear();
  scratch_.batch.clear();
}

}  // namespace headlight
