#include "report/predictions/prediction_fields.h"

#include <algorithm>
#include <span>

namespace headlight {
namespace {

void write_entity(JsonWriter& json, const Entity& entity) {
  json.begin_object().field("label", entity.label);
  if (entity.index) json.field("index", *entity.index);
  json.field("text", entity.text)
      .field("start", entity.offset.begin)
      .field("end", entity.offset.end)
      .field("probability", entity.probability)
      .end_object();
}

/// [[…], …], one array of c numbers per token.
void write_token_logits(JsonWriter& json, const TokenLabels& found) {
  const std::size_t tokens = found.ids.size();
  const std::size_t classes = tokens == 0 ? 0 : found.logits.size() / tokens;
  json.begin_array();
  for (std::size_t token = 0; token < tokens; ++token) {
    json.array(std::span(found.logits).subspan(token * classes, classes),
               [&](float logit) { json.number(logit); });
  }
  json.end_array();
}

/// The name of the best label, unless it needs the threshold and is below it.
Cell given_label(const LabelSet& labels, const Prediction& prediction, const PredictionView& view) {
  const bool below = view.needs_threshold && view.threshold &&
                     prediction.scores[prediction.best] < *view.threshold;
  return below || prediction.no_label ? std::nullopt : std::optional(labels.names[prediction.best]);
}

template <typename Visitor>
void visit_token_labels(const TokenLabels& found, const PredictionView& view, Visitor& visitor) {
  visitor.field("entities", [&](JsonWriter& json) {
    json.array(found.entities, [&](const Entity& entity) { write_entity(json, entity); });
  });
  if (!view.logits) return;
  visitor.field("token_logits", [&](JsonWriter& json) { write_token_logits(json, found); });
  visitor.field("ids", [&](JsonWriter& json) {
    json.array(found.ids, [&](TokenId id) { json.number(std::size_t{id}); });
  });
  visitor.field("offsets", [&](JsonWriter& json) {
    json.array(found.offsets, [&](const Offset& offset) {
      json.begin_array().number(offset.begin).number(offset.end).end_array();
    });
  });
}

template <typename Visitor>
void visit_labels(const LabelSet& labels, const Prediction& prediction, const PredictionView& view,
                  Visitor& visitor) {
  visitor.text("label", [&] { return given_label(labels, prediction, view); });
  if (labels.probabilities) {
    const bool has_scores = !prediction.scores.empty() && !prediction.no_label;
    visitor.number("probability", has_scores,
                   has_scores ? prediction.scores[prediction.best] : 0.0F);
  }
  if (!lists_labels(labels, view)) return;
  visitor.listed("labels", [&] { return labels_to_list(labels, prediction, view); });
}

/// Calls `visitor` with each field in the order of the contract. It reads the prediction only if
/// the visitor does.
template <typename Visitor>
void visit_fields(const LabelSet& labels, const Prediction& prediction, const PredictionView& view,
                  Visitor& visitor) {
  const bool regression = labels.problem_type == ProblemType::regression;
  const auto by_label = [&](const char* name, const char* column, const auto& values) {
    static const std::vector<float> kNone;
    visitor.by_label(name, column, prediction.no_label ? kNone : values);
  };
  const auto logits = [&] {
    if (view.logits) by_label("logits", "logit.", prediction.logits);
  };
  if (labels.each_token) {
    visit_token_labels(prediction.token_labels, view, visitor);
  } else {
    if (!regression) visit_labels(labels, prediction, view, visitor);
    // Tables have the logits on the other side of the scores.
    if (regression != Visitor::kTable) logits();
    if (regression && labels.names.size() == 1) {
      visitor.number("value", true, prediction.scores.empty() ? 0.0F : prediction.scores[0]);
    } else if (regression) {
      visitor.by_label("values", "value.", prediction.scores);
    } else if (view.probabilities && labels.probabilities) {
      by_label("probabilities", "probability.", prediction.scores);
    }
    if (regression == Visitor::kTable) logits();
  }
  if (view.tokens) {
    visitor.number("tokens", true, prediction.tokens);
    // Tables keep the columns of the contract.
    if (!Visitor::kTable) visitor.number("unknown", prediction.unknown > 0, prediction.unknown);
  }
  visitor.number("truncated", prediction.truncated > 0, prediction.truncated);
  if (view.windows) visitor.number("windows", prediction.windows > 1, prediction.windows);
  if (view.models.empty()) return;
  visitor.text("model", [&]() -> Cell { return view.models[prediction.passed_on ? 1 : 0]; });
}

/// Writes the fields that apply.
struct JsonFields {
  static constexpr bool kTable = false;
  JsonWriter& json;
  const LabelSet& labels;
  const Prediction& prediction;
  const std::string& prefix;

