#include "report/attention/attention_report.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "inside/strongest.h"
#include "report/attention/head_statistics.h"
#include "report/models/model_report.h"
#include "report/predictions/prediction_report.h"
#include "report/tokens/encoding_report.h"

namespace headlight {
namespace {

template <typename Number>
void write_numbers(JsonWriter& json, std::span<const Number> values) {
  json.begin_array();
  for (const Number value : values) json.number(value);
  json.end_array();
}

void write_numbers(JsonWriter& json, const char* name, const std::vector<std::size_t>& values) {
  json.key(name);
  write_numbers(json, std::span(values));
}

/// [q, w] as [query][key].
template <typename Number>
void write_matrix(JsonWriter& json, const std::vector<Number>& values, std::size_t width) {
  json.begin_array();
  for (std::size_t row = 0; row < values.size(); row += width) {
    write_numbers(json, std::span(values).subspan(row, width));
  }
  json.end_array();
}

using HeadMatrix = std::vector<float> (AttentionView::*)(std::size_t, std::size_t) const;

void write_heads(JsonWriter& json, const AttentionView& view, HeadMatrix matrix) {
  json.begin_array();
  for (const std::size_t layer : view.choice().layers) {
    json.begin_array();
    for (const std::size_t head : view.choice().heads) {
      write_matrix(json, (view.*matrix)(layer, head), view.width());
    }
    json.end_array();
  }
  json.end_array();
}

/// With a decoder: what the layers are, and what the decoder reads.
void write_stacks(JsonWriter& json, const AttentionView& view) {
  const Description& model = view.model();
  if (!model.decoder) return;
  write_maps(json, model, view.choice().layers);
  json.key("target_tokens").array(view.targets(), [&](const TokenWord& unit) {
    json.string(unit.text);
  });
}

void write_label_attention(JsonWriter& json, const AttentionView& view) {
  json.key("label_attention").begin_array();
  for (std::size_t label = 0; label < view.model().classes(); ++label) {
    json.begin_array();
    for (const std::size_t head : view.choice().heads) {
      const std::vector<float> weights = view.label_weights(label, head);
      write_numbers(json, std::span(weights));
    }
    json.end_array();
  }
  json.end_array();
}

void write_verdict(JsonWriter& json, const Description& model, const Prediction& prediction) {
  const bool regression = model.problem_type == ProblemType::regression;
  if (!prediction.logits.empty()) {
    if (!regression) json.field("label", model.labels[prediction.best]);
    json.key("logits");
    write_by_label(json, model.labels, prediction.logits);
  }
  if (!regression && !prediction.scores.empty()) {
    json.key("probabilities");
    write_by_label(json, model.labels, prediction.scores);
  }
}

/// The tokens by descending weight.
void write_strongest(JsonWriter& json, std::span<const double> weights,
                     std::span<const TokenWord> units) {
  json.begin_array();
  for (const std::size_t i : strongest(weights)) {
    json.begin_object()
        .field("token", units[i].text)
        .field("position", i)
        .field("weight", weights[i])
        .end_object();
  }
  json.end_array();
}

}  // namespace

JsonWriter& begin_traced(JsonWriter& json, const TracedText& traced) {
  json.begin_object().field("model", traced.model_name).field("text", traced.input.text);
  if (traced.input.pair) json.field("pair", *traced.input.pair);
  return json;
}

void write_attention(JsonWriter& json, const AttentionView& view) {
  const TracedText& traced = view.traced();
  const AttentionChoice& choice = view.choice();
  begin_traced(json, traced);
  if (choice.words) {
    write_words(json, choice.units);
  } else {
    write_encoding(json, traced.encoding);
  }
  write_verdict(json, view.model(), traced.prediction);
  if (!choice.rollout) {
    write_numbers(json, "layers", choice.layers);
    write_numbers(json, "heads", choice.heads);
  }
  write_stacks(json, view);
  if (!choice.all_queries()) write_numbers(json, "queries", choice.queries);
  if (choice.rollout) {
    json.key("rollout");
    write_matrix(json, view.rollout(), view.width());
  } else {
    json.key("attention");
    write_heads(json, view, &AttentionView::weights);
    if (choice.weighted) {
      json.key("norm_attention");
      write_heads(json, view, &AttentionView::norm_weights);
    }
    if (view.has_label_attention()) write_label_attention(json, view);
  }
  json.end_object();
}

void write_attention_statistics(JsonWriter& json, const AttentionView& view) {
  const auto& units = view.choice().units;
  json.begin_object().field("model", view.traced().model_name).key("tokens").begin_array();
  for (const TokenWord& unit : units) json.string(unit.text);
  json.end_array();
  write_stacks(json, view);
  json.key("heads");
  write_head_statistics(json, view.statistics());
  json.key("rollout");
  write_matrix(json, view.rollout(), view.width());
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

std::size_t attention_json_size(const AttentionChoice& choice, std::optional<unsigned> decimals) {
  constexpr std::size_t kBytesANumber = 13;
  constexpr std::size_t kBytesARolledNumber = 22;  // float64
  constexpr std::size_t kBytesARound = 3;          // 0 . ,
  const std::size_t matrices =
      choice.rollout ? 1 : choice.layers.size() * choice.heads.size() * (choice.weighted ? 2 : 1);
  const std::size_t whole = choice.rollout ? kBytesARolledNumber : kBytesANumber;
  return matrices * choice.queries.size() * choice.units.size() *
         (decimals ? std::min(whole, kBytesARound + *decimals) : whole);
}

std::string attention_json(const AttentionView& view, const AttentionLook& look) {
  std::string document;
  JsonWriter json(document, look.ascii, look.digits);
  if (look.statistics) {
    write_attention_statistics(json, view);
  } else {
    write_attention(json, view);
  }
  return document + '\n';
}

}  // namespace headlight
