#include "rows/predict.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>

#include <tbb/enumerable_thread_specific.h>

#include "base/error.h"
#include "inside/inside.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using Scratches = tbb::enumerable_thread_specific<ScoringScratch>;

/// Throws Error if the model cannot read the whole query, beside an empty text if both are a pair.
void check_query(const Model& model, ClassifierOptions options, const std::string& query) {
  options.long_texts = LongTexts::error;
  TextInput input{query, {}, {}};
  if (options.sought_label) input.pair = "";
  try {
    TextReader(model, options).encode(input);
  } catch (const TextError& error) {
    throw Error("the query", error.line());
  }
}

/// A vector of zeros has the cosine 0, as in the reference.
Prediction compare(const EmbeddedText& query, const EmbeddedText& text) {
  Prediction found;
  static_cast<TextResult&>(found) =
      static_cast<const TextResult&>(query.error.empty() ? text : query);
  if (!found.error.empty()) return found;
  const auto dot = [](const EmbeddedText& a, const EmbeddedText& b) {
    return std::inner_product(a.vector.begin(), a.vector.end(), b.vector.begin(), 0.0);
  };
  const double norms = std::sqrt(dot(query, query)) * std::sqrt(dot(text, text));
  found.logits = {static_cast<float>(dot(query, text) / std::max(norms, 1e-24))};
  return found;
}

/// With the labels in another order: `numbers` [c] are those that they have now.
Prediction renumbered(const Prediction& prediction, const std::vector<std::size_t>& numbers) {
  Prediction result = prediction;
  if (!result.error.empty()) return result;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    result.logits[i] = prediction.logits[numbers[i]];
    result.scores[i] = prediction.scores[numbers[i]];
    if (numbers[i] == prediction.best) result.best = i;
    for (std::size_t rank = 0; rank < prediction.ranked.size(); ++rank) {
      if (numbers[i] == prediction.ranked[rank]) result.ranked[rank] = i;
    }
  }
  return result;
}

ScoreTexts<Prediction> answer_in_pairs(const Model& model, const ClassifierOptions& options,
                                       const std::string& prompt, const std::string& query) {
  const auto classifier = std::make_shared<const Classifier>(model, options);
  return [=](std::span<const TextInput> texts, ScoringScratch& scratch) {
    TextInput pair;  // reused, because a text may be long
    const auto pair_at = [&](std::size_t i) -> const TextInput& {
      pair.text = prompt + texts[i].pair.value_or(query);
      pair.pair = texts[i].text;
      return pair;
    };
    return classifier->classify_each(texts.size(), pair_at, scratch, is_interrupted);
  };
}

}  // namespace

ScoreTexts<Prediction> answer_with(const Model& model, const SentenceModules& modules,
                                   const ClassifierOptions& options, const std::string& query) {
  auto prompts = modules.prompts;
  const bool in_pairs = options.sought_label.has_value();
  const std::string asking = prompts[in_pairs ? modules.default_prompt.value_or("") : "query"];
  if (!query.empty()) check_query(model, options, asking + query);
  if (!query.empty() && is_unknown(TextReader(model, options).read({query, {}, {}}).size)) {
    throw Error("the query", "has no token that " + model.place.name + " knows",
                "-m takes a model that reads it");
  }
  if (in_pairs) return answer_in_pairs(model, options, asking, query);
  const ReadingOptions& reading = options;
  const auto embedder = [&](const std::string& prompt) {
    return std::make_shared<const Embedder>(model, modules, EmbedderOptions{reading, prompt});
  };
  return [queries = embedder(asking), answers = embedder(prompts["document"]), query,
          scratches = std::make_shared<Scratches>()](std::span<const TextInput> texts,
                                                     ScoringScratch& scratch) {
    std::vector<TextInput> asked(texts.size());
    std::vector<TextInput> own(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      asked[i].text = texts[i].pair.value_or(query);
      own[i].text = texts[i].text;
    }
    const auto first = queries->embed(asked, scratches->local(), is_interrupted);
    const auto second = answers->embed(own, scratch, is_interrupted);
    std::vector<Prediction> found(std::min(first.size(), second.size()));
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = compare(first[i], second[i]);
    return found;
  };
}

ScoreTexts<Prediction> predict_with(const TextClassifier& classifier) {
  return [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return classifier.classify(texts, scratch, is_interrupted);
  };
}

ScoreTexts<ComparedPrediction> predict_with_both(const TextClassifier& first,
                                                 const TextClassifier& second) {
  const auto scratches = std::make_shared<Scratches>();
  return [&, scratches](std::span<const TextInput> texts, ScoringScratch& scratch) {
    const auto begun = Clock::now();
    auto of_first = first.classify(texts, scratch, is_interrupted);
    const auto between = Clock::now();
    auto of_second = second.classify(texts, scratches->local(), is_interrupted);
    const auto ended = Clock::now();
    std::vector<ComparedPrediction> both;
    for (std::size_t i = 0; i < std::min(of_first.size(), of_second.size()); ++i) {
      both.push_back({std::move(of_first[i]), std::move(of_second[i])});
    }
    if (!both.empty())
      both[0].seconds = {Seconds(between - begun).count(), Seconds(ended - between).count()};
    return both;
  };
}

ScoreTexts<Prediction> predict_with_cascade(const CascadeModels& models) {
  return [=, scratches = std::make_shared<Scratches>()](std::span<const TextInput> texts,
                                                        ScoringScratch& scratch) {
    auto found = models.small->classify(texts, scratch, is_interrupted);
    std::vector<std::size_t> rest;  // of the texts
    std::vector<TextInput> inputs;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Prediction& of_small = found[i];
      const bool keeps = of_small.error.empty() && !of_small.no_label &&
                         of_small.scores[of_small.best] >= models.threshold;
      if (keeps) continue;
      rest.push_back(i);
      inputs.push_back(texts[i]);
    }
    const auto answers = models.large->classify(inputs, scratches->local(), is_interrupted);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      found[rest[i]] = renumbered(answers[i], models.numbers);
      found[rest[i]].passed_on = true;
    }
    if (answers.size() < rest.size()) found.resize(rest[answers.size()]);
    return found;
  };
}

ScoreTexts<AblatedPrediction> predict_without_parts(const AblatedClassifier& ablated) {
  return [&](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return ablated.classify(texts, scratch, is_interrupted);
  };
}

ScoreTexts<AttendedPrediction> predict_with_attention(const Classifier& classifier) {
  const auto norms = std::make_shared<const ValueNorms>(classifier.model());
  return [&classifier, norms](std::span<const TextInput> texts, ScoringScratch& scratch) {
    return score_each<AttendedPrediction>(texts, [&](const TextInput& text) {
      const Encoding encoding = classifier.reader().encode(text);
      Trace trace;
      trace.wants_attention = trace.wants_values = true;
      AttendedPrediction found{classifier.classify_traced(encoding, scratch.encoder, trace), {}};
      found.key = classifier.reader().read(text).size.key;
      if (!found.error.empty()) return std::optional(std::move(found));
      const TextTrace& traced = trace.texts.front();
      found.attention.add(traced.attention, encoding.sequences, norms->of(traced));
      return std::optional(std::move(found));
    });
  };
}

}  // namespace headlight
