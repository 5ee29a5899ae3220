#include "report/evaluation/ablation_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "report/evaluation/evaluation_view.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr std::size_t kAllParts = 30;    // the most that the text lists completely
constexpr std::size_t kMostNeeded = 15;  // else these
constexpr std::size_t kLeastNeeded = 5;  // and these

std::vector<PartEffect> most_needed_first(const Ablation& ablation) {
  std::vector<PartEffect> effects = ablation.effects;
  std::ranges::stable_sort(effects, std::greater<>(), &need_for);
  return effects;
}

bool has_number(const Part& part) {
  return part.kind == PartKind::head || part.kind == PartKind::neuron;
}

/// "head 1.10", "layer 1"
std::string part_label(const Part& part) {
  const std::string layer = std::to_string(part.layer);
  if (!has_number(part)) return "layer " + layer;
  return std::string(word_for(part.kind, kPartWords)) + ' ' + layer + '.' +
         std::to_string(part.head);
}

double in_unit(const Measure& change, double value) {
  return change.unit == Unit::share ? 100.0 * value : value;
}

std::string change_text(const Measure* change) {
  if (change == nullptr) return "-";
  const char* format = change->unit == Unit::share ? "%+.1f" : "%+.4f";
  const auto shown = [&](double value) { return formatted(format, in_unit(*change, value)); };
  const auto& interval = change->interval;
  return shown(change->value) +
         (interval ? " (" + shown(interval->low) + " to " + shown(interval->high) + ")" : "");
}

bool is_of_values(const PartEffect& effect) {
  return find_measure(effect.changes, "mse_change") != nullptr;
}

/// All parts, or only the first and the last ones if they are more than `most`.
TextTable effects_table(const Ablation& ablation, std::size_t most) {
  const auto effects = most_needed_first(ablation);
  const bool of_values = !effects.empty() && is_of_values(effects.front());
  std::vector<std::string> heading = {"without", "MSE (95 % CI)", "logits"};
  if (!of_values) {
    heading = {"without", "log loss (95 % CI)", "accuracy (95 % CI)", "labels", "logits"};
  }
  if (ablation.estimated) heading = {"without", "loss"};
  TextTable table(heading, 1);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const PartEffect& effect = effects[i];
    const auto change = [&](const char* field) {
      return change_text(find_measure(effect.changes, field));
    };
    std::vector<std::string> row = {part_label(effect.part)};
    if (effects.size() > most && i >= kMostNeeded && i < effects.size() - kLeastNeeded) {
      if (i > kMostNeeded) continue;
      row = {std::to_string(effects.size() - kMostNeeded - kLeastNeeded) + " more …"};
      row.resize(heading.size());
    } else if (ablation.estimated) {
      row.push_back(change("worth"));
    } else if (of_values) {
      row.insert(row.end(), {change("mse_change"), decimal(effect.logit_change)});
    } else {
      row.insert(row.end(),
                 {change("log_loss_change"), change("accuracy_change"),
                  std::to_string(effect.verdicts_changed), decimal(effect.logit_change)});
    }
    table.add(row);
  }
  return table;
}

/// What the columns of effects_table() are.
const char* columns_of(const Ablation& ablation) {
  if (ablation.estimated || ablation.effects.empty() || is_of_values(ablation.effects.front())) {
    return "";
  }
  return ";\naccuracy: percentage points; labels: rows with another; logits: mean |Δ|";
}

/// Whether the rows are too few for an interval.
bool lacks_interval(const Ablation& ablation) {
  if (ablation.estimated) return false;
  return std::ranges::any_of(ablation.effects, [](const PartEffect& effect) {
    return std::ranges::any_of(effect.changes,
                               [](const Measure& change) { return !change.interval; });
  });
}

/// "1.10", "2.3"
std::vector<std::string> names_of(const std::vector<Part>& heads) {
  std::vector<std::string> names;
  names.reserve(heads.size());
  for (const Part& head : heads) {
    names.push_back(std::to_string(head.layer) + '.' + std::to_string(head.head));
  }
  return names;
}

/// A measure of the whole model, which has no interval.
Measure with_part(const PartEffect& effect, std::size_t measure) {
  Measure with = effect.without[measure];
  with.value -= effect.changes[measure].value;
  with.interval.reset();
  return with;
}

/// Measures with and without the heads that are out together.
TextTable together_table(const PartEffect& effect) {
  TextTable table({"", "with", "without", "change (95 % CI)"}, 1);
  for (std::size_t i = 0; i < effect.changes.size(); ++i) {
    table.add({effect.without[i].name, measure_text(with_part(effect, i)),
               measure_text(effect.without[i]), change_text(&effect.changes[i])});
  }
  if (!is_of_values(effect)) {
    table.add({"rows with another label", "", std::to_string(effect.verdicts_changed), ""});
  }
  table.add({"mean |Δ logit|", "", decimal(effect.logit_change), ""});
  return table;
}

