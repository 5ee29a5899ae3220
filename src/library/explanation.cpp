#include <utility>

#include "inside/word_explainer.h"
#include "library/calls.h"
#include "library/encoding.h"
#include "library/handles.h"
#include "library/options.h"

namespace headlight {
namespace {

/// The method that was chosen or suits the model. Methods by gradients read one window.
ExplanationMethod explaining_method(const Model& model, CallOptions& chosen) {
  require_labels(model);
  const bool reads_windows = chosen.reading.long_texts == LongTexts::window;
  const ExplanationMethod method = chosen.method.value_or(
      reads_windows ? ExplanationMethod::occlusion : default_method(model.description));
  if (!is_by_gradients(method)) return method;
  const std::string name = name_of(method);
  if (!chosen.reading.heads_off.empty()) {
    throw ArgumentError("method " + name + " has no heads_off");
  }
  if (reads_windows) throw ArgumentError("method " + name + " reads no windows");
  if (!chosen.reading.long_texts) chosen.reading.long_texts = LongTexts::truncate;
  return method;
}

}  // namespace

Explained explained(const hl_model& m, const hl_text* text, const hl_run_options* options) {
  CallOptions chosen(options, m.model);
  WordExplaining how;
  how.method = explaining_method(m.model, chosen);
  how.shapley.seed = chosen.seed;
  const TextInput input = input_of(required(text, "text"));
  const WordExplainer explainer(make_classifier(m.model, chosen.reading), how);
  return {input, labels_of(m.model, chosen.reading),
          *explainer.explain(input, {leave_if_stopped, {}})};
}

}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_explain(const hl_model* model, const hl_text* text, const hl_run_options* options,
                     hl_explanation** explanation) {
  return make_handle(model, explanation, "explanation",
                     [&](const hl_model& m, hl_explanation& made) {
                       Explained found = explained(m, text, options);
                       made.logits = found.explanation.prediction.logits;
                       const BytePlaces places(found.input);
                       for (ExplainedWord& word : found.explanation.words) {
                         made.places.push_back(places.of(word.sequence, word.offset));
                         made.effects.push_back(std::move(word.effect));
                       }
                     });
}

size_t hl_explanation_words(const hl_explanation* explanation) {
  return explanation == nullptr ? 0 : explanation->places.size();
}

int32_t hl_explanation_word(const hl_explanation* explanation, size_t word, size_t* begin,
                            size_t* end) {
  return give_place(explanation, word, begin, end);
}

const float* hl_explanation_effects(const hl_explanation* explanation, size_t word) {
  return word < hl_explanation_words(explanation) ? explanation->effects[word].data() : nullptr;
}

const float* hl_explanation_logits(const hl_explanation* explanation) {
  return explanation == nullptr ? nullptr : explanation->logits.data();
}

void hl_explanation_free(hl_explanation* explanation) { free_handle(explanation); }
