#include "inside/patching.h"

#include <algorithm>
#include <utility>

#include "encoder/ablation.h"
#include "encoder/forward.h"
#include "encoder/head.h"

namespace headlight {
namespace {

constexpr std::size_t kPatchedTokensAtOnce = 512;

/// Logits [t, c] of the final norm and the head on x [n, d], which is not changed.
ConstMatrix head_on(const Description& model, const Weights& weights, const Batch& batch,
                    ConstMatrix x, Scratch& scratch) {
  const Matrix normed = scratch.hidden.current.shape(x.rows, x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) std::ranges::copy(x.row(i), normed.row(i).begin());
  if (weights.final_norm) layer_norm(*weights.final_norm, normed, normed);
  Pass pass{batch, scratch};
  return run_head(model, weights, pass, normed);
}

/// Logits [t, c] of a pass that begins with `hidden` [n, d] at a state.
ConstMatrix forward_from(const Description& model, const Weights& weights, const Batch& batch,
                         AblatedParts& begin, Scratch& scratch) {
  if (begin.parts.front().layer == model.layers.size()) {
    return head_on(model, weights, batch, begin.hidden, scratch);
  }
  return forward(model, weights, {batch, scratch, &begin});
}

}  // namespace

LayerVerdicts layer_verdicts(const Classifier& classifier, TracedText text) {
  const Model& model = classifier.model();
  const std::size_t n = text.encoding.size();
  const std::vector<std::vector<float>>& states = text.trace.hidden;
  Batch batch;
  batch.add(text.encoding.ids, text.encoding.type_ids);
  Scratch scratch;
  LayerVerdicts verdicts;
  for (const std::vector<float>& hidden : states) {
    Prediction& verdict = verdicts.states.emplace_back();
    if (hidden.size() != states.back().size()) continue;
    const ConstMatrix x(hidden.data(), n, hidden.size() / n);
    const ConstMatrix logits = head_on(model.description, model.weights, batch, x, scratch);
    verdict = classifier.predict(classifier.reader().size_of(text.encoding), logits.row(0));
  }
  verdicts.text = std::move(text);
  return verdicts;
}

PatchedText patch(const Classifier& classifier, TracedText text, TracedText other) {
  const Model& model = classifier.model();
  const std::size_t n = text.encoding.size();
  const std::size_t at_once = std::max<std::size_t>(kPatchedTokensAtOnce / n, 1);
  PatchedText patched;
  patched.logits.resize(text.trace.hidden.size());
  Scratch scratch;
  Batch batch;
  std::vector<float> start;  // the vectors of the texts of a batch
  for (std::size_t state = 0; state < patched.logits.size(); ++state) {
    const std::vector<float>& hidden = text.trace.hidden[state];
    const std::vector<float>& given = other.trace.hidden[state];
    const std::size_t width = hidden.size() / n;
    for (std::size_t first = 0; first < n; first += at_once) {
      const std::size_t count = std::min(at_once, n - first);
      start.clear();
      batch.clear();
      for (std::size_t i = 0; i < count; ++i) {
        batch.add(text.encoding.ids, text.encoding.type_ids);
        start.insert(start.end(), hidden.begin(), hidden.end());
        const std::size_t token = first + i;
        std::copy_n(&given[token * width], width, &start[(i * n + token) * width]);
      }
      AblatedParts begin;
      begin.parts = {{PartKind::none, state}};
      begin.hidden = {start.data(), count * n, width};
      const ConstMatrix logits =
          forward_from(model.description, model.weights, batch, begin, scratch);
      for (std::size_t i = 0; i < count; ++i) {
        patched.logits[state].emplace_back(logits.row(i).begin(), logits.row(i).end());
      }
    }
  }
  patched.text = std::move(text);
  patched.other = std::move(other);
  return patched;
}

}  // namespace headlight
