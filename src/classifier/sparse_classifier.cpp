#include "classifier/sparse_classifier.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "classifier/text_by_text.h"
#include "text/blank_words.h"
#include "text/token_words.h"
#include "text/unicode/character_classes.h"

namespace headlight {
namespace {

std::vector<std::size_t> cuts_in(const std::u32string& text) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const bool may_cut = has_no_blanks(text[at - 1]) || has_no_blanks(text[at]);
    if (may_cut && !is_mark(text[at])) cuts.push_back(at);
  }
  return cuts;
}

std::vector<Offset> words_in(const std::u32string& text) {
  const std::vector<std::size_t> cuts = cuts_in(text);
  std::vector<Offset> words;
  for (Offset word : words_between_blanks(text)) {
    for (auto cut = std::ranges::upper_bound(cuts, word.begin);
         cut != cuts.end() && *cut < word.end; ++cut) {
      words.push_back({word.begin, *cut});
      word.begin = *cut;
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace

SparseClassifier::SparseClassifier(const Model& model, const ClassifierOptions& options)
    : model_(*model.features_as<SparseModel>()),
      finds_equal_(options.finds_equal),
      labels_(own_labels_of(model, options.activation)) {
  const ScoreActivation own = default_activation(model.description);
  if (options.activation.value_or(own) != own) {
    activation_ = options.activation;
  } else {
    temperature_ = model.calibration.temperature.value_or(1.0);
  }
}

std::vector<Prediction> SparseClassifier::classify(std::span<const TextInput> inputs,
                                                   ScoringScratch& memory,
                                                   const StopCheck& stopped) const {
  if (!memory.features) memory.features = std::make_unique<SparseScratch>();
  auto& scratch = dynamic_cast<SparseScratch&>(*memory.features);
  return text_by_text(inputs, stopped,
                      [&](const TextInput& input) { return predict(input, scratch); });
}

Prediction SparseClassifier::predict(const TextInput& input, SparseScratch& scratch) const {
  require_one_text(model_, input);
  model_.read(input.text, scratch);
  model_.score(temperature_, scratch);
  Prediction prediction;
  prediction.tokens = prediction.own = scratch.terms;
  if (finds_equal_) prediction.key = short_hash_of(input.text);
  prediction.logits.assign(scratch.logits.begin(), scratch.logits.end());
  if (!std::ranges::all_of(prediction.logits, [](float x) { return std::isfinite(x); })) {
    throw TextError("the logits are not finite");
  }
  const bool has_own = !activation_ && !scratch.probabilities.empty();
  const std::vector<double>& order = has_own ? scratch.probabilities : scratch.logits;
  prediction.best = static_cast<std::size_t>(std::ranges::max_element(order) - order.begin());
  if (has_own) {
    prediction.scores.assign(scratch.probabilities.begin(), scratch.probabilities.end());
  } else if (activation_.value_or(ScoreActivation::none) != ScoreActivation::none) {
    prediction.scores = activate_scores(*activation_, prediction.logits, 1.0);
  }
  return prediction;
}

TextReaches SparseClassifier::reach_of(const TextInput& input) const {
  TextReaches reaches;
  reaches[0].cuts = cuts_in(to_code_points(input.text));
  return reaches;
}

std::vector<WordEffect> SparseClassifier::effects_of(const TextInput& input) const {
  require_one_text(model_, input);
  const std::vector<Offset> words = words_in(to_code_points(input.text));
  auto effects = model_.effects_of(input.text, words);
  std::vector<WordEffect> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    found.push_back({words[i], std::move(effects[i])});
  }
  return found;
}

}  // namespace headlight
