#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "library/calls.h"
#include "library/handles.h"
#include "library/options.h"

namespace headlight {
namespace {

constexpr std::size_t kTextsAtOnce = 64;

/// The texts of a call, and where their rows go.
struct TextRows {
  const hl_text* texts;
  std::size_t count;
  hl_row* rows;
};

/// `score` gives results of texts that follow each other, `write` puts the numbers of one result.
template <typename Score, typename Write>
void score_texts(const hl_model& model, const TextRows& all, const Score& score,
                 const Write& write) {
  if (all.count > 0) required(all.texts, "texts");
  const TeamWork work(model.engine->team, &model.engine->stops);
  const std::size_t threads = sharing_threads();
  const std::size_t size =
      std::clamp<std::size_t>((all.count + threads - 1) / threads, 1, kTextsAtOnce);
  const std::uint64_t call = model.scratches.new_call();
  const auto score_some = [&](std::size_t part) {
    const std::size_t first = part * size;
    std::vector<TextInput> inputs;
    for (std::size_t i = first; i < std::min(first + size, all.count); ++i) {
      inputs.push_back(input_of(all.texts[i]));
    }
    auto scratch = model.scratches.take(call);
    const auto results = score(std::span<const TextInput>(inputs), *scratch);
    model.scratches.give_back(call, std::move(scratch));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool is_read = results[i].error.empty();
      write(first + i, results[i]);
      if (all.rows == nullptr) continue;
      all.rows[first + i] = {is_read ? HL_OK : HL_BAD_TEXT,
                             static_cast<std::uint32_t>(results[i].tokens),
                             static_cast<std::uint32_t>(results[i].truncated)};
    }
  };
  share_work((all.count + size - 1) / size, score_some);
}

/// Row `row` of [n, numbers.size()]; NaN if there are no numbers.
void put_row(std::span<const float> numbers, std::size_t width, std::size_t row, float* out) {
  if (out == nullptr) return;
  float* const first = out + row * width;
  if (numbers.empty()) {
    std::fill_n(first, width, std::numeric_limits<float>::quiet_NaN());
  } else {
    std::ranges::copy(numbers, first);
  }
}

}  // namespace
}  // namespace headlight

using namespace headlight;  // NOLINT(google-build-using-namespace): C has none

hl_status hl_classify(const hl_model* model, const hl_text* texts, size_t n,
                      const hl_run_options* options, float* logits, float* probabilities,
                      hl_row* rows) {
  return guarded([&] {
    const hl_model& m = usable(model);
    require_labels(m.model);
    ClassifierOptions reading = CallOptions(options, m.model).reading;
    if (probabilities != nullptr) {
      if (m.model.description.problem_type == ProblemType::regression) {
        throw ArgumentError("a regression has no probabilities; pass NULL");
      }
      reading.activation = activation_for_probabilities(m.model.description);
    }
    reading.most_ranked = 0;
    const auto classifier = make_classifier(m.model, reading);
    if (n > 0) required(logits, "logits");
    const std::size_t c = m.model.description.classes();
    const auto score = [&](auto inputs, ScoringScratch& scratch) {
      return classifier->classify(inputs, scratch, leave_if_stopped);
    };
    score_texts(m, {texts, n, rows}, score, [&](std::size_t row, const Prediction& prediction) {
      const bool none = prediction.no_label;
      put_row(none ? std::span<const float>() : prediction.logits, c, row, logits);
      put_row(none ? std::span<const float>() : prediction.scores, c, row, probabilities);
    });
  });
}

hl_status hl_embed(const hl_model* model, const hl_text* texts, size_t n,
                   const hl_run_options* options, float* vectors, hl_row* rows) {
  return guarded([&] {
    const hl_model& m = usable(model);
    const Embedding& how = m.embedding;
    if (!how.problem.empty()) throw Error("", how.problem);
    const ClassifierOptions reading = CallOptions(options, m.model).reading;
    if (n > 0) required(vectors, "vectors");
    EmbedderOptions own{static_cast<const ReadingOptions&>(reading), how.prompt};
    own.heads_off = reading.heads_off;
    const Embedder embedder(how.reading ? *how.reading : m.model, how.modules, own);
    const auto score = [&](auto inputs, ScoringScratch& scratch) {
      return embedder.embed(inputs, scratch, leave_if_stopped);
    };
    score_texts(m, {texts, n, rows}, score, [&](std::size_t row, const EmbeddedText& text) {
      put_row(text.vector, embedder.width(), row, vectors);
    });
  });
}

size_t hl_text_error(const hl_model* model, const hl_text* text, const hl_run_options* options,
                     char* buffer, size_t size) {
  std::string error;
  const hl_status status = guarded([&] {
    const hl_model& m = usable(model);
    const ClassifierOptions reading = CallOptions(options, m.model).reading;
    const std::vector<TextInput> input = {input_of(required(text, "text"))};
    const TeamWork work(m.engine->team, &m.engine->stops);
    ScoringScratch scratch;
    TextReader(m.model, reading).check(input.front());
    if (m.model.description.pooling == Pooling::each_token) return;
    const auto classifier = make_classifier(m.model, reading);
    error = classifier->classify(input, scratch, leave_if_stopped).front().error;
  });
  if (status != HL_OK) error = hl_last_error();
  if (buffer != nullptr && size > 0) {
    const std::size_t kept = std::min(error.size(), size - 1);
    std::memcpy(buffer, error.data(), kept);
    buffer[kept] = '\0';
  }
  return error.size();
}
