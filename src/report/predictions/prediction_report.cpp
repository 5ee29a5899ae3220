#include "report/predictions/prediction_report.h"

#include <algorithm>

#include "base/utf8.h"
#include "report/formats/plain_text.h"
#include "report/predictions/entity_report.h"

namespace headlight {
namespace {

constexpr std::size_t kLogitsOnALine = 5;

void write_values(JsonWriter& json, const std::vector<std::string>& labels,
                  const Prediction& prediction, const PredictionView& view) {
  if (prediction.scores.size() == 1) {
    json.field(view.prefix + "value", prediction.scores[0]);
  } else {
    json.key(view.prefix + "values");
    write_by_label(json, labels, prediction.scores);
  }
}

/// The fields of a model with a label for each token.
void write_token_labels(JsonWriter& json, const TokenLabels& found, const PredictionView& view) {
  write_entities(json.key(view.prefix + "entities"), found);
  if (!view.logits) return;
  write_token_logits(json.key(view.prefix + "token_logits"), found);
  write_token_ids(json.key(view.prefix + "ids"), found);
  write_offsets(json.key(view.prefix + "offsets"), found);
}

void write_labels(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                  const PredictionView& view) {
  json.key(view.prefix + "label");
  if (const auto label = given_label(labels, prediction, view)) {
    json.string(*label);
  } else {
    json.null();
  }
  if (!prediction.scores.empty()) {
    json.field(view.prefix + "probability", prediction.scores[prediction.best]);
  }
  if (lists_labels(labels, view)) {
    json.key(view.prefix + "labels").begin_array();
    for (const std::size_t label : labels_to_list(labels, prediction, view)) {
      json.begin_object().field("label", labels.names[label]);
      if (!prediction.scores.empty()) json.field("probability", prediction.scores[label]);
      json.end_object();
    }
    json.end_array();
  }
  if (view.probabilities && !prediction.scores.empty()) {
    json.key(view.prefix + "probabilities");
    write_by_label(json, labels.names, prediction.scores);
  }
}

/// The fields of a model with a label for the text.
void write_verdict(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                   const PredictionView& view) {
  const bool regression = labels.problem_type == ProblemType::regression;
  if (!regression) write_labels(json, labels, prediction, view);
  if (view.logits) {
    json.key(view.prefix + "logits");
    write_by_label(json, labels.names, prediction.logits);
  }
  if (regression) write_values(json, labels.names, prediction, view);
}

/// "negative -1.90  positive 2.01": all labels by number, or only the largest logits if there
/// are many.
std::string logits_of(const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view) {
  const std::size_t most = std::max(kLogitsOnALine, view.top_k.value_or(0));
  auto shown = ranked_labels(prediction, std::nullopt, most);
  if (labels.names.size() <= kLogitsOnALine) std::sort(shown.begin(), shown.end());
  std::string text;
  for (const std::size_t label : shown) {
    text += (text.empty() ? "" : "  ") + printable(labels.names[label]) +
            formatted(" %.2f", prediction.logits[label]);
  }
  return labels.names.size() > shown.size() ? text + "  …" : text;
}

}  // namespace

std::optional<std::string> given_label(const LabelSet& labels, const Prediction& prediction,
                                       const PredictionView& view) {
  const bool below = view.needs_threshold && view.threshold &&
                     prediction.scores[prediction.best] < *view.threshold;
  return below ? std::nullopt : std::optional(labels.names[prediction.best]);
}

bool lists_labels(const LabelSet& labels, const PredictionView& view) {
  return view.top_k || view.threshold || labels.problem_type == ProblemType::multi_label;
}

std::vector<std::size_t> labels_to_list(const LabelSet& labels, const Prediction& prediction,
                                        const PredictionView& view) {
  if (prediction.scores.empty()) return ranked_labels(prediction, std::nullopt, view.top_k);
  if (view.threshold || labels.problem_type != ProblemType::multi_label) {
    return ranked_labels(prediction, view.threshold, view.top_k);
  }
  auto given = ranked_labels(prediction, std::nullopt, std::nullopt);
  std::erase_if(
      given, [&](std::size_t label) { return prediction.scores[label] < labels.threshold(label); });
  if (view.top_k && given.size() > *view.top_k) given.resize(*view.top_k);
  return given;
}

void write_id(JsonWriter& json, const RowId& id) {
  if (id.is_string) {
    json.string(id.text);
  } else {
    json.raw(id.text);
  }
}

void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values) {
  json.begin_object();
  for (std::size_t i = 0; i < labels.size(); ++i) json.field(labels[i], values[i]);
  json.end_object();
}

