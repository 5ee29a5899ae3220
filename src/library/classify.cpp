#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "classifier/one_pass_zero_shot.h"
#include "library/calls.h"
#include "library/handles.h"
#include "library/options.h"
#include "library/text_rows.h"

namespace headlight {
namespace {

/// What a call of scores gets, apart from its texts.
struct ScoresWanted {
  const hl_run_options* options;
  float* logits;
  float* probabilities;
};

hl_best best_of(const Prediction& prediction) {
  if (prediction.no_label || !prediction.error.empty()) {
    return {UINT32_MAX, std::numeric_limits<float>::quiet_NaN()};
  }
  return {static_cast<std::uint32_t>(prediction.best), prediction.score(prediction.best)};
}

void classify_texts(const hl_model& m, TextRows texts, const ScoresWanted& wanted) {
  require_labels(m.model);
  const CallOptions call(wanted.options, m.model);
  texts.unknown = call.unknown;
  ClassifierOptions reading = call.reading_among();
  const bool is_regression = m.model.description.problem_type == ProblemType::regression;
  if (wanted.probabilities != nullptr && is_regression) {
    throw ArgumentError("a regression has no probabilities; pass NULL");
  }
  if (wanted.probabilities != nullptr || (call.best != nullptr && !is_regression)) {
    reading.activation = activation_for_probabilities(m.model.description);
  }
  reading.most_ranked = call.best == nullptr ? 0 : 1;
  reading.only_ranked = wanted.logits == nullptr && wanted.probabilities == nullptr;
  const auto classifier = make_classifier(m.model, reading);
  if (texts.count > 0 && call.best == nullptr) required(wanted.logits, "logits");
  const std::size_t c = call.among.empty() ? m.model.description.classes() : call.among.size();
  const auto score = [&](auto inputs, ScoringScratch& scratch) {
    return classifier->classify(inputs, scratch, leave_if_stopped);
  };
  score_texts(m, texts, score, [&](std::size_t row, const Prediction& prediction) {
    const bool none = prediction.no_label;
    if (call.best != nullptr) call.best[row] = best_of(prediction);
    put_row(none ? std::span<const float>() : prediction.logits, c, row, wanted.logits);
    put_row(none ? std::span<const float>() : prediction.scores, c, row, wanted.probabilities);
  });
}

void embed_texts(const hl_model& m, TextRows texts, const hl_run_options* options, float* vectors) {
  const Embedding& how = m.embedding;
  if (!how.problem.empty()) throw Error("", how.problem);
  const CallOptions call(options, m.model);
  const ClassifierOptions& reading = call.reading;
  texts.unknown = call.unknown;
  if (texts.count > 0) required(vectors, "vectors");
  EmbedderOptions own{static_cast<const ReadingOptions&>(reading), how.prompt};
  own.heads_off = reading.heads_off;
  const Embedder embedder(how.reading ? *how.reading : m.model, how.modules, own);
  const auto score = [&](auto inputs, ScoringScratch& scratch) {
    return embedder.embed(inputs, scratch, leave_if_stopped);
  };
  score_texts(m, texts, score, [&](std::size_t row, const EmbeddedText& text) {
    put_row(text.vector, embedder.width(), row, vectors);
  });
}

/// Writes why a text is bad, and returns the whole length.
template <typename Input>
std::size_t give_error(const hl_model* model, const hl_run_options* options, const Input& input,
                       std::span<char> buffer) {
  std::string error;
  const hl_status status = guarded([&] {
    const hl_model& m = usable(model);
    const ClassifierOptions reading = CallOptions(options, m.model).reading;
    const std::vector<TextInput> inputs = {input()};
    const TeamWork work(m.engine->team, &m.engine->stops);
    ScoringScratch scratch;
    const bool has_labels = m.model.description.classes() > 0;
    const auto& embedded = m.embedding.reading;
    TextReader(has_labels || !embedded ? m.model : *embedded, reading).check(inputs.front());
    if (!has_labels || m.model.description.pooling == Pooling::each_token) return;
    const auto classifier = make_classifier(m.model, reading);
    error = classifier->classify(inputs, scratch, leave_if_stopped).front().error;
  });
  if (status != HL_OK) error = hl_last_error();
  if (!buffer.empty()) {
    const std::size_t kept = std::min(error.size(), buffer.size() - 1);
    std::memcpy(buffer.data(), error.data(), kept);
    buffer[kept] = '\0';
  }
  return error.size();
}

ZeroShotTask task_of(const char* const* labels, std::size_t k, bool each_alone) {
  ZeroShotTask task;
  task.multi_label = each_alone;
  if (k == 0) throw ArgumentError("labels is empty");
  task.candidates = different_labels("labels", labels, k);
  if (std::ranges::find(task.candidates, "") != task.candidates.end()) {
    throw ArgumentError("labels has an empty one");
  }
  return task;
}

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_classify(const hl_model* model, const hl_text* texts, size_t n,
                      const hl_run_options* options, float* logits, float* probabilities,
                      hl_row* rows) {
  return guarded([&] {
    classify_texts(usable(model), {texts, n, rows}, {options, logits, probabilities});
  });
}

hl_status hl_classify_arrow(const hl_model* model, const ArrowSchema* schema,
                            const ArrowArray* texts, const hl_run_options* options, float* logits,
                            float* probabilities, hl_row* rows) {
  return guarded([&] {
    classify_texts(usable(model), {schema, texts, rows}, {options, logits, probabilities});
  });
}

hl_status hl_embed(const hl_model* model, const hl_text* texts, size_t n,
                   const hl_run_options* options, float* vectors, hl_row* rows) {
  return guarded([&] { embed_texts(usable(model), {texts, n, rows}, options, vectors); });
}

hl_status hl_embed_arrow(const hl_model* model, const ArrowSchema* schema, const ArrowArray* texts,
                         const hl_run_options* options, float* vectors, hl_row* rows) {
  return guarded([&] { embed_texts(usable(model), {schema, texts, rows}, options, vectors); });
}

size_t hl_text_error(const hl_model* model, const hl_text* text, const hl_run_options* options,
                     char* buffer, size_t size) {
  return give_error(model, options, [&] { return input_of(required(text, "text")); },
                    {buffer, buffer == nullptr ? 0 : size});
}

size_t hl_text_error_arrow(const hl_model* model, const ArrowSchema* schema,
                           const ArrowArray* texts, size_t row, const hl_run_options* options,
                           char* buffer, size_t size) {
  const auto input = [&] {
    const TextRows all(schema, texts, nullptr);
    if (row >= all.count) throw ArgumentError("the column has no such row");
    const auto found = all.input(row);
    return found ? *found : throw TextError(kMissingText);
  };
  return give_error(model, options, input, {buffer, buffer == nullptr ? 0 : size});
}

hl_status hl_zero_shot(const hl_model* model, const hl_text* texts, size_t n,
                       const char* const* labels, size_t k, int32_t each_alone,
                       const hl_run_options* options, float* logits, float* probabilities,
                       hl_row* rows) {
  return guarded([&] {
    const hl_model& m = usable(model);
    const CallOptions call(options, m.model);
    const ClassifierOptions& reading = call.reading;
    const ZeroShotTask task = task_of(labels, k, each_alone != 0);
    require_layers(m.model, "zero-shot classification");
    std::unique_ptr<TextClassifier> classifier;
    if (m.model.description.label_reading) {
      classifier = std::make_unique<OnePassZeroShotClassifier>(m.model, reading, task);
    } else {
      classifier = std::make_unique<ZeroShotClassifier>(m.model, reading, task);
    }
    const auto score = [&](auto inputs, ScoringScratch& scratch) {
      return classifier->classify(inputs, scratch, leave_if_stopped);
    };
    TextRows all(texts, n, rows);
    all.unknown = call.unknown;
    score_texts(m, all, score, [&](std::size_t row, const Prediction& prediction) {
      put_row(prediction.logits, k, row, logits);
      put_row(prediction.scores, k, row, probabilities);
    });
  });
}
