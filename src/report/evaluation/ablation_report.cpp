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
#include "report/formats/svg.h"
#include "report/formats/text_table.h"

namespace headlight {
namespace {

constexpr std::size_t kAllParts = 30;    // the most that the text lists completely
constexpr std::size_t kMostNeeded = 15;  // else these
constexpr std::size_t kLeastNeeded = 5;  // and these
constexpr std::size_t kStepsOfCurve = 12;

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

/// The first measure with all heads, and after each one is out.
std::vector<Measure> points_of(const std::vector<PartEffect>& curve) {
  std::vector<Measure> points = {with_part(curve.front(), 0)};
  for (const PartEffect& effect : curve) points.push_back(effect.without.front());
  return points;
}

/// About `most` points.
TextTable curve_table(const std::vector<PartEffect>& curve, std::size_t most) {
  const std::vector<Measure> points = points_of(curve);
  TextTable table({"heads out", "last", points.front().name}, 0);
  for (std::size_t out = 0; out < points.size(); out += (curve.size() - 1) / most + 1) {
    table.add({std::to_string(out), out == 0 ? "-" : names_of({curve[out - 1].part}).front(),
               measure_text(points[out])});
  }
  return table;
}

constexpr const char* kCurve =
    "Heads taken out one after another, least needed first; order from these rows";

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

/// Ends its object.
void write_effect(JsonWriter& json, const PartEffect& effect, bool estimated) {
  if (!estimated) json.field("rows", effect.rows);
  for (const Measure& change : effect.changes) write_measure(json, change);
  if (!estimated) {
    for (const Measure& measure : effect.without) write_measure(json, measure);
    if (!is_of_values(effect)) json.field("verdicts_changed", effect.verdicts_changed);
    json.field("logit_change", effect.logit_change);
  }
  json.end_object();
}

/// The first measure by the number of heads that are out, as a line.
std::string curve_picture(const std::vector<Measure>& points) {
  constexpr double kWidth = 270.0;
  constexpr double kHeight = 160.0;
  constexpr double kLeft = 54.0;
  constexpr double kTop = 12.0;
  const auto [lowest, highest] = std::ranges::minmax(points, {}, &Measure::value);
  const double low = std::floor(10.0 * lowest.value) / 10.0;
  const double high = std::max(std::ceil(10.0 * highest.value) / 10.0, low + 0.1);
  const auto out = static_cast<double>(points.size() - 1);
  std::string line;
  for (std::size_t i = 0; i < points.size(); ++i) {
    line += (i == 0 ? "M" : " L") + pixels(kLeft + kWidth * static_cast<double>(i) / out) + ' ' +
            pixels(kTop + kHeight * (high - points[i].value) / (high - low));
  }
  std::string content = R"(<path class="line" d="M )" + pixels(kLeft) + ' ' + pixels(kTop) + " v " +
                        pixels(kHeight) + " h " + pixels(kWidth) +
                        "\"/>\n<path class=\"curve\" d=\"" + line + "\"/>\n";
  for (const double share : {0.0, 0.5, 1.0}) {
    const Measure mark{"", "", low + (high - low) * share, {}, points.front().unit};
    content += svg_text(kLeft - 6.0, kTop + kHeight * (1.0 - share) + 4.0, R"(text-anchor="end")",
                        measure_text(mark));
    content += svg_text(kLeft + kWidth * share, kTop + kHeight + 18.0, R"(text-anchor="middle")",
                        fixed(share * out, 0));
  }
  return svg_figure(kLeft + kWidth + 12.0, kTop + kHeight + 26.0, "the curve", content);
}

std::string curve_section(const std::vector<PartEffect>& curve) {
  return std::string("<h3>Curve</h3>\n<p>") + kCurve + ": " + curve.front().without.front().name +
         " by the number of heads that are out.</p>\n" + curve_picture(points_of(curve)) +
         "<details>\n<summary>All numbers of the curve</summary>\n" +
         html_table(curve_table(curve, SIZE_MAX)) + "</details>\n";
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
    write_effect(json, effect, ablation.estimated);
  }
  json.end_array();
  if (!ablation.curve.empty()) {
    json.key("ablation_curve").begin_array();
    for (std::size_t i = 0; i < ablation.curve.size(); ++i) {
      json.begin_object().field("heads_out", i + 1);
      write_part(json, ablation.curve[i].part);
      write_effect(json, ablation.curve[i], /*estimated=*/false);
    }
    json.end_array();
  }
  if (ablation.correlation) json.field("correlation_with_ablation", *ablation.correlation);
}

std::string ablation_text(const Ablation& ablation) {
  const std::string few = lacks_interval(ablation) ? std::string(kTooFewRows) + '\n' : "";
  if (!ablation.together.empty()) {
    return '\n' + what_was_done(ablation) + ":\n" +
           together_table(ablation.effects.front()).text() + few;
  }
  std::string text = '\n' + what_was_done(ablation) + ". Changes, most needed part first" +
                     columns_of(ablation) + ":\n" + effects_table(ablation, kAllParts).text() +
                     (ablation.estimated ? correlation_text(ablation) + '\n' : "") + few;
  if (ablation.curve.empty()) return text;
  return text + '\n' + kCurve + ":\n" + curve_table(ablation.curve, kStepsOfCurve).text();
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
  if (!ablation.curve.empty()) section += curve_section(ablation.curve);
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
