#include "report/evaluation/ablation_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "report/evaluation/evaluation_report.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr std::size_t kAllParts = 30;    // the most that the text lists completely
constexpr std::size_t kMostNeeded = 15;  // else these
constexpr std::size_t kLeastNeeded = 5;  // and these

void write_change(JsonWriter& json, const std::string& name, const std::optional<Mean>& change) {
  if (!change) return;
  interval_field(json.field(name, change->value), name + "_interval", change->interval);
}

/// How much a part is needed: the change of the loss without it, or else of the verdicts.
double need_for(const PartEffect& effect) {
  if (effect.log_loss_change) return effect.log_loss_change->value;
  if (effect.squared_error_change) return effect.squared_error_change->value;
  return effect.accuracy_change ? -effect.accuracy_change->value : 0.0;
}

std::vector<PartEffect> by_need(const Ablation& ablation) {
  std::vector<PartEffect> effects = ablation.effects;
  std::ranges::stable_sort(
      effects, [](const PartEffect& a, const PartEffect& b) { return need_for(a) > need_for(b); });
  return effects;
}

std::string part_label(const PartEffect& effect) {
  const std::string layer = "layer " + std::to_string(effect.part.layer);
  if (effect.part.kind == PartKind::head) {
    return layer + " head " + std::to_string(effect.part.head);
  }
  return effect.part.kind == PartKind::layer ? layer : layer + " feed-forward";
}

std::string change_text(const char* format, const std::optional<Mean>& change, double scale) {
  if (!change) return "-";
  std::string value = formatted(format, scale * change->value);
  const auto& interval = change->interval;
  if (!interval) return value;
  return value + " (" + formatted(format, scale * interval->low) + " to " +
         formatted(format, scale * interval->high) + ")";
}

std::vector<std::string> effect_heading(const Ablation& ablation) {
  const bool values = !ablation.effects.empty() && ablation.effects.front().squared_error_change;
  if (values) return {"without", "MSE (95 % CI)", "mean |Δ logit|"};
  return {"without", "log loss (95 % CI)", "accuracy, points (95 % CI)", "verdicts",
          "mean |Δ logit|"};
}

std::vector<std::string> effect_row(const PartEffect& effect) {
  std::vector<std::string> row = {part_label(effect)};
  if (effect.squared_error_change) {
    row.push_back(change_text("%+.4f", effect.squared_error_change, 1.0));
  } else {
    row.push_back(change_text("%+.4f", effect.log_loss_change, 1.0));
    row.push_back(change_text("%+.1f", effect.accuracy_change, 100.0));
    row.push_back(std::to_string(effect.verdicts_changed));
  }
  row.push_back(decimal(effect.logit_change));
  return row;
}

/// Whether the rows are too few for an interval.
bool lacks_interval(const Ablation& ablation) {
  const auto lacks = [](const std::optional<Mean>& change) { return change && !change->interval; };
  return std::ranges::any_of(ablation.effects, [&](const PartEffect& effect) {
    return lacks(effect.log_loss_change) || lacks(effect.accuracy_change) ||
           lacks(effect.squared_error_change);
  });
}

std::string what_was_done(const Ablation& ablation) {
  switch (ablation.kind) {
    case PartKind::head:
      return ablation.by_mean ? "Each head's output is replaced by its mean over the file"
                              : "Each head's output is replaced by zeros";
    case PartKind::layer:
      return "Each layer is passed over";
    default:
      return "Each feed-forward's output is replaced by zeros";
  }
}

