#include "inside/inside.h"

#include <utility>

#include "base/error.h"
#include "inside/value_norms.h"

namespace headlight {

TracedText read_text(const Classifier& classifier, const TextInput& input) {
  TracedText text;
  text.model_name = classifier.model().place.name;
  text.input = input;
  text.encoding = classifier.reader().encode(input);
  return text;
}

void fill_trace(const Classifier& classifier, Trace wanted, TracedText& text) {
  const Model& model = classifier.model();
  Scratch scratch;
  text.prediction = classifier.classify_traced(text.encoding, scratch, wanted);
  if (!text.prediction.error.empty()) throw TextError(text.prediction.error);
  text.trace = std::move(wanted.texts.front());
  text.value_norms = value_norms(model.description, model.weights, text.trace);
  text.trace.values = {};
}

TracedText trace_text(const Classifier& classifier, const TextInput& input, const Trace& wanted) {
  TracedText text = read_text(classifier, input);
  fill_trace(classifier, wanted, text);
  return text;
}

}  // namespace headlight
