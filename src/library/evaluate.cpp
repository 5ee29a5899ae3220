#include "library/calls.h"
#include "library/handles.h"
#include "library/memory_rows.h"
#include "library/options.h"
#include "library/text_rows.h"
#include "measuring/measure.h"
#include "measuring/ways/ways.h"
#include "metrics/known_label_rows.h"
#include "report/evaluation/evaluation_report.h"
#include "report/formats/documents.h"
#include "rows/predict.h"
#include "training/directory/training_facts.h"
#include "training/rows/training_data.h"

namespace headlight {
namespace {

/// How a query is answered: with pairs if the model has a head, else by the cosine of vectors.
struct Answering {
  Answering(const hl_model& m, const CallOptions& call) : reading(call.reading) {
    require_layers(m.model, "rank");
    if (m.model.description.classes() == 0) {
      if (!m.embedding.problem.empty()) throw Error("", m.embedding.problem);
      modules = &m.embedding.modules;
      model = m.embedding.reading ? &*m.embedding.reading : &m.model;
      return;
    }
    require_labels(m.model);
    if (m.model.description.classes() > 1) {
      throw Error(m.model.place.path,
                  "has several labels; rank takes a model with one, or without, such as encoder, "
                  "whose vectors it compares");
    }
    pairs = read_cross_encoder(m.model);
    own.emplace(with_own_reading(m.model));
    apply_reading(pairs, *own);
    model = &*own;
    reading.sought_label = 0;
    if (reads_windows(m.model, reading)) reading.truncation = Truncation::only_second;
    reading.activation = pairs.score_activation;
    if (reading.activation) return;
    reading.activation = m.model.description.score_activation.value_or(ScoreActivation::sigmoid);
  }

  ClassifierOptions reading;
  SentenceModules pairs;
  const SentenceModules* modules = &pairs;
  std::optional<Model> own;
  const Model* model = nullptr;
};

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_evaluate(const hl_model* model, const hl_text* texts, const char* const* labels,
                      size_t n, const hl_run_options* options, char** report) {
  return guarded([&] {
    required(report, "report") = nullptr;
    const hl_model& m = usable(model);
    require_labels(m.model);
    const ClassifierOptions reading = CallOptions(options, m.model).reading_among();
    const TeamWork work(m.engine->team, &m.engine->stops);
    const LabelSet set = labels_of(m.model, reading);
    if (set.problem_type == ProblemType::regression && set.names.size() > 1) {
      throw ArgumentError("the model predicts several values, but a row's label is a single one");
    }
    const GoldReader gold = merged_reader(merged_labels(m.model.place), set);
    const MemoryRows memory({texts, labels, n}, "texts");
    const auto rows = memory.reader(memory.has_pairs());
    KnownLabelRows known(*rows, gold, "texts");
    MeasuringWatch watch;
    const Measured found =
        measure({m.model}, known,
                {set, gold, "texts", m.engine->engine.threads(), plain_way(reading)}, watch);
    *report = c_string(json_document(
        /*ascii=*/false, [&](JsonWriter& json) { write_results(json, found); }));
  });
}

hl_status hl_rank(const hl_model* model, const hl_text* query, const hl_text* texts, size_t n,
                  const hl_run_options* options, float* scores, hl_row* rows) {
  return guarded([&] {
    const hl_model& m = usable(model);
    const CallOptions call(options, m.model);
    const Answering how(m, call);
    // As a pair, rows of a benchmark have a query of their own.
    refuse_pair(required(query, "query"), "query", "rank");
    if (n > 0) required(texts, "texts");
    if (n > 0) required(scores, "scores");
    for (std::size_t i = 0; i < n; ++i) refuse_pair(texts[i], "a text", "rank");
    const TeamWork work(m.engine->team, &m.engine->stops);
    const auto answer = answer_with(*how.model, *how.modules, how.reading, input_of(*query).text);
    const std::size_t label = how.reading.sought_label.value_or(0);
    TextRows all(texts, n, rows);
    all.unknown = call.unknown;
    score_texts(m, all, answer, [&](std::size_t row, const Prediction& found) {
      const float score = found.error.empty() ? found.score(label) : 0.0F;
      put_row(found.error.empty() ? std::span(&score, 1) : std::span<const float>(), 1, row,
              scores);
    });
  });
}