std::string what_was_done(const Ablation& ablation) {
  if (!ablation.together.empty()) {
    const bool one = ablation.together.size() == 1;
    return std::string("Without head") + (one ? " " : "s ") + joined(names_of(ablation.together)) +
           (one ? ", its output" : ", their outputs") + " replaced by zeros";
  }
  if (ablation.estimated) {
    return std::string("Without each ") + word_for(ablation.kind, kPartWords) +
           ", estimated by one backward pass per row";
  }
  switch (ablation.kind) {
    case PartKind::head:
      return "Each head's output is replaced by zeros";
    case PartKind::layer:
      return "Each layer is skipped";
    case PartKind::neuron:
      return "Each neuron of a sample is replaced by zero";
    default:
      return "Each feed-forward's output is replaced by zeros";
  }
}

/// Of what was estimated.
std::string correlation_text(const Ablation& ablation) {
  return "correlation with ablation on " + std::to_string(ablation.compared_rows) +
         " rows: " + (ablation.correlation ? decimal(*ablation.correlation) : "not defined");
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

void write_part(JsonWriter& json, const Part& part) {
  json.field("part", word_for(part.kind, kPartWords)).field("layer", part.layer);
  if (has_number(part)) json.field(word_for(part.kind, kPartWords), part.head);
}

}  // namespace

void write_ablation(JsonWriter& json, const Ablation& ablation) {
  json.key(ablation.estimated ? "attribution" : "ablation").begin_array();
  for (const PartEffect& effect : ablation.effects) {
    json.begin_object();
    if (ablation.together.empty()) {
      write_part(json, effect.part);
    } else {
      json.field("part", "heads").key("heads").strings(names_of(ablation.together));
    }
    if (!ablation.estimated) json.field("rows", effect.rows);
    for (const Measure& change : effect.changes) write_measure(json, change);
    if (!ablation.estimated) {
      for (const Measure& measure : effect.without) write_measure(json, measure);
      if (!is_of_values(effect)) json.field("verdicts_changed", effect.verdicts_changed);
      json.field("logit_change", effect.logit_change);
    }
    json.end_object();
  }
  json.end_array();
  if (ablation.correlation) json.field("correlation_with_ablation", *ablation.correlation);
}

std::string ablation_text(const Ablation& ablation) {
  const std::string few = lacks_interval(ablation) ? std::string(kTooFewRows) + '\n' : "";
  if (!ablation.together.empty()) {
    return '\n' + what_was_done(ablation) + ":\n" +
           together_table(ablation.effects.front()).text() + few;
  }
  return '\n' + what_was_done(ablation) + ". Changes, most needed part first" +
         columns_of(ablation) + ":\n" + effects_table(ablation, kAllParts).text() +
         (ablation.estimated ? correlation_text(ablation) + '\n' : "") + few;
}

std::string ablation_section(const Ablation& ablation) {
  const std::string title = ablation.estimated ? "Attribution" : "Ablation";
  std::string section =
      "<h2>" + title + "</h2>\n<p>" + what_was_done(ablation) +
      (ablation.together.empty() ? ". Blue: the value is higher without the part; red: lower."
                                 : ".") +
      "</p>\n";
  if (ablation.estimated) section += "<p>" + correlation_text(ablation) + ", shown below.</p>\n";
  if (lacks_interval(ablation)) section += std::string("<p>") + kTooFewRows + "</p>\n";
  if (!ablation.together.empty()) {
    return section + html_table(together_table(ablation.effects.front()));
  }
  std::vector<Measure> shown;
  const bool drawn = ablation.kind != PartKind::neuron && !ablation.effects.empty();
  if (drawn) shown = ablation.effects.front().changes;
  std::reverse(shown.begin(), shown.end());
  for (const Measure& measure : shown) {
    section += grid_of(ablation, measure.name, [&](const PartEffect& effect) {
      const Measure* change = find_measure(effect.changes, measure.field);
      return change == nullptr ? 0.0 : in_unit(*change, change->value);
    });
  }
  if (drawn && !ablation.estimated) {
    section += grid_of(ablation, "mean |Δ logit|",
                       [](const PartEffect& effect) { return effect.logit_change; });
  }
  return section + "<details>\n<summary>All numbers, the most needed part first" +
         columns_of(ablation) + "</summary>\n" +
         html_scroller("effects of all parts", html_table(effects_table(ablation, SIZE_MAX))) +
         "</details>\n";
}

}  // namespace headlight