  void field(const char* name, const auto& write) { write(json.key(prefix + name)); }
  void text(const char* name, const auto& value) {
    json.key(prefix + name);
    const Cell text = value();
    text ? json.string(*text) : json.null();
  }
  void number(const char* name, bool applies, auto value) {
    if (applies) json.field(prefix + name, value);
  }
  void listed(const char* name, const auto& numbers) {
    json.key(prefix + name).array(numbers(), [&](std::size_t label) {
      json.begin_object().field("label", labels.names[label]);
      if (!prediction.scores.empty()) json.field("probability", prediction.scores[label]);
      json.end_object();
    });
  }
  void by_label(const char* name, const char* /*column*/, const std::vector<float>& values) {
    if (values.empty()) return;
    write_by_label(json.key(prefix + name), labels.names, values);
  }
};

/// Collects columns; if the text could not be scored, their cells are empty.
struct TableFields {
  static constexpr bool kTable = true;
  const LabelSet& labels;
  const std::string& prefix;
  bool is_scored;
  bool splits_labels;  // a column for each label
  std::vector<PredictionColumn> columns = {};

  void add(const std::string& name, const Cell& cell) { columns.push_back({prefix + name, cell}); }
  void field(const std::string& name, const auto& write) {
    Cell cell;
    if (is_scored) {
      JsonWriter json(cell.emplace());
      write(json);
    }
    add(name, cell);
  }
  void text(const char* name, const auto& value) { add(name, is_scored ? value() : std::nullopt); }
  void number(const std::string& name, bool applies, auto value) {
    if (!applies) return add(name, std::nullopt);
    field(name, [&](JsonWriter& json) { json.number(value); });
  }
  void listed(const char* name, const auto& numbers) {
    text(name, [&]() -> Cell {
      std::string names;
      for (const std::size_t label : numbers()) {
        names += (names.empty() ? "" : "|") + labels.names[label];
      }
      return names;
    });
  }
  void by_label(const char* name, const char* column, const std::vector<float>& values) {
    if (!splits_labels) return add(name, std::nullopt);
    for (std::size_t i = 0; i < labels.names.size(); ++i) {
      const bool applies = is_scored && !values.empty();
      number(column + labels.names[i], applies, applies ? values[i] : 0.0F);
    }
  }
};

}  // namespace

bool lists_labels(const LabelSet& labels, const PredictionView& view) {
  return view.top_k || view.threshold || labels.problem_type == ProblemType::multi_label;
}

bool needs_all_scores(const LabelSet& labels, const PredictionView& view) {
  return view.probabilities || view.logits || (view.threshold && !view.top_k) ||
         labels.problem_type != ProblemType::single_label;
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

void write_prediction(JsonWriter& json, const LabelSet& labels, const Prediction& prediction,
                      const PredictionView& view) {
  if (!prediction.error.empty()) {
    json.field(view.prefix + "error", prediction.error);
    return;
  }
  JsonFields fields{json, labels, prediction, view.prefix};
  visit_fields(labels, prediction, view, fields);
}

std::vector<PredictionColumn> prediction_columns(const LabelSet& labels,
                                                 const Prediction& prediction,
                                                 const PredictionView& view, RowFormat format) {
  TableFields fields{labels, view.prefix, prediction.error.empty(), is_table(format)};
  visit_fields(labels, prediction, view, fields);
  fields.add("error", fields.is_scored ? Cell() : prediction.error);
  return fields.columns;
}

void write_tokens(JsonWriter& json, const TextSize& text) {
  json.field("tokens", text.tokens);
  if (text.unknown > 0) json.field("unknown", text.unknown);
}

void write_by_label(JsonWriter& json, const std::vector<std::string>& labels,
                    const std::vector<float>& values) {
  json.begin_object();
  for (std::size_t i = 0; i < labels.size(); ++i) json.field(labels[i], values[i]);
  json.end_object();
}

}  // namespace headlight
