#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "inside/attention_difference.h"
#include "inside/attention_statistics.h"
#include "inside/attention_steps.h"
#include "library/calls.h"
#include "library/handles.h"

namespace headlight {
namespace {

/// The weights [t, t] of a head. Throws ArgumentError if there is none.
std::span<const float> weights_of(const hl_attention& attention, std::size_t layer,
                                  std::size_t head) {
  const float* const weights = hl_attention_weights(&attention, layer, head);
  const std::size_t t = attention.encoding.ids.size();
  if (weights != nullptr) return {weights, t * t};
  throw ArgumentError("layer " + std::to_string(layer) + " has no head " + std::to_string(head));
}

/// Throws ArgumentError unless layers and heads of both can be compared.
void require_same_heads(const hl_attention& before, const hl_attention& after) {
  const auto differ = [](const std::string& what, std::size_t first, std::size_t second) {
    if (first == second) return;
    throw ArgumentError("before has " + std::to_string(first) + " " + what + ", and after has " +
                        std::to_string(second) + "; they must be of models with the same heads");
  };
  differ("layers", before.layers.size(), after.layers.size());
  for (std::size_t i = 0; i < before.layers.size(); ++i) {
    differ("heads in layer " + std::to_string(i), before.layers[i].heads.size(),
           after.layers[i].heads.size());
  }
}

std::vector<AlignedWords> pairs_of(const hl_attention& before, const hl_attention& after) {
  return aligned_words(before.encoding.words, after.encoding.words);
}

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

double hl_attention_entropy(const hl_attention* attention, size_t layer, size_t head) {
  double entropy = std::numeric_limits<double>::quiet_NaN();
  const float* const weights = hl_attention_weights(attention, layer, head);
  if (weights == nullptr) return entropy;
  const std::size_t t = attention->encoding.ids.size();
  guarded([&] { entropy = mean_entropy({weights, t * t}, t); });
  return entropy;
}

hl_status hl_attention_steps(const hl_attention* attention, size_t layer, size_t head, size_t query,
                             float* products, float* scores, float* output) {
  return guarded([&] {
    const hl_attention& given = required(attention, "attention");
    const std::span<const float> weights = weights_of(given, layer, head);
    const std::size_t t = given.encoding.ids.size();
    if (query >= t) {
      throw ArgumentError("query is " + std::to_string(query) + ", but the text has " +
                          std::to_string(t) + (t == 1 ? " token" : " tokens"));
    }
    const std::size_t e = hl_attention_head_size(attention, layer, head);
    const auto rows = [&](const float* first) { return ConstMatrix(first, t, e); };
    const AttentionSteps steps =
        given.scoring->steps({layer,
                              head,
                              rows(hl_attention_queries(attention, layer, head)),
                              rows(hl_attention_keys(attention, layer, head)),
                              rows(hl_attention_values(attention, layer, head)),
                              {weights.data(), t, t}},
                             query);
    const auto give = [](const std::vector<float>& numbers, float* out) {
      if (out != nullptr) std::ranges::copy(numbers, out);
    };
    give(steps.products, products);
    give(steps.scores, scores);
    give(steps.output, output);
  });
}

hl_status hl_attention_align(const hl_attention* before, const hl_attention* after, uint32_t* pairs,
                             size_t* count) {
  return guarded([&] {
    const auto found = pairs_of(required(before, "before"), required(after, "after"));
    required(count, "count") = found.size();
    uint32_t* out = &required(pairs, "pairs");
    for (const AlignedWords& pair : found) {
      *out++ = static_cast<uint32_t>(pair.before);
      *out++ = static_cast<uint32_t>(pair.after);
    }
  });
}

hl_status hl_attention_difference(const hl_attention* before, const hl_attention* after,
                                  size_t layer, size_t head, float* difference) {
  return guarded([&] {
    const hl_attention& first = required(before, "before");
    const hl_attention& second = required(after, "after");
    require_same_heads(first, second);
    const auto found = attention_difference(
        {weights_of(first, layer, head), first.encoding.words},
        {weights_of(second, layer, head), second.encoding.words}, pairs_of(first, second));
    std::ranges::copy(found, &required(difference, "difference"));
  });
}
