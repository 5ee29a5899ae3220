#include "rows/predict.h"

#include <algorithm>
#include <memory>

#include <tbb/enumerable_thread_specific.h>

#include "inside/inside.h"

namespace headlight {
namespace {

/// `keep` adds to a prediction what it needs of the parts of the trace that `wanted` selects.
template <typename Traced, typename Keep>
ScoreTexts<Traced> predict_traced(const Classifier& classifier, const Trace& wanted, Keep keep) {
  return [&classifier, wanted, keep](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return score_each<Traced>(texts, [&](const TextInput& text) {
      const Encoding encoding = classifier.reader().encode(text);
      Trace trace = wanted;
      Traced traced{classifier.classify_traced(encoding, scratch.encoder, trace), {}};
      if (traced.error.empty()) keep(encoding, trace.texts.front(), traced);
      return std::optional(std::move(traced));
    });
  };
}

}  // namespace

ScoreTexts<Prediction> predict_with(const TextClassifier& classifier) {
  return [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return classifier.classify(texts, scratch, is_interrupted);
  };
}

ScoreTexts<ComparedPrediction> predict_with_both(const TextClassifier& first,
                                                 const TextClassifier& second) {
  const auto scratches = std::make_shared<tbb::enumerable_thread_specific<ScoringScratch>>();
  return [&, scratches](std::span<const TextInput> texts, ScoringScratch& scratch) {
    auto of_first = first.classify(texts, scratch, is_interrupted);
    auto of_second = second.classify(texts, scratches->local(), is_interrupted);
    std::vector<ComparedPrediction> both;
    for (std::size_t i = 0; i < std::min(of_first.size(), of_second.size()); ++i) {
      both.push_back({std::move(of_first[i]), std::move(of_second[i])});
    }
    return both;
  };
}

ScoreTexts<AttendedPrediction> predict_with_attention(const Classifier& classifier) {
  Trace wanted;
  wanted.wants_attention = wanted.wants_values = true;
  const auto norms = std::make_shared<const ValueNorms>(classifier.model());
  return predict_traced<AttendedPrediction>(
      classifier, wanted,
      [norms](const Encoding& encoding, const TextTrace& trace, AttendedPrediction& traced) {
        traced.attention.add(trace.attention, encoding.sequences, norms->of(trace));
      });
}

ScoreTexts<HeadsPrediction> predict_with_heads(const Classifier& classifier) {
  Trace wanted;
  wanted.wants_context = true;
  return predict_traced<HeadsPrediction>(
      classifier, wanted,
      [](const Encoding& encoding, const TextTrace& trace, HeadsPrediction& traced) {
        traced.heads.add(trace, encoding.size());
      });
}

}  // namespace headlight
