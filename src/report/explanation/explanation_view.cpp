#include "report/explanation/explanation_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "inside/strongest.h"
#include "report/formats/plain_text.h"

namespace headlight {
namespace {

std::string sampling_text(const Explanation& explanation) {
  if (explanation.sampling->exact) return "effects: Shapley values, exact";
  float largest = 0.0F;
  for (const ExplainedWord& word : explanation.words) {
    for (const float error : word.standard_error) largest = std::max(largest, error);
  }
  return "effects: Shapley values from " + std::to_string(explanation.sampling->orders) +
         " sampled orders, largest standard error " + formatted("%.2g", largest);
}

}  // namespace

const std::vector<std::string> kFaithfulnessHeading = {"method", "comprehensiveness", "of best",
                                                       "sufficiency", "of best"};

PredictionView verdict_view(const LabelSet& labels) {
  constexpr std::size_t kFewLabels = 5;
  PredictionView view;
  view.logits = labels.names.size() <= kFewLabels;
  return view;
}

std::vector<std::size_t> labels_to_explain(const LabelSet& labels, const Explanation& explanation,
                                           std::size_t most) {
  const Prediction& prediction = explanation.prediction;
  if (explanation.towards) return {labels.names.size(), prediction.best, *explanation.towards};
  if (labels.problem_type != ProblemType::regression) {
    return ranked_labels(prediction, std::nullopt, most);
  }
  std::vector<std::size_t> first(std::min(labels.names.size(), most));
  std::iota(first.begin(), first.end(), std::size_t{0});
  return first;
}

std::string name_of_explained(const LabelSet& labels, const Explanation& explanation,
                              std::size_t label) {
  if (label < labels.names.size()) return labels.names[label];
  return labels.names[explanation.prediction.best] + " rather than " +
         labels.names[*explanation.towards];
}

std::string towards_text(const LabelSet& labels, const Explanation& explanation) {
  if (!explanation.towards) return "";
  const Prediction& prediction = explanation.prediction;
  const double gap = static_cast<double>(prediction.logits[prediction.best]) -
                     static_cast<double>(prediction.logits[*explanation.towards]);
  return "why not " + shown_name(labels.names[*explanation.towards]) + ": its logit is " +
         formatted("%.2f", gap) + " below that of " + shown_name(labels.names[prediction.best]);
}

double largest_effect(const Explanation& explanation, std::span<const std::size_t> labels) {
  double largest = 0.0;
  for (const ExplainedWord& word : explanation.words) {
    for (const std::size_t label : labels) {
      largest = std::max(largest, std::abs(static_cast<double>(word.effect[label])));
    }
  }
  return largest;
}

WordMarks::WordMarks(const Explanation& explanation, std::size_t label)
    : explanation_(explanation),
      label_(label),
      largest_(largest_effect(explanation, std::span(&label, 1))) {}

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

std::string method_text(const Explanation& explanation) {
  if (explanation.method == ExplanationMethod::occlusion) return "";
  if (explanation.sampling) return sampling_text(explanation);
  if (explanation.is_of_rows) {
    return "effects: exact; the words, each with its n-grams and its share of those of words, and "
           "the rest, the end of the text, add up to the logit";
  }
  if (explanation.method == ExplanationMethod::exact) {
    return "effects: exact; the words, each with its share of n-grams, and the bias add up to the "
           "logit";
  }
  if (!explanation.bias_share.empty()) {
    return "effects: layer-wise relevance; biases and special tokens have the rest of the logit";
  }
  if (!explanation.completeness) return "effects: gradient times input, summed over tokens";
  const Completeness& found = *explanation.completeness;
  return "effects: integrated gradients, " + std::to_string(found.steps) +
         " steps, completeness gap " + formatted("%.2g", found.gap) + " of a change in logits of " +
         formatted("%.2f", found.change);
}

std::string flip_text(const Explanation& explanation) {
  const Flip& flip = *explanation.flip;
  const std::string tried = "all sets of up to " + counted(flip.tried, "word");
  if (flip.words.empty()) {
    return flip.exhaustive ? "smallest change: none, no set of words changes the label"
                           : "smallest change: none found by " + tried + ", then a search";
  }
  std::string names;
  for (const std::size_t number : flip.words) {
    const ExplainedWord& word = explanation.words[number];
    names += (names.empty() ? "without \"" : ", \"") + shown_name(word.text) + '"';
    const auto same = std::ranges::count(explanation.words, word.text, &ExplainedWord::text);
    if (same > 1) names += " (" + place_of(word) + ")";
  }
  return flip.exhaustive ? "smallest change: " + names
                         : "small change, by a search after " + tried + ":\n" + names;
}

std::string effect_text(const ExplainedWord& word, std::size_t label) {
  std::string text = signed_number(word.effect[label]);
  if (!word.standard_error.empty() && word.standard_error[label] > 0.0F) {
    text += formatted(" ±%.2f", word.standard_error[label]);
  }
  return text;
}

std::vector<std::size_t> strongest_words(const Explanation& explanation, std::size_t label,
                                         std::size_t most) {
  std::vector<double> sizes;
  for (const ExplainedWord& word : explanation.words) sizes.push_back(std::abs(word.effect[label]));
  return strongest(sizes, most);
}

std::vector<std::size_t> strongest_pairs(const Explanation& explanation, std::size_t label,
                                         std::size_t most) {
  std::vector<double> sizes;
  for (const WordPair& pair : explanation.pairs) sizes.push_back(std::abs(pair.interaction[label]));
  return strongest(sizes, most);
}

std::vector<std::string> judged_row(const JudgedMethod& judged) {
  const auto share = [](const std::optional<double>& value) {
    return value ? percent(*value) : std::string("-");
  };
  const Faithfulness& found = judged.faithfulness;
  return {judged.name, decimal(found.comprehensiveness), share(found.normalized_comprehensiveness),
          decimal(found.sufficiency), share(found.normalized_sufficiency)};
}

std::string signed_number(double value) {
  const std::string text = formatted("%+.2f", value);
  return text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

}  // namespace headlight
