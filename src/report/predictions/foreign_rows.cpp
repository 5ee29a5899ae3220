#include "report/predictions/foreign_rows.h"

#include "base/utf8.h"
#include "rows/fasttext_line.h"

namespace headlight {
namespace {

/// Best first.
std::vector<std::size_t> best_labels(const Prediction& prediction, const PredictionView& view,
                                     std::size_t most) {
  return ranked_labels(prediction, view.threshold, view.top_k.value_or(most));
}

void write_hf_entity(JsonWriter& json, const Entity& entity) {
  json.begin_object()
      .field(entity.index ? "entity" : "entity_group", entity.label)
      .field("score", entity.probability);
  if (entity.index) json.field("index", *entity.index);
  json.field("word", entity.word)
      .field("start", entity.offset.begin)
      .field("end", entity.offset.end)
      .end_object();
}

}  // namespace

std::string hf_row(const LabelSet& labels, const std::string& text, const Prediction& prediction,
                   const PredictionView& view) {
  std::string row;
  JsonWriter json(row);
  json.write_as_python();
  const auto best = best_labels(prediction, view, labels.zero_shot ? labels.names.size() : 1);
  if (!prediction.error.empty()) {
    json.begin_object().field("error", prediction.error).end_object();
  } else if (labels.each_token) {
    json.array(prediction.token_labels.entities,
               [&](const Entity& entity) { write_hf_entity(json, entity); });
  } else if (labels.zero_shot) {
    json.begin_object().field("sequence", text).key("labels");
    json.array(best, [&](std::size_t label) { json.string(labels.names[label]); });
    json.key("scores").array(best,
                             [&](std::size_t label) { json.number(prediction.score(label)); });
    json.end_object();
  } else {
    json.array(best, [&](std::size_t label) {
      json.begin_object()
          .field("label", labels.names[label])
          .field("score", prediction.score(label));
      json.end_object();
    });
  }
  return row;
}

std::string fasttext_row(const LabelSet& labels, const Prediction& prediction,
                         const PredictionView& view) {
  if (!prediction.error.empty()) return kFasttextError + printable(prediction.error);
  std::string row;
  for (const std::size_t label : best_labels(prediction, view, 1)) {
    if (!row.empty()) row += ' ';
    row.append(labels.prefix.value_or(std::string(kFasttextLabel)));
    row.append(labels.names[label]) += ' ';
    JsonWriter(row).number(prediction.score(label));
  }
  return row;
}

}  // namespace headlight
