#include "report/attention/attention_statistics_report.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/utf8.h"
#include "inside/strongest.h"
#include "report/attention/head_statistics.h"
#include "report/attention/strongest_tokens.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

/// The tokens by descending weight.
void write_strongest(JsonWriter& json, std::span<const double> weights,
                     std::span<const TokenWord> units) {
  json.begin_array();
  for (const std::size_t i : by_weight(weights)) {
    json.begin_object()
        .field("token", units[i].text)
        .field("position", i)
        .field("weight", weights[i])
        .end_object();
  }
  json.end_array();
}

void write_rollout(JsonWriter& json, const std::vector<double>& rollout, std::size_t width) {
  json.key("rollout").begin_array();
  for (std::size_t i = 0; i < rollout.size(); ++i) {
    if (i % width == 0) json.begin_array();
    json.number(rollout[i]);
    if (i % width == width - 1) json.end_array();
  }
  json.end_array();
}

const char* name_of(const AttentionView& view) {
  if (view.has_label_attention()) return "label attention";
  switch (view.model().pooling) {
    case Pooling::cls:
      return "first token";
    case Pooling::last:
      return "last token";
    case Pooling::mean:
      return "mean";
    case Pooling::each_token:
      return "all tokens, mean";
    default:
      return "maximum";
  }
}

}  // namespace

void write_attention_statistics(JsonWriter& json, const AttentionView& view) {
  const auto& units = view.choice().units;
  json.begin_object().field("model", view.traced().model_name).key("tokens").begin_array();
  for (const TokenWord& unit : units) json.string(unit.text);
  json.end_array().key("heads");
  write_head_statistics(json, view.statistics());
  write_rollout(json, view.rollout(), view.width());
  json.key("pooled");
  write_strongest(json, view.pooled(), units);
  if (view.has_label_attention()) {
    json.key("label_attention").begin_object();
    for (std::size_t label = 0; label < view.model().classes(); ++label) {
      json.key(view.model().labels[label]);
      write_strongest(json, view.label_weights(label), units);
    }
    json.end_object();
  }
  json.end_object();
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

std::string attention_statistics_text(const AttentionView& view, std::size_t columns,
                                      unsigned decimals) {
  return head_statistics_text(view.statistics(), decimals) + '\n' +
         strongest_lines(view, columns, decimals);
}

}  // namespace headlight
