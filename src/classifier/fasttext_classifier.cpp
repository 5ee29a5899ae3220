#include "classifier/fasttext_classifier.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"
#include "classifier/text_by_text.h"

namespace headlight {

std::string fasttext_prefix(const FasttextModel& model, const std::vector<std::string>& names) {
  if (!model.is_supervised()) return "";
  const std::string_view whole = model.dictionary().label(0);
  return std::string(whole.substr(0, whole.size() - names.front().size()));
}

FasttextClassifier::FasttextClassifier(const Model& model, const ClassifierOptions& options)
    : model_(*model.features_as<FasttextModel>()),
      options_(options),
      labels_(own_labels_of(model, options.activation)),
      activation_(options.activation) {
  const ScoreActivation own = default_activation(model.description);
  if (activation_.value_or(own) != own) return;
  activation_.reset();
  if (!model.calibration.temperature) return;
  activation_ = own;
  temperature_ = *model.calibration.temperature;
}

std::vector<Prediction> FasttextClassifier::classify(std::span<const TextInput> inputs,
                                                     ScoringScratch& /*scratch*/,
                                                     const StopCheck& stopped) const {
  FasttextScratch scratch;
  return text_by_text(inputs, stopped,
                      [&](const TextInput& input) { return predict(input, scratch); });
}

Prediction FasttextClassifier::predict(const TextInput& input, FasttextScratch& scratch) const {
  Prediction prediction;
  static_cast<TextSize&>(prediction) = read_fasttext(model_, options_, input, scratch);
  prediction.no_label = scratch.rows.empty();
  if (!model_.average(scratch)) throw TextError("has a row of the model that is not finite");
  FasttextScores& scores = scratch.scores;
  const bool all = !options_.only_ranked || activation_;
  model_.scorer().score(scratch.mean, options_.most_ranked, all, scores);
  if (scores.printed.empty()) throw TextError("the logits are not finite");
  prediction.logits = scores.logits;
  if (scores.ranked.empty() || activation_) {
    const auto best = std::ranges::max_element(scores.logits) - scores.logits.begin();
    prediction.best = static_cast<std::size_t>(best);
  }
  if (activation_) {
    if (activation_ != ScoreActivation::none) {
      prediction.scores = activate_scores(*activation_, scores.logits, temperature_);
    }
    return prediction;
  }
  prediction.scores = scores.printed;
  prediction.ranked = scores.ranked;
  prediction.ranked_for = options_.most_ranked;
  if (!scores.ranked.empty()) prediction.best = scores.ranked.front();
  return prediction;
}

bool FasttextClassifier::adds_words() const {
  return model_.settings().loss != FasttextLoss::hierarchical_softmax;
}

std::vector<WordEffect> FasttextClassifier::effects_of(const TextInput& input) const {
  FasttextScratch scratch;
  read_fasttext(model_, options_, input, scratch);
  const std::size_t d = model_.input().width();
  const std::size_t words = scratch.words.size() - 1;  // not the end
  const auto share = 1.0F / static_cast<float>(std::max<std::size_t>(scratch.rows.size(), 1));
  std::vector<std::vector<float>> sums(words, std::vector<float>(d));
  for (std::size_t i = 0; i < words; ++i) {
    model_.words().visit_word(input.text, scratch.words[i],
                              [&](std::optional<std::uint32_t> row, auto... /*place*/) {
                                if (row) model_.input().add_row(*row, sums[i].data());
                              });
  }
  model_.words().visit_phrases(
      scratch.words, [&](std::optional<std::uint32_t> row, std::size_t first, std::size_t last) {
        if (!row) return;
        std::vector<float> phrase(d);
        model_.input().add_row(*row, phrase.data());
        const auto each = 1.0F / static_cast<float>(last - first + 1);
        for (std::size_t i = first; i <= last && i < words; ++i) {
          for (std::size_t j = 0; j < d; ++j) sums[i][j] += each * phrase[j];
        }
      });
  const std::vector<std::size_t> characters = characters_of_bytes(input.text);
  std::vector<WordEffect> effects(words);
  for (std::size_t i = 0; i < words; ++i) {
    effects[i].offset = {characters[scratch.words[i].begin], characters[scratch.words[i].end]};
    for (float& x : sums[i]) x *= share;
    model_.scorer().multiply(sums[i], effects[i].effect);
  }
  return effects;
}

}  // namespace headlight