/// Layers are rows, heads are columns. Heads that a layer does not have are 0. Values that are
/// never negative have a scale from 0.
std::string grid_of(const Ablation& ablation, const std::string& title,
                    const std::function<double(const PartEffect&)>& value) {
  std::size_t layers = 0;
  std::size_t heads = 0;
  for (const PartEffect& effect : ablation.effects) {
    layers = std::max(layers, effect.part.layer + 1);
    heads = std::max(heads, effect.part.head + 1);
  }
  HeatMap map;
  map.width = heads;
  map.values.assign(layers * heads, 0.0F);
  double largest = 0.0;
  double lowest = 0.0;
  for (const PartEffect& effect : ablation.effects) {
    const double change = value(effect);
    largest = std::max(largest, std::abs(change));
    lowest = std::min(lowest, change);
    map.values[effect.part.layer * heads + effect.part.head] = static_cast<float>(change);
  }
  for (std::size_t i = 0; i < layers; ++i) map.rows.push_back("layer " + std::to_string(i));
  const bool of_heads = ablation.kind == PartKind::head;
  for (std::size_t i = 0; i < heads && of_heads; ++i) map.columns.push_back(std::to_string(i));
  if (largest == 0.0) largest = 1.0;
  map.scale = {lowest < 0.0 ? -largest : 0.0, largest, /*diverging=*/lowest < 0.0};
  map.cell = 34.0;
  map.grid = true;
  const Drawing drawing = draw(map);
  return "<h3>" + html_text(title) + "</h3>\n" +
         html_picture(drawing.width, drawing.height + 14.0, html_text(title), drawing.content);
}

}  // namespace

void write_ablation(JsonWriter& json, const Ablation& ablation) {
  json.field("ablated_with", ablation.by_mean ? "mean" : "zero").key("ablation").begin_array();
  for (const PartEffect& effect : ablation.effects) {
    json.begin_object()
        .field("part", word_for(effect.part.kind, kPartWords))
        .field("layer", effect.part.layer);
    if (effect.part.kind == PartKind::head) json.field("head", effect.part.head);
    json.field("rows", effect.rows);
    write_change(json, "accuracy_change", effect.accuracy_change);
    write_change(json, "log_loss_change", effect.log_loss_change);
    write_change(json, "mse_change", effect.squared_error_change);
    if (!effect.squared_error_change) json.field("verdicts_changed", effect.verdicts_changed);
    json.field("logit_change", effect.logit_change).end_object();
  }
  json.end_array();
}

std::string ablation_text(const Ablation& ablation) {
  const auto effects = by_need(ablation);
  TextTable table(effect_heading(ablation), 1);
  const bool all = effects.size() <= kAllParts;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    if (all || i < kMostNeeded || i >= effects.size() - kLeastNeeded) {
      table.add(effect_row(effects[i]));
    } else if (i == kMostNeeded) {
      std::vector<std::string> gap(effect_heading(ablation).size());
      gap.front() = std::to_string(effects.size() - kMostNeeded - kLeastNeeded) + " more …";
      table.add(gap);
    }
  }
  return '\n' + what_was_done(ablation) + ". Changes, the most needed first:\n" + table.text() +
         (lacks_interval(ablation) ? std::string(kTooFewRows) + '\n' : "");
}

std::string ablation_section(const Ablation& ablation) {
  std::string section = "<h2>Ablation</h2>\n<p>" + what_was_done(ablation) +
                        ". Blue: the value is higher without the part; red: lower.</p>\n";
  if (lacks_interval(ablation)) section += std::string("<p>") + kTooFewRows + "</p>\n";
  const bool values = !ablation.effects.empty() && ablation.effects.front().squared_error_change;
  section +=
      grid_of(ablation, values ? "change of the mean squared error" : "change of the log loss",
              [](const PartEffect& effect) { return need_for(effect); });
  if (!values) {
    section +=
        grid_of(ablation, "change of accuracy (percentage points)", [](const PartEffect& effect) {
          return 100.0 * effect.accuracy_change.value_or(Mean()).value;
        });
  }
  section += grid_of(ablation, "mean |Δ logit|",
                     [](const PartEffect& effect) { return effect.logit_change; });
  std::string table = "<table>\n" + html_row(effect_heading(ablation), "th");
  for (const PartEffect& effect : by_need(ablation)) table += html_row(effect_row(effect));
  return section + "<details>\n<summary>All numbers, the most needed part first</summary>\n" +
         html_scroller("effects of all parts", table + "</table>\n") + "</details>\n";
}

}  // namespace headlight
