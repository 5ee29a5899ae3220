#include "report/attention_report.h"

#include "report/encoding_report.h"
#include "report/prediction_report.h"

namespace headlight {
namespace {

void write_numbers(JsonWriter& json, const float* values, std::size_t count) {
  json.begin_array();
  for (std::size_t i = 0; i < count; ++i) json.number(values[i]);
  json.end_array();
}

/// [h, n, n] of each layer.
void write_layers(JsonWriter& json, const std::vector<std::vector<float>>& layers, std::size_t n) {
  json.begin_array();
  for (const auto& layer : layers) {
    json.begin_array();
    for (std::size_t head = 0; head < layer.size() / (n * n); ++head) {
      json.begin_array();
      for (std::size_t query = 0; query < n; ++query) {
        write_numbers(json, layer.data() + (head * n + query) * n, n);
      }
      json.end_array();
    }
    json.end_array();
  }
  json.end_array();
}

/// [h, c, n] turned to [c][h][n].
void write_label_attention(JsonWriter& json, const std::vector<float>& weights, std::size_t classes,
                           std::size_t n) {
  const std::size_t heads = weights.size() / (classes * n);
  json.begin_array();
  for (std::size_t label = 0; label < classes; ++label) {
    json.begin_array();
    for (std::size_t head = 0; head < heads; ++head) {
      write_numbers(json, weights.data() + (head * classes + label) * n, n);
    }
    json.end_array();
  }
  json.end_array();
}

void write_range(JsonWriter& json, const char* name, std::size_t count) {
  json.key(name).begin_array();
  for (std::size_t i = 0; i < count; ++i) json.number(i);
  json.end_array();
}

}  // namespace

void write_attention(JsonWriter& json, const Description& model, const TracedText& traced) {
  const Prediction& prediction = traced.prediction;
  const bool regression = model.problem_type == ProblemType::regression;
  json.begin_object().field("model", traced.model_name).field("text", traced.input.text);
  if (traced.input.pair) json.field("pair", *traced.input.pair);
  write_encoding(json, traced.encoding);
  if (!prediction.logits.empty()) {
    if (!regression) json.field("label", model.labels[prediction.best]);
    json.key("logits");
    write_by_label(json, model.labels, prediction.logits);
  }
  if (!regression && !prediction.scores.empty()) {
    json.key("probabilities");
    write_by_label(json, model.labels, prediction.scores);
  }
  write_range(json, "layers", traced.trace.attention.size());
  write_range(json, "heads", model.label_heads.sizes.size());
  json.key("attention");
  write_layers(json, traced.trace.attention, traced.encoding.size());
  if (!traced.trace.label_attention.empty()) {
    json.key("label_attention");
    write_label_attention(json, traced.trace.label_attention, model.classes(),
                          traced.encoding.size());
  }
  json.end_object();
}

std::size_t attention_json_size(const Description& model, std::size_t tokens) {
  constexpr std::size_t kBytesANumber = 13;
  std::size_t heads = 0;
  for (const auto& layer : model.layers) heads += layer.heads.sizes.size();
  return heads * tokens * tokens * kBytesANumber;
}

}  // namespace headlight
