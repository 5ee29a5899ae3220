#include "inside/flip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "inside/word_explainer.h"

namespace headlight::flip_test {
namespace {

constexpr auto kNeverStopped = [] { return false; };

/// Verdicts at random, but always the same for a text: no set of words says anything of another.
/// The first label of the whole text is rarely lost.
class RandomVerdicts : public TextClassifier {
 public:
  RandomVerdicts(std::size_t seed, LabelSet labels) : seed_(seed), labels_(std::move(labels)) {}

  using TextClassifier::classify;
  std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& /*scratch*/,
                                   const StopCheck& stopped) const override {
    if (stopped()) return {};
    std::vector<Prediction> all;
    for (const TextInput& input : inputs) all.push_back(verdict(input));
    return all;
  }
  const LabelSet& labels() const override { return labels_; }

 private:
  Prediction verdict(const TextInput& input) const {
    Prediction prediction;
    if (input.text.empty() && !input.pair) {
      prediction.error = "gives no tokens";
      return prediction;
    }
    std::size_t state = seed_;
    for (const char c : input.text + '|' + input.pair.value_or("")) {
      state = (state ^ static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15U;
      state ^= state >> 29U;
    }
    for (std::size_t i = 0; i < labels_.names.size(); ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const double random = static_cast<double>(state >> 40U) / static_cast<double>(1U << 24U);
      // A grid, so that some margins are equal.
      prediction.logits.push_back(static_cast<float>(std::floor(random * 8.0) / 2.0 - 4.0));
    }
    prediction.logits[0] += 3.0F;
    if (labels_.probabilities) {
      prediction.scores = activate_scores(ScoreActivation::sigmoid, prediction.logits);
    }
    prediction.best = static_cast<std::size_t>(std::ranges::max_element(prediction.logits) -
                                               prediction.logits.begin());
    return prediction;
  }

  std::size_t seed_;
  LabelSet labels_;
};

const LabelSet kOneOfThree = {{"a", "b", "c"}, ProblemType::single_label, false, {}};
const LabelSet kSeveral = {{"a", "b"}, ProblemType::multi_label, true, {0.2F, 0.7F}};

Prediction prediction_of(const TextClassifier& classifier, const TextInput& input) {
  ScoringScratch scratch;
  return classifier.classify({&input, 1}, scratch).at(0);
}

/// The text without the words of the set bits.
TextInput without(const TextInput& input, std::size_t bits) {
  const auto words = split_words(input);
  WordNumbers rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (((bits >> i) & 1U) == 0) rest.push_back(i);
  }
  return text_of(words, input, rest);
}

std::vector<bool> given(const LabelSet& labels, const Prediction& prediction) {
  std::vector<bool> all;
  for (std::size_t i = 0; i < labels.names.size(); ++i) {
    all.push_back(labels.problem_type == ProblemType::multi_label
                      ? prediction.scores[i] >= labels.threshold(i)
                      : i == prediction.best);
  }
  return all;
}

bool flips(const TextClassifier& classifier, const TextInput& input, std::size_t bits) {
  const Prediction rest = prediction_of(classifier, without(input, bits));
  const Prediction whole = prediction_of(classifier, without(input, 0));
  return rest.error.empty() &&
         given(classifier.labels(), rest) != given(classifier.labels(), whole);
}

/// The margin by its definition, where no probability is near 0 or 1.
double margin_of(const TextClassifier& classifier, const TextInput& input, std::size_t bits) {
  const LabelSet& labels = classifier.labels();
  const Prediction rest = prediction_of(classifier, without(input, bits));
  const Prediction whole = prediction_of(classifier, without(input, 0));
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < labels.names.size(); ++i) {
    if (labels.problem_type == ProblemType::multi_label) {
      const double p = rest.scores[i];
      const double t = labels.threshold(i);
      const double beyond = std::log(p * (1.0 - t) / ((1.0 - p) * t));
      most = std::max(most, whole.scores[i] >= labels.threshold(i) ? -beyond : beyond);
    } else if (i != whole.best) {
      most = std::max<double>(most, rest.logits[i] - rest.logits[whole.best]);
    }
  }
  return most;
}

std::size_t bits_of(const WordNumbers& words) {
  std::size_t bits = 0;
  for (const std::size_t word : words) bits |= std::size_t{1} << word;
  return bits;
}

WordNumbers words_of(std::size_t bits) {
  WordNumbers words;
  for (std::size_t i = 0; i < 64; ++i) {
    if (((bits >> i) & 1U) != 0) words.push_back(i);
  }
  return words;
}

