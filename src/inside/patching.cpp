#include "inside/patching.h"

#include <algorithm>

#include "encoder/ablation.h"
#include "encoder/forward.h"
#include "encoder/head.h"

namespace headlight {
namespace {

constexpr std::size_t kPatchedTokensAtOnce = 512;

/// Copies rows [n, width] into `to` [n, width].
void fill(const std::vector<float>& rows, Matrix to) {
  for (std::size_t i = 0; i < to.rows; ++i) {
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i * to.cols), to.cols,
                to.row(i).begin());
  }
}

/// Logits [t, c] of the final norm and the head on x [n, d], which is not changed.
ConstMatrix head_on(const Description& model, const Weights& weights, const Batch& batch,
                    ConstMatrix x, Scratch& scratch) {
  const Matrix own = scratch.hidden.current.shape(x.rows, x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(x.row(i), own.row(i).begin());
  if (weights.final_norm) layer_norm(*weights.final_norm, own, own);
  Pass pass{batch, scratch};
  return run_head(model, weights, pass, own);
}

/// Logits [t, c] of a pass that begins with `hidden` [n, d] at a state.
ConstMatrix forward_from(const Description& model, const Weights& weights, const Batch& batch,
                         AblatedPart& begin, Scratch& scratch) {
  if (begin.part.layer == model.layers.size()) {
    return head_on(model, weights, batch, begin.hidden, scratch);
  }
  return forward(model, weights, {batch, scratch, &begin});
}

}  // namespace

std::vector<std::vector<float>> logits_by_state(const Description& model, const Weights& weights,
                                                const Batch& text, const TextTrace& trace,
                                                Scratch& scratch) {
  Buffer memory;
  std::vector<std::vector<float>> logits;
  for (const auto& hidden : trace.hidden) {
    logits.emplace_back();
    if (hidden.size() != trace.hidden.back().size()) continue;
    const Matrix x = memory.shape(text.tokens(), hidden.size() / text.tokens());
    fill(hidden, x);
    keep_rows(head_on(model, weights, text, x, scratch), logits.back());
  }
  return logits;
}

PatchedLogits patched_logits(const Description& model, const Weights& weights,
                             const PatchedTexts& texts, Scratch& scratch,
                             const std::function<void()>& check) {
  const std::size_t n = texts.text.tokens();
  const std::size_t at_once = std::max<std::size_t>(kPatchedTokensAtOnce / n, 1);
  PatchedLogits patched(texts.own.hidden.size());
  Batch batch;
  Buffer memory;
  for (std::size_t state = 0; state < patched.size(); ++state) {
    const auto& own = texts.own.hidden[state];
    const auto& other = texts.other.hidden[state];
    const std::size_t width = own.size() / n;
    for (std::size_t first = 0; first < n; first += at_once) {
      check();
      const std::size_t count = std::min(at_once, n - first);
      const Matrix x = memory.shape(count * n, width);
      batch.clear();
      for (std::size_t i = 0; i < count; ++i) {
        batch.add(texts.text.ids(), texts.text.type_ids());
        fill(own, x.row_range(i * n, n));
        const auto from = other.begin() + static_cast<std::ptrdiff_t>((first + i) * width);
        std::copy_n(from, width, x.row(i * n + first + i).begin());
      }
      AblatedPart begin;
      begin.part = {PartKind::none, state};
      begin.hidden = x;
      const ConstMatrix logits = forward_from(model, weights, batch, begin, scratch);
      for (std::size_t i = 0; i < count; ++i) {
        patched[state].emplace_back(logits.row(i).begin(), logits.row(i).end());
      }
    }
  }
  return patched;
}

}  // namespace headlight
