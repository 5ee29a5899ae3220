#include "classifier/batched_encoder.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "encoder/trace.h"

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

/// The results of a text: its row [c], or the rows of its tokens [n, c].
std::vector<float> results_of(const Batch& batch, ConstMatrix results, std::size_t text) {
  const bool each_token = results.rows != batch.texts();
  const std::size_t first = each_token ? batch.starts()[text] : text;
  std::vector<float> own;
  keep_rows(results.row_range(first, each_token ? batch.length(text) : 1), own);
  return own;
}

}  // namespace

std::vector<float> WindowResults::mean() const {
  const std::vector<float>& first = windows_.front();
  if (windows_.size() == 1) return first;
  std::vector<double> sums(first.begin(), first.end());  // not 0 + the first: -0 stays -0
  for (std::size_t window = 1; window < windows_.size(); ++window) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += static_cast<double>(windows_[window][i]);
    }
  }
  for (double& sum : sums) sum /= static_cast<double>(windows_.size());
  return {sums.begin(), sums.end()};
}

std::size_t tokens_at_once(const Description& model) {
  constexpr std::uint64_t kOperations = 50'000'000'000;
  constexpr std::uint64_t kFewest = 64;
  constexpr std::uint64_t kMost = 256;  // their hidden layers still fit the level-2 cache
  std::uint64_t each = 1;               // multiply-adds per token
  for (const LayerDescription& layer : model.layers) {
    each += 2 * std::uint64_t{model.hidden_size} *
            (4 * layer.heads.width() + 2 * layer.intermediate_size);
  }
  return static_cast<std::size_t>(std::clamp(kOperations / each, kFewest, kMost));
}

BatchedEncoder::BatchedEncoder(ForwardPass forward_pass, const Description& model,
                               std::size_t batch_tokens, ScoringScratch& scratch)
    : forward_pass_(std::move(forward_pass)),
      batch_tokens_(batch_tokens),
      remembers_(!model.layers.empty()),
      scratch_(scratch) {}

std::vector<EncodedText> BatchedEncoder::encode(std::size_t count,
                                                const std::function<ReadText(std::size_t)>& read,
                                                const StopCheck& stopped) {
  texts_.assign(count, {});
  scratch_.batch.clear();
  waiting_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    try {
      ReadText text = read(i);  // text → ids
      texts_[i].size = text.size;
      if (!add(i, std::move(text), stopped)) break;  // ids → result
    } catch (const TextError& error) {
      texts_[i].error = error.line();
    }
  }
  if (!stopped()) run();
  if (!waiting_.empty()) texts_.resize(waiting_.front().number);
  return std::move(texts_);
}

bool BatchedEncoder::add(std::size_t number, ReadText text, const StopCheck& stopped) {
  Batch& batch = scratch_.batch;
  texts_[number].windows = WindowResults(text.windows.size());
  for (std::size_t window = 0; window < text.windows.size(); ++window) {
    TokenIds& tokens = text.windows[window];
    if (const auto* result = remembers_ ? scratch_.recent.find(tokens) : nullptr) {
      texts_[number].windows.put(window, *result);
      continue;
    }
    const auto same = remembers_ ? find_text(batch, tokens) : std::nullopt;
    if (!same) {
      if (batch.tokens() > 0 && batch.tokens() + tokens.size() > batch_tokens_) {
        if (stopped()) return false;
        run();
      }
      batch.add(tokens.ids, tokens.type_ids);
    }
    waiting_.push_back({same || !remembers_ ? TokenIds() : std::move(tokens), number, window,
                        same.value_or(batch.texts() - 1)});
  }
  return true;
}

void BatchedEncoder::run() {
  if (waiting_.empty()) return;
  const ConstMatrix results = forward_pass_(scratch_.batch, scratch_.encoder);  // [t, c] or [n, c]
  for (const auto& [tokens, number, window, text] : waiting_) {
    std::vector<float> own = results_of(scratch_.batch, results, text);
    if (tokens.size() > 0) scratch_.recent.add(tokens, own);
    texts_[number].windows.put(window, std::move(own));
  }
  waiting_.clear();
  scratch_.batch.clear();
}

}  // namespace headlight
