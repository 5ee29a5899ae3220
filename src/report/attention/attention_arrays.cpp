#include "report/attention/attention_arrays.h"

#include <array>
#include <string>
#include <vector>

#include "report/formats/npy.h"

namespace headlight {
namespace {

using HeadMatrix = std::vector<float> (AttentionView::*)(std::size_t, std::size_t) const;

/// [layers, heads, q, w], handed to `take` piece by piece.
template <typename Take>
void each_piece(const AttentionView& view, HeadMatrix matrix, const Take& take) {
  const AttentionChoice& choice = view.choice();
  take(
      npy_header(std::array{choice.layers.size(), choice.heads.size(), view.rows(), view.width()}));
  for (const std::size_t layer : choice.layers) {
    for (const std::size_t head : choice.heads) {
      take(npy_numbers((view.*matrix)(layer, head)));
    }
  }
}

std::string heads_array(const AttentionView& view, HeadMatrix matrix) {
  std::string array;
  each_piece(view, matrix, [&](const std::string& piece) { array += piece; });
  return array;
}

std::string rollout_array(const AttentionView& view) {
  const std::vector<double> rollout = view.rollout();
  return npy_array(std::array{view.rows(), view.width()},
                   std::vector<float>(rollout.begin(), rollout.end()));
}

std::string label_array(const AttentionView& view) {
  const AttentionChoice& choice = view.choice();
  const std::size_t classes = view.model().classes();
  std::vector<float> numbers;
  for (std::size_t label = 0; label < classes; ++label) {
    for (const std::size_t head : choice.heads) {
      const std::vector<float> weights = view.label_weights(label, head);
      numbers.insert(numbers.end(), weights.begin(), weights.end());
    }
  }
  return npy_array(std::array{classes, choice.heads.size(), view.width()}, numbers);
}

std::string names_array(const std::vector<TokenWord>& units) {
  std::vector<std::string> names;
  names.reserve(units.size());
  for (const TokenWord& unit : units) names.push_back(unit.text);
  return npy_array(names);
}

void add_heads(NpzWriter& npz, const std::string& prefix, const AttentionView& view) {
  const AttentionChoice& choice = view.choice();
  npz.add(prefix + "attention", heads_array(view, &AttentionView::weights));
  if (choice.weighted)
    npz.add(prefix + "norm_attention", heads_array(view, &AttentionView::norm_weights));
  npz.add(prefix + "layers", npy_array(choice.layers));
  npz.add(prefix + "heads", npy_array(choice.heads));
  const Description& model = view.model();
  if (model.decoder) {
    std::vector<std::string> kinds;
    for (const std::size_t layer : choice.layers) {
      kinds.emplace_back(kind_name(model, layer));
    }
    npz.add(prefix + "kinds", npy_array(kinds));
  }
  if (view.has_label_attention()) npz.add(prefix + "label_attention", label_array(view));
}

}  // namespace

void write_attention_npy(const AttentionView& view, Output& output) {
  if (view.choice().rollout) return output.write(rollout_array(view));
  each_piece(view, &AttentionView::shown, [&](const std::string& piece) { output.write(piece); });
}

void add_attention_arrays(const AttentionView& view, const std::string& prefix, NpzWriter& npz) {
  if (view.choice().rollout) {
    npz.add(prefix + "rollout", rollout_array(view));
  } else {
    add_heads(npz, prefix, view);
  }
  const std::vector<TokenWord>& units = view.choice().units;
  std::vector<std::size_t> offsets;
  for (const TokenWord& unit : units) {
    offsets.insert(offsets.end(), {unit.offset.begin, unit.offset.end});
  }
  npz.add(prefix + "tokens", names_array(units));
  if (!view.targets().empty()) npz.add(prefix + "target_tokens", names_array(view.targets()));
  npz.add(prefix + "offsets", npy_array(std::array{units.size(), std::size_t{2}}, offsets));
  if (!view.choice().all_queries()) npz.add(prefix + "queries", npy_array(view.choice().queries));
  const std::vector<float>& logits = view.traced().prediction.logits;
  if (!logits.empty()) npz.add(prefix + "logits", npy_array(std::array{logits.size()}, logits));
}

}  // namespace headlight
