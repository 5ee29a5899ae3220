#include <new>
#include <numeric>
#include <utility>

#include <unistd.h>

#include "library/calls.h"
#include "library/encoding.h"
#include "library/handles.h"
#include "library/options.h"

namespace headlight {
namespace {

/// The heads of rows [t, H] one after another: [t, e] of each.
std::vector<float> by_heads(const std::vector<float>& rows, const std::vector<std::size_t>& heads) {
  const std::size_t width = std::accumulate(heads.begin(), heads.end(), std::size_t{0});
  std::vector<float> sorted;
  sorted.reserve(rows.size());
  std::size_t first = 0;
  for (const std::size_t e : heads) {
    for (std::size_t row = first; row < rows.size(); row += width) {
      const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(row);
      sorted.insert(sorted.end(), begin, begin + static_cast<std::ptrdiff_t>(e));
    }
    first += e;
  }
  return sorted;
}

/// A process that asks for more than the machine has is ended by the system, not refused.
void check_memory(const Description& model, std::size_t tokens) {
  const auto t = static_cast<double>(tokens);
  double rows = 0;
  for (const LayerDescription& layer : model.layers) {
    rows += static_cast<double>(layer.heads.sizes.size()) * t;
  }
  if (model.pooling == Pooling::label_attention) {
    rows += static_cast<double>(model.label_heads.sizes.size() * model.classes());
  }
  const auto has =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (rows * t * sizeof(float) > has) throw std::bad_alloc();
}

void fill_layers(const Model& model, TextTrace& trace, hl_attention& made) {
  for (std::size_t i = 0; i < model.description.layers.size(); ++i) {
    hl_attention::Layer& layer = made.layers.emplace_back();
    layer.heads = model.description.layers[i].heads.sizes;
    layer.weights = std::move(trace.attention[i]);
    layer.queries = by_heads(std::exchange(trace.queries[i], {}), layer.heads);
    layer.keys = by_heads(std::exchange(trace.keys[i], {}), layer.heads);
    layer.values = by_heads(std::exchange(trace.values[i], {}), layer.heads);
  }
}

const hl_attention::Layer* layer_of(const hl_attention* attention, std::size_t layer,
                                    std::size_t head) {
  if (attention == nullptr || layer >= attention->layers.size()) return nullptr;
  const hl_attention::Layer& found = attention->layers[layer];
  return head < found.heads.size() ? &found : nullptr;
}

/// The [t, e] of a head.
const float* rows_of(const hl_attention* attention, std::size_t layer, std::size_t head,
                     std::vector<float> hl_attention::Layer::*rows) {
  const hl_attention::Layer* const found = layer_of(attention, layer, head);
  if (found == nullptr) return nullptr;
  const auto end = found->heads.begin() + static_cast<std::ptrdiff_t>(head);
  const std::size_t before = std::accumulate(found->heads.begin(), end, std::size_t{0});
  return (found->*rows).data() + before * attention->encoding.ids.size();
}

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_attend(const hl_model* model, const hl_text* text, const hl_run_options* options,
                    hl_attention** attention) {
  return make_handle(model, attention, "attention", [&](const hl_model& m, hl_attention& made) {
    CallOptions chosen(options, m.model);
    if (chosen.reading.long_texts == LongTexts::window) {
      throw ArgumentError("long_texts is \"window\", but attention is that of one window");
    }
    const Description& description = m.model.description;
    const bool has_probabilities = description.problem_type != ProblemType::regression;
    if (has_probabilities) chosen.reading.activation = activation_for_probabilities(description);
    require_layers(m.model, "attention");
    const Classifier classifier(m.model, chosen.reading);
    const TextInput input = input_of(required(text, "text"));
    const Encoding encoding = classifier.reader().encode(input);
    check_memory(description, encoding.size());
    Trace trace;
    trace.wants_attention = trace.wants_values = trace.wants_queries_and_keys = true;
    trace.wants_label_attention = true;
    Scratch scratch;
    const Prediction prediction = classifier.classify_traced(encoding, scratch, trace);
    if (!prediction.error.empty()) throw TextError(prediction.error);
    made.logits = prediction.logits;
    if (has_probabilities) made.probabilities = prediction.scores;
    made.label_weights = std::move(trace.texts.front().label_attention);
    fill_layers(m.model, trace.texts.front(), made);
    fill_encoding(input, encoding, made.encoding);
    fill_words(input, encoding, made.encoding);
    made.encoding.unknown = prediction.unknown;
    made.scoring.emplace(m.model, encoding.size());
  });
}

const hl_encoding* hl_attention_encoding(const hl_attention* attention) {
  return attention == nullptr ? nullptr : &attention->encoding;
}

const float* hl_attention_weights(const hl_attention* attention, size_t layer, size_t head) {
  const auto* const found = layer_of(attention, layer, head);
  if (found == nullptr) return nullptr;
  const std::size_t t = attention->encoding.ids.size();
  return found->weights.data() + head * t * t;
}

const float* hl_attention_queries(const hl_attention* attention, size_t layer, size_t head) {
  return rows_of(attention, layer, head, &hl_attention::Layer::queries);
}

const float* hl_attention_keys(const hl_attention* attention, size_t layer, size_t head) {
  return rows_of(attention, layer, head, &hl_attention::Layer::keys);
}

const float* hl_attention_values(const hl_attention* attention, size_t layer, size_t head) {
  return rows_of(attention, layer, head, &hl_attention::Layer::values);
}

size_t hl_attention_head_size(const hl_attention* attention, size_t layer, size_t head) {
  const auto* const found = layer_of(attention, layer, head);
  return found == nullptr ? 0 : found->heads[head];
}

const float* hl_attention_logits(const hl_attention* attention) {
  return attention == nullptr || attention->logits.empty() ? nullptr : attention->logits.data();
}

const float* hl_attention_probabilities(const hl_attention* attention) {
  if (attention == nullptr || attention->probabilities.empty()) return nullptr;
  return attention->probabilities.data();
}

const float* hl_attention_label_weights(const hl_attention* attention, size_t label_head) {
  if (attention == nullptr) return nullptr;
  const std::size_t size = attention->logits.size() * attention->encoding.ids.size();  // c · t
  const auto& weights = attention->label_weights;
  if (weights.empty() || label_head >= weights.size() / size) return nullptr;
  return weights.data() + label_head * size;
}

void hl_attention_free(hl_attention* attention) { free_handle(attention); }