/// From all 2^n sets; empty: none flips.
WordNumbers best_of_all(const TextClassifier& classifier, const TextInput& input) {
  const std::size_t n = split_words(input).size();
  WordNumbers best;
  for (std::size_t bits = 1; bits < (std::size_t{1} << n); ++bits) {
    if (!flips(classifier, input, bits)) continue;
    const WordNumbers words = words_of(bits);
    if (!best.empty() && words.size() > best.size()) continue;
    if (!best.empty() && words.size() == best.size()) {
      const double margin = margin_of(classifier, input, bits);
      const double known = margin_of(classifier, input, bits_of(best));
      if (std::abs(margin - known) < 1e-6 ? words > best : margin < known) continue;
    }
    best = words;
  }
  return best;
}

Flip found(const TextClassifier& classifier, const TextInput& input,
           const FlipLimits& limits = {}) {
  const auto flip = find_flip(classifier, input, prediction_of(classifier, without(input, 0)),
                              {kNeverStopped, {}}, limits);
  REQUIRE(flip);
  return *flip;
}

/// The answer is what the classifier says of the text without the words.
void check_again(const TextClassifier& classifier, const TextInput& input, const Flip& flip) {
  if (flip.words.empty()) return;
  CHECK(flip.input.text == without(input, bits_of(flip.words)).text);
  CHECK(flip.input.pair == without(input, bits_of(flip.words)).pair);
  CHECK(flip.prediction.logits == prediction_of(classifier, flip.input).logits);
  CHECK(flips(classifier, input, bits_of(flip.words)));
}

const TextInput kInputs[] = {{"one two three four five six seven eight", {}, {}},
                             {"a b a b a b a", {}, {}},  // words that repeat
                             {"one two three", "four five two", {}},
                             {"one", "", {}},
                             {"", {}, {}}};

TEST_CASE("the smallest change is that of a try of all sets, the one of the largest margin") {
  std::map<std::size_t, std::size_t> sizes;
  for (const LabelSet& labels : {kOneOfThree, kSeveral}) {
    for (std::size_t seed = 0; seed < 40; ++seed) {
      const RandomVerdicts classifier(seed, labels);
      for (const TextInput& input : kInputs) {
        CAPTURE(seed);
        CAPTURE(input.text);
        const auto whole = prediction_of(classifier, without(input, 0));
        if (!whole.error.empty()) continue;
        const Flip flip = found(classifier, input);
        CHECK(flip.words == best_of_all(classifier, input));
        CHECK(flip.exhaustive);
        check_again(classifier, input, flip);
        ++sizes[flip.words.size()];
      }
    }
  }
  CHECK(sizes[0] > 10);
  CHECK(sizes[1] > 10);
  CHECK(sizes[2] > 10);
}

TEST_CASE("a search says that it is one, is minimal, and never smaller than a try of all sets") {
  std::size_t searched = 0;
  std::size_t equal = 0;
  for (const LabelSet& labels : {kOneOfThree, kSeveral}) {
    for (std::size_t seed = 0; seed < 40; ++seed) {
      const RandomVerdicts classifier(seed, labels);
      for (const TextInput& input : {kInputs[0], kInputs[1], kInputs[2]}) {
        const std::size_t n = split_words(input).size();
        CAPTURE(seed);
        CAPTURE(input.text);
        const Flip all = found(classifier, input);
        const Flip flip = found(classifier, input, {.tried = n, .searched = 5000});
        CHECK(flip.tried == 1);
        check_again(classifier, input, flip);
        if (all.words.size() < 2) {
          CHECK(flip.words == all.words);
          CHECK(flip.exhaustive == !all.words.empty());
          continue;
        }
        ++searched;
        CHECK_FALSE(flip.exhaustive);
        if (flip.words.empty()) continue;  // nothing leads to verdicts at random
        REQUIRE(flip.words.size() >= all.words.size());
        for (const std::size_t word : flip.words) {
          CHECK_FALSE(flips(classifier, input, bits_of(flip.words) & ~(std::size_t{1} << word)));
        }
        if (flip.words.size() == all.words.size()) ++equal;
      }
    }
  }
  CHECK(searched > 30);
  CHECK(equal > searched / 2);
}

