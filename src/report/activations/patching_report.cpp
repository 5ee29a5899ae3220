#include "report/activations/patching_report.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/utf8.h"
#include "report/activations/activation_report.h"
#include "report/attention/attention_report.h"
#include "report/explanation/explanation_view.h"
#include "report/formats/heat_map.h"
#include "report/formats/html.h"
#include "report/formats/plain_text.h"
#include "report/formats/svg.h"
#include "report/formats/text_table.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

constexpr const char* kOutside =
    "the head was trained for the vectors of the last layer alone; earlier ones are outside of it";

void write_logits(JsonWriter& json, const LabelSet& labels, const Prediction& prediction) {
  json.key("logits");
  write_by_label(json, labels.names, prediction.logits);
  if (prediction.scores.empty()) return;
  json.key(labels.problem_type == ProblemType::regression ? "values" : "probabilities");
  write_by_label(json, labels.names, prediction.scores);
}

/// The label whose logit differs most between the texts, in favour of the other text.
std::size_t patched_label(const PatchedText& report) {
  const auto& logits = report.text.prediction.logits;
  const auto& other = report.other.prediction.logits;
  std::size_t best = 0;
  for (std::size_t i = 1; i < logits.size(); ++i) {
    if (other[i] - logits[i] > other[best] - logits[best]) best = i;
  }
  return best;
}

double change_at(const PatchedText& report, std::size_t state, std::size_t token,
                 std::size_t label) {
  return static_cast<double>(report.logits[state][token][label]) -
         static_cast<double>(report.text.prediction.logits[label]);
}

/// "good", or "good → bad" where the texts differ.
std::vector<std::string> token_names(const PatchedText& report) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < report.text.encoding.tokens.size(); ++i) {
    const std::string name = shown_name(report.text.encoding.tokens[i]);
    const bool same = report.text.encoding.tokens[i] == report.other.encoding.tokens[i];
    names.push_back(same ? name : name + " → " + shown_name(report.other.encoding.tokens[i]));
  }
  return names;
}

std::string patching_title(const LabelSet& labels, const PatchedText& report) {
  const std::size_t label = patched_label(report);
  return "change of the logit of " + shown_name(labels.names[label]) + ", which is " +
         formatted("%.2f", report.text.prediction.logits[label]) + " for the text and " +
         formatted("%.2f", report.other.prediction.logits[label]) + " for the other";
}

/// `title` is written above the map; empty: nothing.
Drawing patching_map(const PatchedText& report, const std::string& title) {
  const std::size_t label = patched_label(report);
  HeatMap map;
  map.title = title;
  map.rows = token_names(report);
  map.width = report.logits.size();
  for (std::size_t state = 0; state < map.width; ++state) {
    map.columns.push_back(state_name(state));
  }
  double largest = 0.0;
  for (std::size_t token = 0; token < report.text.encoding.tokens.size(); ++token) {
    for (std::size_t state = 0; state < map.width; ++state) {
      const double change = change_at(report, state, token, label);
      largest = std::max(largest, std::abs(change));
      map.values.push_back(static_cast<float>(change));
    }
  }
  if (largest == 0.0) largest = 1.0;
  map.scale = {-largest, largest, /*diverging=*/true};
  map.cell = 30.0;
  map.grid = true;
  map.most_boxes = 1U << 16U;
  return draw(map);
}

}  // namespace

void write_layer_verdicts(JsonWriter& json, const LabelSet& labels, const LayerVerdicts& verdicts) {
  begin_traced(json, verdicts.text).field("note", kOutside).key("verdicts").begin_array();
  for (std::size_t state = 0; state < verdicts.states.size(); ++state) {
    const Prediction& prediction = verdicts.states[state];
    json.begin_object().field("state", state_name(state));
    if (!prediction.logits.empty()) {
      if (labels.problem_type != ProblemType::regression) {
        json.field("label", labels.names[prediction.best]);
      }
      write_logits(json, labels, prediction);
    }
    json.end_object();
  }
  json.end_array().end_object();
}

std::string layer_verdicts_text(const LabelSet& labels, const LayerVerdicts& verdicts) {
  PredictionView view;
  view.logits = true;
  std::string text;
  for (std::size_t state = 0; state < verdicts.states.size(); ++state) {
    const Prediction& prediction = verdicts.states[state];
    text += begin_in(state_name(state), 12) +
            (prediction.logits.empty() ? "vectors of another width"
                                       : verdict_line(labels, prediction, view, /*color=*/false)) +
            '\n';
  }
  return text + '\n' + kOutside + '\n';
}

void write_patching(JsonWriter& json, const LabelSet& labels, const PatchedText& report) {
  const TextInput& other = report.other.input;
  begin_traced(json, report.text).field("other", other.text);
  if (other.pair) json.field("other_pair", *other.pair);
  const auto list = [&](const char* name, const std::vector<std::string>& tokens) {
    json.key(name).begin_array();
    for (const auto& token : tokens) json.string(token);
    json.end_array();
  };
  list("tokens", report.text.encoding.tokens);
  list("other_tokens", report.other.encoding.tokens);
  json.field("label", labels.names[patched_label(report)]).key("logits");
  write_by_label(json, labels.names, report.text.prediction.logits);
  json.key("other_logits");
  write_by_label(json, labels.names, report.other.prediction.logits);
  json.key("change").begin_object();
  for (std::size_t label = 0; label < labels.names.size(); ++label) {
    json.key(labels.names[label]).begin_array();
    for (std::size_t state = 0; state < report.logits.size(); ++state) {
      json.begin_array();
      for (std::size_t token = 0; token < report.text.encoding.tokens.size(); ++token) {
        json.number(static_cast<float>(change_at(report, state, token, label)));
      }
      json.end_array();
    }
    json.end_array();
  }
  json.end_object().end_object();
}

std::string patching_text(const LabelSet& labels, const PatchedText& report) {
  const std::size_t label = patched_label(report);
  std::vector<std::string> heading = {"vector of"};
  for (std::size_t state = 0; state < report.logits.size(); ++state) {
    heading.push_back(state_name(state));
  }
  TextTable table(heading, 1);
  const auto names = token_names(report);
  for (std::size_t token = 0; token < names.size(); ++token) {
    std::vector<std::string> row = {names[token]};
    for (std::size_t state = 0; state < report.logits.size(); ++state) {
      row.push_back(signed_number(change_at(report, state, token, label)));
    }
    table.add(row);
  }
  return printable(patching_title(labels, report)) + '\n' + table.text();
}

std::string patching_picture(const LabelSet& labels, const PatchedText& report,
                             const std::string& title) {
  const Drawing drawing = patching_map(report, patching_title(labels, report));
  return svg_document(drawing.width + 20.0, drawing.height + 20.0,
                      html_text(patching_title(labels, report)),
                      svg_group(10.0, 10.0, drawing.content), title);
}

std::string patching_page(const LabelSet& labels, const PatchedText& report) {
  const Drawing drawing = patching_map(report, "");  // a heading breaks its line on a phone
  const std::string title = html_text(patching_title(labels, report));
  return html_page(
      "Where the prediction is made: " + report.text.model_name,
      "<p>" + html_text(shown_input(report.text.input)) +
          "</p>\n<p>Other text: " + html_text(shown_input(report.other.input)) +
          "</p>\n<p>Each cell is one run of the text in which one token, at one layer, has its "
          "vector from the run of the other text. Blue: the logit rises, towards the other text; "
          "red: it falls.</p>\n<h3>" +
          title + "</h3>\n" +
          html_picture(drawing.width, drawing.height + 14.0, title, drawing.content));
}

}  // namespace headlight
