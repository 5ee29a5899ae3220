// Faithfulness against all orders of a few words.
#include "inside/faithfulness.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "inside/word_explainer.h"

namespace headlight::faithfulness_test {
namespace {

const ExplanationWatch kWatch{[] { return false; }, {}};

Model published() {
  return load_model(
      locate_model(std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels", ""));
}

double probability(const Classifier& classifier, const std::vector<ExplainedWord>& words,
                   const TextInput& like, const KeptWords& kept, std::size_t label) {
  ScoringScratch scratch;
  const TextInput text = text_with(words, like, kept);
  return classifier.classify({&text, 1}, scratch).at(0).scores[label];
}

/// Both measures of one order, from the definition.
Faithfulness by_definition(const Classifier& classifier, const TextInput& input,
                           const WordOrder& order) {
  const auto words = split_words(input);
  const KeptWords all(words.size(), true);
  ScoringScratch scratch;
  const std::size_t label = classifier.classify({&input, 1}, scratch).at(0).best;
  const double whole = probability(classifier, words, input, all, label);
  Faithfulness found;
  for (const double share : {0.1, 0.2, 0.3, 0.4, 0.5}) {
    const auto count =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(words.size()) - 1e-9));
    KeptWords kept(words.size(), false);
    for (std::size_t i = 0; i < count; ++i) kept[order[i]] = true;
    found.sufficiency += (whole - probability(classifier, words, input, kept, label)) / 5;
    kept.flip();
    found.comprehensiveness += (whole - probability(classifier, words, input, kept, label)) / 5;
  }
  return found;
}

TEST_CASE("both measures are those of the definition") {
  const Model model = published();
  const Classifier classifier(model, {});
  const TextInput input{"a b ab É [MASK] b", {}, {}};
  WordOrder order(6);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<WordOrder> orders;
  std::vector<Faithfulness> expected;
  do {
    orders.push_back(order);
    expected.push_back(by_definition(classifier, input, order));
    for (int i = 0; i < 20; ++i) std::next_permutation(order.begin(), order.end());
  } while (orders.size() < 34);
  WordSubsets subsets(classifier, input, kWatch);
  const auto found = faithfulness_of(subsets, orders);
  REQUIRE(found);
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const Faithfulness& own = (*found)[i];
    CHECK(own.comprehensiveness == doctest::Approx(expected[i].comprehensiveness).epsilon(1e-6));
    CHECK(own.sufficiency == doctest::Approx(expected[i].sufficiency).epsilon(1e-6));
    CHECK(*own.normalized_comprehensiveness >= 0.0);
    CHECK(*own.normalized_comprehensiveness <= 1.0);
  }
}

TEST_CASE("over all orders of a short text, the best has 1 and the worst 0") {
  const Model model = published();
  const Classifier classifier(model, {});
  const TextInput input{"a b ab É [MASK]", {}, {}};
  WordOrder order(5);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<WordOrder> orders;
  do {
    orders.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  WordSubsets together(classifier, input, kWatch);
  const auto all = faithfulness_of(together, orders);
  REQUIRE(all);
  double best = 0.0;
  double worst = 1.0;
  double enough = 0.0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    // Alone, an order is measured against orders that were searched, not given.
    WordSubsets subsets(classifier, input, kWatch);
    const auto alone = faithfulness_of(subsets, std::span(orders).subspan(i, 1));
    REQUIRE(alone);
    CHECK(*alone->front().normalized_comprehensiveness ==
          doctest::Approx(*(*all)[i].normalized_comprehensiveness));
    CHECK(*alone->front().normalized_sufficiency ==
          doctest::Approx(*(*all)[i].normalized_sufficiency));
    best = std::max(best, *alone->front().normalized_comprehensiveness);
    worst = std::min(worst, *alone->front().normalized_comprehensiveness);
    enough = std::max(enough, *alone->front().normalized_sufficiency);
  }
  CHECK(best == 1.0);
  CHECK(worst == 0.0);
  CHECK(enough == 1.0);
}

TEST_CASE("words are ordered by their support of the predicted label") {
  Explanation explanation;
  explanation.read = {0, 1, 2, 3};
  explanation.prediction.best = 1;
  for (const float effect : {0.5F, -1.0F, 2.0F, 0.5F}) {
    explanation.words.push_back({"w", {}, Sequence::first, {-effect, effect}});
  }
  CHECK(order_of_words(explanation) == WordOrder{2, 0, 3, 1});
}

TEST_CASE("one word has no order, and means are over those that have a measure") {
  const Model model = published();
  const Classifier classifier(model, {});
  const TextInput one{"a", {}, {}};
  WordSubsets subsets(classifier, one, kWatch);
  CHECK(error_of([&] { faithfulness_of(subsets, {}); }) ==
        "has fewer than 2 words, whose order cannot be judged");
  const Faithfulness all[] = {{0.5, 0.25, 1.0, std::nullopt}, {0.25, 0.75, 0.5, std::nullopt}};
  const Faithfulness mean = mean_faithfulness(all);
  CHECK(mean.comprehensiveness == 0.375);
  CHECK(mean.sufficiency == 0.5);
  CHECK(mean.normalized_comprehensiveness == 0.75);
  CHECK_FALSE(mean.normalized_sufficiency);
  CHECK(random_orders(9) == random_orders(9));
}

TEST_CASE("a word explainer judges its own method first, then the others that the model has") {
  const Model model = published();
  WordExplaining how;
  how.method = ExplanationMethod::gradient;
  how.faithfulness = true;
  CHECK(texts_to_score(how, 3) == 1);
  CHECK(texts_named(how) == "each whole text");
  const WordExplainer explainer(std::make_unique<Classifier>(model, ClassifierOptions()), how);
  const auto explanation = explainer.explain({"a b a", {}, {}}, kWatch);
  REQUIRE(explanation);
  std::vector<std::string> names;
  for (const JudgedMethod& judged : explanation->faithfulness) names.push_back(judged.name);
  CHECK(names == std::vector<std::string>{"gradient", "occlusion", "shapley",
                                          "integrated-gradients", "lrp", "random"});
}

}  // namespace
}  // namespace headlight::faithfulness_test
