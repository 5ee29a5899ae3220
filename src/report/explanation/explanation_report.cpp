#include "report/explanation/explanation_report.h"

#include <algorithm>
#include <numeric>

#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

/// The labels of a row, and which of them are written.
struct Labels {
  const LabelSet& all;
  const std::vector<std::size_t>& shown;
};

void write_by_label(JsonWriter& json, const Labels& labels, const std::vector<float>& values) {
  json.begin_object();
  for (const std::size_t label : labels.shown) json.field(labels.all.names[label], values[label]);
  json.end_object();
}

void write_effects(JsonWriter& json, const Labels& labels, const std::vector<float>& effects) {
  json.key("effect");
  write_by_label(json, labels, effects);
  if (effects.size() > labels.all.names.size()) json.field("difference", effects.back());
}

void write_verdict(JsonWriter& json, const Labels& shown, const Prediction& prediction) {
  const LabelSet& labels = shown.all;
  PredictionView view;
  view.logits = true;
  const bool regression = labels.problem_type == ProblemType::regression;
  if (regression) return write_prediction(json, labels, prediction, view);
  json.field("label", labels.names[prediction.best]).key("logits");
  write_by_label(json, shown, prediction.logits);
  if (!prediction.scores.empty()) {
    json.key("probabilities");
    write_by_label(json, shown, prediction.scores);
  }
  if (prediction.truncated > 0) json.field("truncated", prediction.truncated);
}

void write_place(JsonWriter& json, const ExplainedWord& word, const Explanation& explanation) {
  json.field("word", word.text).key("offset");
  json.begin_array().number(word.offset.begin).number(word.offset.end).end_array();
  if (!explanation.input.pair) return;
  json.field("sequence", std::size_t{word.sequence == Sequence::second ? 1U : 0U});
}

void write_words(JsonWriter& json, const Labels& labels, const Explanation& explanation) {
  json.key("words").begin_array();
  for (const ExplainedWord& word : explanation.words) {
    write_place(json.begin_object(), word, explanation);
    write_effects(json, labels, word.effect);
    if (!word.standard_error.empty()) {
      json.key("standard_error");
      write_by_label(json, labels, word.standard_error);
    }
    json.end_object();
  }
  json.end_array();
}

void write_pairs(JsonWriter& json, const Labels& labels, const Explanation& explanation) {
  json.key("pairs").begin_array();
  for (const WordPair& pair : explanation.pairs) {
    json.begin_object().key("words");
    json.begin_array().number(pair.first).number(pair.second).end_array();
    write_effects(json, labels, pair.effect);
    json.key("interaction");
    write_by_label(json, labels, pair.interaction);
    json.end_object();
  }
  json.end_array();
}

void write_method(JsonWriter& json, const Labels& labels, const Explanation& explanation) {
  json.field("method", name_of(explanation.method));
  if (const auto& sampling = explanation.sampling; sampling && !sampling->exact) {
    json.field("samples", sampling->orders);
  }
  if (!explanation.bias_share.empty()) {
    json.key(explanation.is_of_rows ? "rest" : "bias_share");
    write_by_label(json, labels, explanation.bias_share);
  }
  if (!explanation.completeness) return;
  json.field("completeness_gap", explanation.completeness->gap);
  json.field("steps", explanation.completeness->steps);
}

void write_flip(JsonWriter& json, const LabelSet& labels, const Explanation& explanation) {
  const Flip& flip = *explanation.flip;
  json.key("flip");
  if (flip.words.empty()) {
    json.null();
    return;
  }
  json.begin_object().key("words").array(flip.words, [&](std::size_t word) {
    write_place(json.begin_object(), explanation.words[word], explanation);
    json.end_object();
  });
  json.field("text", flip.input.text);
  if (flip.input.pair) json.field("pair", *flip.input.pair);
  PredictionView view;
  view.logits = true;
  write_prediction(json, labels, flip.prediction, view);
  json.key("exhaustive").raw(flip.exhaustive ? "true" : "false").end_object();
}

void write_faithfulness_fields(JsonWriter& json, const Faithfulness& found) {
  json.field("comprehensiveness", found.comprehensiveness).field("sufficiency", found.sufficiency);
  if (found.normalized_comprehensiveness) {
    json.field("normalized_comprehensiveness", *found.normalized_comprehensiveness);
  }
  if (found.normalized_sufficiency) {
    json.field("normalized_sufficiency", *found.normalized_sufficiency);
  }
}

void write_faithfulness(JsonWriter& json, const std::vector<JudgedMethod>& judged) {
  json.key("faithfulness").begin_object();
  write_faithfulness_fields(json, judged.front().faithfulness);
  json.key("methods").begin_array();
  for (const JudgedMethod& each : judged) {
    json.begin_object().field("method", each.name);
    write_faithfulness_fields(json, each.faithfulness);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::vector<std::size_t> labels_written(const LabelSet& labels, const Explanation& explanation,
                                        bool few) {
  constexpr std::size_t kFewLabels = 5;
  std::vector<std::size_t> shown(labels.names.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (!few || shown.size() <= kFewLabels || labels.problem_type != ProblemType::single_label) {
    return shown;
  }
  shown = {explanation.prediction.best};
  if (explanation.towards) shown.push_back(*explanation.towards);
  std::ranges::sort(shown);
  return shown;
}

void write_explanation_fields(JsonWriter& json, const LabelSet& labels, const TextInput& given,
                              const Explanation& explanation,
                              const std::vector<std::size_t>& shown) {
  const Labels written{labels, shown};
  json.field("text", given.text);
  if (given.pair) json.field("pair", *given.pair);
  write_verdict(json, written, explanation.prediction);
  if (explanation.towards) json.field("towards", labels.names[*explanation.towards]);
  write_words(json, written, explanation);
  if (explanation.order == ExplanationOrder::pairs) write_pairs(json, written, explanation);
  write_method(json, written, explanation);
  if (explanation.flip) write_flip(json, labels, explanation);
  if (!explanation.faithfulness.empty()) write_faithfulness(json, explanation.faithfulness);
}

std::string ExplanationLines::row(const ScoredRow<ExplainedText>& scored) const {
  const auto& [row, text] = scored;
  std::string line;
  JsonWriter json(line, ascii_);
  json.begin_object().key("id");
  write_id(json, row.id);
  if (text.explanation) {
    Explanation explanation = *text.explanation;
    if (const auto towards = towards_(row)) explain_towards(*towards, explanation);
    write_explanation_fields(json, labels_, row.input, explanation,
                             labels_written(labels_, explanation, /*few=*/true));
  } else {
    json.field("error", text.error);
  }
  json.end_object();
  return line + '\n';
}

}  // namespace headlight
