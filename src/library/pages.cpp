#include <sstream>

#include "inside/attention_steps.h"
#include "inside/word_explainer.h"
#include "library/calls.h"
#include "library/handles.h"
#include "library/options.h"
#include "report/attention/attention_page.h"
#include "report/attention/steps_report.h"
#include "report/explanation/explanation_report.h"
#include "report/formats/documents.h"
#include "report/formats/html.h"
#include "report/models/model_report.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

/// Gives the document that `make` returns, on the threads of the model's engine.
template <typename Make>
hl_status give_page(const hl_model* model, char** html, const Make& make) {
  return guarded([&] {
    required(html, "html") = nullptr;
    const hl_model& m = usable(model);
    const TeamWork work(m.engine->team, &m.engine->stops);
    *html = c_string(make(m));
  });
}

/// Throws ArgumentError for what has no attention.
Classifier attending(const Model& model, const hl_run_options* options) {
  const CallOptions chosen(options, model);
  if (chosen.reading.long_texts == LongTexts::window) {
    throw ArgumentError("long_texts is \"window\", but attention is that of one window");
  }
  require_layers(model, "attention");
  return {model, chosen.reading};
}

void add_side(AttentionPage& page, const Classifier& classifier, const TextInput& input) {
  TracedText text = read_text(classifier, input);
  Trace wanted;
  wanted.wants_attention = wanted.wants_label_attention = true;
  fill_trace(classifier, wanted, text);
  const Description& description = classifier.model().description;
  const AttentionView view(description, text, whole_attention(description, text.encoding));
  page.add(view, {});
}

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_attention_page(const hl_model* model, const hl_text* texts, size_t n,
                            const hl_run_options* options, char** html) {
  return give_page(model, html, [&](const hl_model& m) {
    if (n < 1 || n > AttentionPage::kSides) throw ArgumentError("a page shows one text or two");
    required(texts, "texts");
    const Classifier classifier = attending(m.model, options);
    AttentionPage page;
    for (std::size_t i = 0; i < n; ++i) add_side(page, classifier, input_of(texts[i]));
    std::string document;
    page.write([&](std::string_view piece) { document += piece; });
    return document;
  });
}

hl_status hl_steps_page(const hl_model* model, const hl_text* text, size_t layer, size_t head,
                        size_t query, const hl_run_options* options, char** html) {
  return give_page(model, html, [&](const hl_model& m) {
    const Classifier classifier = attending(m.model, options);
    const auto& layers = m.model.description.layers;
    if (layer >= layers.size() || head >= layers[layer].heads.sizes.size()) {
      throw ArgumentError("the model has no head " + std::to_string(head) + " in a layer " +
                          std::to_string(layer));
    }
    TracedText traced = read_text(classifier, input_of(required(text, "text")));
    if (query >= traced.encoding.size()) throw ArgumentError("the text has no such token");
    Trace wanted;
    wanted.wants_attention = wanted.wants_values = wanted.wants_queries_and_keys = true;
    Scratch scratch;
    traced.prediction = classifier.classify_traced(traced.encoding, scratch, wanted);
    if (!traced.prediction.error.empty()) throw TextError(traced.prediction.error);
    const HeadSteps steps =
        head_steps(m.model, wanted.texts.front(), traced.encoding.size(), layer, head, query);
    std::istringstream lines(steps_text(traced, steps));
    std::string body = "<pre style=\"overflow-x: auto\">";
    for (std::string line; std::getline(lines, line);) body += html_text(line) + '\n';
    return html_page("The steps of a head: " + m.model.place.name, body + "</pre>\n");
  });
}

hl_status hl_explanation_page(const hl_model* model, const hl_text* text,
                              const hl_run_options* options, char** html) {
  return give_page(model, html, [&](const hl_model& m) {
    const Explained found = explained(m, text, options);
    return explanation_page("The words behind the prediction: " + m.model.place.name, found.labels,
                            found.explanation, {});
  });
}

hl_status hl_models(hl_engine* engine, char** report) {
  return guarded([&] {
    required(report, "report") = nullptr;
    std::vector<ListedModel> models;
    for (const ModelPlace& place : list_models(usable(engine).folders)) {
      try {
        models.push_back({place, read_labels_only(place)});
      } catch (const Error&) {
        continue;  // a folder that is no model
      }
    }
    *report = c_string(json_document(
        /*ascii=*/false, [&](JsonWriter& json) { write_models(json, models); }));
  });
}