TEST_CASE("a search puts back what its beam did not need") {
  // Only without both "y" and "z" is it the other label; without "m" and "n" it looks closer.
  class Both : public RandomVerdicts {
   public:
    Both() : RandomVerdicts(0, kOneOfThree) {}
    std::vector<Prediction> classify(std::span<const TextInput> inputs, ScoringScratch& /*scratch*/,
                                     const StopCheck& /*stopped*/) const override {
      std::vector<Prediction> all;
      for (const TextInput& input : inputs) {
        const auto has = [&](char word) { return input.text.find(word) != std::string::npos; };
        const bool without_both = !has('y') && !has('z');
        const float near = (has('m') ? 0.0F : 1.0F) + (has('n') ? 0.0F : 0.5F);
        Prediction& prediction = all.emplace_back();
        prediction.logits = {2.0F, without_both ? 3.0F : near, 0.0F};
        prediction.best = without_both ? 1 : 0;
      }
      return all;
    }
  };
  const Both classifier;
  const TextInput input{"b c d e f g h i j k l m n y z", {}, {}};
  const Flip flip = found(classifier, input, {.tried = 15, .searched = 5000});
  CHECK(flip.words == WordNumbers{13, 14});
  CHECK_FALSE(flip.exhaustive);
  CHECK(found(classifier, input).exhaustive);
}

TEST_CASE("of a cut text only words that are read are left out, and others come in") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);  // reads 8 words
  const Classifier classifier(model, {});
  const TextInput input{"good good bad bad bad good good good bad bad", {}, {}};
  // 5 good, 3 bad. Without one good, a bad one comes in: 4 and 4, the lower label.
  const Flip flip = found(classifier, input);
  CHECK(flip.words == WordNumbers{0});
  CHECK(flip.input.text == "good bad bad bad good good good bad bad");
  CHECK(flip.prediction.truncated == 1);
  CHECK(flip.prediction.best == 0);
  check_again(classifier, input, flip);
}

TEST_CASE("what no removal changes has no words, and a text without tokens has no verdict") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  const Flip all = found(classifier, {"good good good", {}, {}});
  CHECK(all.words.empty());
  CHECK(all.exhaustive);
  const Flip some = found(classifier, {"good good good", {}, {}}, {.tried = 3, .searched = 3});
  CHECK(some.words.empty());
  CHECK_FALSE(some.exhaustive);
  const LabelSet regression = {{"score"}, ProblemType::regression, true, {}};
  const LabelSet one = {{"a"}, ProblemType::single_label, true, {}};
  const LabelSet all_given = {{"a", "b"}, ProblemType::multi_label, false, {}};
  for (const LabelSet& labels : {regression, one, all_given}) CHECK_FALSE(can_flip(labels));
  CHECK(can_flip(kOneOfThree));
  CHECK(can_flip(kSeveral));
}

TEST_CASE("the number of texts is known before, at most, and a stop ends the search") {
  // 2^12 - 1 sets; 30 + 435 + 4060 of 30 words, and so on.
  CHECK(flip_texts(0) == 1);
  CHECK(flip_texts(12) == 4095 + 1);
  CHECK(flip_texts(30) == 4525 + 5000 + 1);
  CHECK(flip_texts(99) == 4950 + 5000 + 1);
  CHECK(flip_texts(100) == 100 + 5000 + 1);
  CHECK(flip_texts(100'000) == 100'000 + 5000 + 1);
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  for (const std::size_t words : {3U, 14U, 40U}) {
    const FlipLimits limits{.tried = 100, .searched = 200};
    const Classifier classifier(model, {});
    const TextInput input{random_words(words, words), {}, {}};
    std::size_t scored = 0;
    const auto count = [&](std::size_t texts) {
      CHECK(texts > scored);
      scored = texts;
    };
    const Prediction whole = prediction_of(classifier, input);
    const auto flip = find_flip(classifier, input, whole, {kNeverStopped, count}, limits);
    REQUIRE(flip);
    CHECK(scored <= flip_texts(words, limits));
    CHECK_FALSE(find_flip(classifier, input, whole, {[] { return true; }, {}}, limits));
  }
}

TEST_CASE("every method can add the smallest change, and counts its texts") {
  const Model model = load_model(
      locate_model(std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels", ""));
  const TextInput input{"a b ab a [MASK] bab b ab É", {}, {}};
  for (const auto& [name, method] : kExplanationMethods) {
    CAPTURE(name);
    if (method == ExplanationMethod::exact) continue;  // this model has layers
    WordExplaining how;
    how.method = method;
    const std::size_t plain = texts_to_score(how, 9);
    how.flip = true;
    CHECK(texts_to_score(how, 9) == plain + flip_texts(9));
    const WordExplainer explainer(std::make_unique<Classifier>(model, ClassifierOptions()), how);
    std::size_t scored = 0;
    const auto explanation =
        explainer.explain(input, {kNeverStopped, [&](std::size_t texts) { scored = texts; }});
    REQUIRE(explanation);
    REQUIRE(explanation->flip);
    CHECK(scored > plain);
    CHECK(scored <= texts_to_score(how, 9));
    CHECK(explanation->flip->words == best_of_all(Classifier(model, {}), input));
  }
}

}  // namespace
}  // namespace headlight::flip_test