void write_text_error(JsonWriter& json, const TextInput& input, const std::string& error) {
  json.begin_object().field("text", input.text);
  if (input.pair) json.field("pair", *input.pair);
  json.field("error", error).end_object();
}

void write_prediction(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view) {
  if (!prediction.error.empty()) {
    json.field(view.prefix + "error", prediction.error);
    return;
  }
  if (labels.each_token) {
    write_token_labels(json, prediction.token_labels, view);
  } else {
    write_verdict(json, labels, prediction, view);
  }
  if (view.tokens) json.field(view.prefix + "tokens", prediction.tokens);
  if (prediction.truncated > 0) json.field(view.prefix + "truncated", prediction.truncated);
  if (prediction.windows > 1) json.field(view.prefix + "windows", prediction.windows);
}

std::vector<std::string> prediction_fields(const LabelSet& labels, const PredictionView& view) {
  const bool regression = labels.problem_type == ProblemType::regression;
  const bool shares = !regression && labels.probabilities;
  std::vector<std::string> fields;
  const auto add = [&](const char* name, bool written) {
    if (written) fields.push_back(view.prefix + name);
  };
  if (labels.each_token) {
    add("entities", true);
    for (const char* name : {"token_logits", "ids", "offsets"}) add(name, view.logits);
  } else {
    add("label", !regression);
    add("probability", shares);
    add("labels", !regression && lists_labels(labels, view));
    add("probabilities", shares && view.probabilities);
    add("logits", view.logits);
    add(labels.names.size() == 1 ? "value" : "values", regression);
  }
  add("tokens", view.tokens);
  add("truncated", true);
  add("windows", view.windows);
  add("error", true);
  return fields;
}

std::string verdict(const LabelSet& labels, const Prediction& prediction,
                    const PredictionView& view, bool color) {
  if (labels.problem_type == ProblemType::regression) return logits_of(labels, prediction, view);
  const auto one = [&](std::size_t label) {
    std::string name = bold(printable(labels.names[label]), color);
    if (prediction.scores.empty()) return name;
    return name + " " + percent(prediction.scores[label]);
  };
  if (!lists_labels(labels, view)) return one(prediction.best);
  std::string text;
  for (const std::size_t label : labels_to_list(labels, prediction, view))
    text += (text.empty() ? "" : ", ") + one(label);
  return text.empty() ? "(no label)" : text;
}

std::string verdict_line(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view, bool color) {
  std::string line = verdict(labels, prediction, view, color);
  const bool has_logits = view.logits || prediction.scores.empty();
  if (!has_logits || labels.problem_type == ProblemType::regression) return line;
  return line + "   " + logits_of(labels, prediction, view);
}

std::string shown_input(const TextInput& input) {
  const std::string text = printable(input.text);
  return input.pair ? text + kPairArrow + printable(*input.pair) : text;
}

std::string prediction_line(const LabelSet& labels, const TextInput& input,
                            const Prediction& prediction, const PredictionView& view, bool color) {
  std::string line = labels.each_token ? marked_text(input.text, prediction.token_labels, color)
                                       : verdict_line(labels, prediction, view, color) + "   " +
                                             shown_input(input);
  if (prediction.truncated > 0) {
    line += "   (" + std::to_string(prediction.truncated) + " tokens cut)";
  }
  if (prediction.windows > 1) line += "   (" + std::to_string(prediction.windows) + " windows)";
  return line;
}

}  // namespace headlight
