#include "report/explanation/explanation_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/formats/plain_text.h"
#include "report/predictions/prediction_report.h"

namespace headlight {
namespace {

/// Of `count` things those with the largest sizes, largest first and in order where they are equal.
template <typename SizeOf>
std::vector<std::size_t> largest(std::size_t count, std::size_t most, const SizeOf& size_of) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::stable_sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(size_of(a)) > std::abs(size_of(b));
  });
  numbers.resize(std::min(count, most));
  return numbers;
}

void write_verdict(JsonWriter& json, const LabelSet& labels, const Prediction& prediction) {
  PredictionView view;
  view.logits = true;
  const bool regression = labels.problem_type == ProblemType::regression;
  if (regression) return write_prediction(json, labels, prediction, view);
  json.field("label", labels.names[prediction.best]).key("logits");
  write_by_label(json, labels.names, prediction.logits);
  if (!prediction.scores.empty()) {
    json.key("probabilities");
    write_by_label(json, labels.names, prediction.scores);
  }
  if (prediction.truncated > 0) json.field("truncated", prediction.truncated);
}

void write_words(JsonWriter& json, const LabelSet& labels, const Explanation& explanation) {
  json.key("words").begin_array();
  for (const ExplainedWord& word : explanation.words) {
    json.begin_object().field("word", word.text).key("offset");
    json.begin_array().number(word.offset.begin).number(word.offset.end).end_array();
    if (explanation.input.pair) {
      json.field("sequence", std::size_t{word.sequence == Sequence::second ? 1U : 0U});
    }
    json.key("effect");
    write_by_label(json, labels.names, word.effect);
    json.end_object();
  }
  json.end_array();
}

void write_pairs(JsonWriter& json, const LabelSet& labels, const Explanation& explanation) {
  json.key("pairs").begin_array();
  for (const WordPair& pair : explanation.pairs) {
    json.begin_object().key("words");
    json.begin_array().number(pair.first).number(pair.second).end_array();
    json.key("effect");
    write_by_label(json, labels.names, pair.effect);
    json.key("interaction");
    write_by_label(json, labels.names, pair.interaction);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void write_explanation(JsonWriter& json, const LabelSet& labels, const TextInput& given,
                       const Explanation& explanation) {
  json.begin_object().field("text", given.text);
  if (given.pair) json.field("pair", *given.pair);
  write_verdict(json, labels, explanation.prediction);
  write_words(json, labels, explanation);
  if (explanation.order == ExplanationOrder::pairs) write_pairs(json, labels, explanation);
  json.end_object();
}

std::vector<std::size_t> labels_to_explain(const LabelSet& labels, const Prediction& prediction,
                                           std::size_t most) {
  if (labels.problem_type != ProblemType::regression) {
    return ranked_labels(prediction, std::nullopt, most);
  }
  std::vector<std::size_t> first(std::min(labels.names.size(), most));
  std::iota(first.begin(), first.end(), std::size_t{0});
  return first;
}

std::vector<std::size_t> strongest_words(const Explanation& explanation, std::size_t label,
                                         std::size_t most) {
  const auto effect = [&](std::size_t word) { return explanation.words[word].effect[label]; };
  return largest(explanation.words.size(), most, effect);
}

std::vector<std::size_t> strongest_pairs(const Explanation& explanation, std::size_t label,
                                         std::size_t most) {
  const auto beyond = [&](std::size_t pair) { return explanation.pairs[pair].interaction[label]; };
  return largest(explanation.pairs.size(), most, beyond);
}

WordMarks::WordMarks(const Explanation& explanation, std::size_t label)
    : explanation_(explanation), label_(label) {
  for (const ExplainedWord& word : explanation.words) {
    largest_ = std::max(largest_, std::abs(static_cast<double>(word.effect[label])));
  }
}

double WordMarks::share(std::size_t word) const {
  return largest_ > 0.0 ? explanation_.words[word].effect[label_] / largest_ : 0.0;
}

int WordMarks::strength(std::size_t word) const {
  constexpr double kWeakest = 0.1;
  const double size = std::abs(share(word));
  return size < kWeakest ? 0 : static_cast<int>(std::ceil(3.0 * size));
}

Colour WordMarks::colour(std::size_t word) const {
  return ColourScale{-1.0, 1.0, /*diverging=*/true}.of(share(word));
}

std::string place_of(const ExplainedWord& word) {
  return (word.sequence == Sequence::second ? "pair " : "") + std::to_string(word.offset.begin) +
         "-" + std::to_string(word.offset.end);
}

std::string signed_number(double value) {
  const std::string text = formatted("%+.2f", value);
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

}  // namespace headlight
