#include "report/attention/strongest_tokens.h"

#include <algorithm>

#include "base/utf8.h"
#include "inside/strongest.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

const char* name_of(const AttentionView& view) {
  if (view.has_label_attention()) return "label attention";
  switch (view.model().pooling) {
    case Pooling::cls:
      return "first token";
    case Pooling::last:
      return view.model().last_reads ? "end token" : "last token";
    case Pooling::mean:
      return "mean";
    case Pooling::each_token:
      return "all tokens, mean";
    default:
      return "maximum";
  }
}

}  // namespace

std::string shown_unit(const TokenWord& unit) {
  constexpr std::size_t kWidest = 16;
  return cut_to(printable(unit.text), kWidest);
}

std::string strongest_text(std::span<const double> weights, std::span<const TokenWord> units,
                           std::size_t columns, unsigned decimals) {
  std::string text;
  std::size_t used = 0;
  for (const std::size_t i : strongest(weights)) {
    const std::string one = shown_unit(units[i]) + " " + fixed(weights[i], decimals);
    const std::size_t wanted = width_of(one) + (text.empty() ? 0 : 2);
    if (!text.empty() && used + wanted > columns) break;
    text += (text.empty() ? "" : "  ") + one;
    used += wanted;
  }
  return text;
}

std::string strongest_lines(const AttentionView& view, std::size_t columns, unsigned decimals) {
  constexpr std::size_t kLeast = 20;
  const auto& units = view.choice().units;
  const auto line = [&](const std::string& name, const std::vector<double>& weights) {
    const std::size_t used = width_of(name) + 2;
    return name + "  " +
           strongest_text(weights, units, columns - std::min(columns - kLeast, used), decimals) +
           '\n';
  };
  std::string text = line("pooled (" + std::string(name_of(view)) + ", rollout)", view.pooled());
  if (!view.has_label_attention()) return text;
  const auto names = shown_names(view.model().labels);
  for (std::size_t label = 0; label < view.model().classes(); ++label) {
    text += line("label " + names[label], view.label_weights(label));
  }
  return text;
}

}  // namespace headlight
