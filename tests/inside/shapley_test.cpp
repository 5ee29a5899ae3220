// Shapley values against the definition: the mean over all orders of a few words.
#include "inside/shapley.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "inside/faithfulness.h"
#include "inside/word_subsets.h"

namespace headlight::shapley_test {
namespace {

constexpr auto kNeverStopped = [] { return false; };
const ExplanationWatch kWatch{kNeverStopped, {}};

Model published(const std::string& name) {
  return load_model(
      locate_model(std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name, ""));
}

/// The mean over all n! orders of what each word changes: [word][label].
std::vector<std::vector<double>> by_definition(const Classifier& classifier,
                                               const TextInput& input) {
  const auto words = split_words(input);
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t c = classifier.labels().names.size();
  std::vector<std::vector<double>> sums(words.size(), std::vector<double>(c, 0.0));
  ScoringScratch scratch;
  std::map<KeptWords, std::vector<float>> known;
  const auto logits_of = [&](const KeptWords& kept) -> const std::vector<float>& {
    const auto found = known.find(kept);
    if (found != known.end()) return found->second;
    const TextInput text = text_with(words, input, kept);
    return known[kept] = classifier.classify({&text, 1}, scratch).at(0).logits;
  };
  double orders = 0.0;
  do {
    KeptWords kept(words.size(), false);
    for (const std::size_t word : order) {
      const auto before = logits_of(kept);
      kept[word] = true;
      const auto& after = logits_of(kept);
      for (std::size_t label = 0; label < c; ++label) {
        sums[word][label] += static_cast<double>(after[label]) - static_cast<double>(before[label]);
      }
    }
    orders += 1.0;
  } while (std::next_permutation(order.begin(), order.end()));
  for (auto& word : sums) {
    for (double& sum : word) sum /= orders;
  }
  return sums;
}

Explanation explained(const Classifier& classifier, const TextInput& input,
                      const ShapleyOptions& options = {}) {
  auto explanation = explain_by_shapley(classifier, input, options, kWatch);
  REQUIRE(explanation);
  return std::move(*explanation);
}

TEST_CASE("few words have exact values, in texts and pairs") {
  const Model model = published("bert-three-labels");
  const Classifier classifier(model, {});
  const TextInput inputs[] = {{"a b ab a [MASK]", {}, {}}, {"a b", "b ab a", {}}, {"a", {}, {}}};
  for (const TextInput& input : inputs) {
    CAPTURE(input.text);
    const Explanation found = explained(classifier, input);
    CHECK(found.method == ExplanationMethod::shapley);
    CHECK(found.sampling->exact);
    const auto expected = by_definition(classifier, input);
    REQUIRE(found.words.size() == expected.size());
    for (std::size_t word = 0; word < expected.size(); ++word) {
      for (std::size_t label = 0; label < expected[word].size(); ++label) {
        CHECK(static_cast<double>(found.words[word].effect[label]) ==
              doctest::Approx(expected[word][label]).epsilon(1e-5));
        CHECK(found.words[word].standard_error[label] == 0.0F);
      }
    }
  }
}

TEST_CASE("sampled values are within their errors, add up, and depend on the seed alone") {
  const Model model = published("bert-three-labels");
  const Classifier classifier(model, {});
  const TextInput input{"a b ab a [MASK] É b ab", {}, {}};
  const auto expected = by_definition(classifier, input);
  const Explanation exact = explained(classifier, input);
  double worst = 0.0;
  for (const std::uint64_t seed : {0, 1, 2}) {
    const ShapleyOptions options{.samples = 32, .seed = seed};
    const Explanation found = explained(classifier, input, options);
    CHECK_FALSE(found.sampling->exact);
    CHECK(found.sampling->orders <= 32);
    const Explanation again = explained(classifier, input, options);
    bool other = false;
    for (std::size_t label = 0; label < 3; ++label) {
      double sum = 0.0;
      double whole = 0.0;
      for (std::size_t word = 0; word < expected.size(); ++word) {
        const double effect = found.words[word].effect[label];
        const double error = found.words[word].standard_error[label];
        CHECK(found.words[word].effect == again.words[word].effect);
        if (effect != static_cast<double>(exact.words[word].effect[label])) other = true;
        CHECK(std::abs(effect - expected[word][label]) <= 4.0 * error + 1e-6);
        if (error > 0.0) worst = std::max(worst, std::abs(effect - expected[word][label]) / error);
        sum += effect;
        whole += expected[word][label];
      }
      CHECK(sum == doctest::Approx(whole).epsilon(1e-4));
    }
    CHECK(other);
  }
  CHECK(worst > 0.5);  // the errors are not simply large
}

TEST_CASE("sampling ends when its errors are small") {
  const Model model = published("bert-three-labels");
  const Classifier classifier(model, {});
  const TextInput input{"a b ab a [MASK] É b ab a b É ab b a ab b a b", {}, {}};
  const Explanation found = explained(classifier, input, {.samples = 16, .seed = 0});
  CHECK_FALSE(found.sampling->exact);
  CHECK(found.sampling->orders == 16);
  const Explanation enough = explained(classifier, input, {.samples = 10000, .seed = 0});
  CHECK(enough.sampling->orders > 16);
  CHECK(enough.sampling->orders < 10000);
  float largest = 0.0F;
  float worst = 0.0F;
  for (const ExplainedWord& word : enough.words) {
    for (const float effect : word.effect) largest = std::max(largest, std::abs(effect));
    for (const float error : word.standard_error) worst = std::max(worst, error);
  }
  CHECK(worst > 0.0F);
  CHECK(worst <= 0.0501F * largest);
}

TEST_CASE("two words that replace each other share what leaving out one does not show") {
  const TemporaryFolder folder;
  const Model model = published("bert-three-labels");
  const Classifier classifier(model, {});
  const Explanation found = explained(classifier, {"a a", {}, {}});
  ScoringScratch scratch;
  const TextInput none{"", {}, {}};
  const auto empty = classifier.classify({&none, 1}, scratch).at(0).logits;
  for (std::size_t label = 0; label < 3; ++label) {
    CHECK(static_cast<double>(found.words[0].effect[label]) +
              static_cast<double>(found.words[1].effect[label]) ==
          doctest::Approx(static_cast<double>(found.prediction.logits[label]) -
                          static_cast<double>(empty[label]))
              .epsilon(1e-4));
  }
}

TEST_CASE("of a text that is cut, the words that are read have their values alone, the others 0") {
  const Model model = published("bert-three-labels");
  ClassifierOptions options;
  options.max_length = 8;  // "ab" is two tokens
  const Classifier classifier(model, options);
  const Explanation read = explained(classifier, {"a b ab a b", {}, {}});
  const Explanation cut = explained(classifier, {"a b ab a b ab [MASK] ab a b a", {}, {}});
  CHECK(cut.sampling->exact);
  CHECK(cut.prediction.truncated == 8);
  REQUIRE(cut.words.size() == 11);
  for (std::size_t word = 0; word < 11; ++word) {
    const bool is_read = word < 5;
    CHECK(cut.words[word].effect == (is_read ? read.words[word].effect : std::vector(3, 0.0F)));
    CHECK(cut.words[word].standard_error == std::vector(3, 0.0F));
  }
  CHECK(order_of_words(cut) == order_of_words(read));
}

TEST_CASE("a text that needs words cannot have values, and a stop ends the run") {
  const TemporaryFolder folder;
  const Model lexicon = lexicon_model(folder);
  const Classifier classifier(lexicon, {});
  CHECK(error_of([&] {
          explain_by_shapley(classifier, {"good bad", {}, {}}, {}, kWatch);
        }) == "with 0 of its 2 words the text gives no tokens, so there is nothing to score");
  const Model model = published("bert-three-labels");
  const Classifier other(model, {});
  std::size_t asked = 0;
  const ExplanationWatch soon{[&] { return ++asked > 3; }, {}};
  const char* words[] = {"a", "b", "ab", "É", "[MASK]"};
  std::string text;
  for (std::size_t i = 0; i < 24; ++i) text += std::string(words[i * i % 7 % 5]) + " ";
  CHECK_FALSE(explain_by_shapley(other, {text, {}, {}}, {}, soon));
  CHECK(explained(other, {" ", {}, {}}).words.empty());
}

TEST_CASE("what was scored of the sets of a long text is said every few texts") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  const TextInput input{random_words(256, 1), {}, {}};
  std::size_t said = 0;
  std::size_t longest = 0;  // texts between two calls
  const auto scored = [&](std::size_t texts) {
    longest = std::max(longest, texts - said);
    said = texts;
  };
  const ExplanationWatch watch{kNeverStopped, scored};
  WordSubsets subsets(classifier, input, watch);
  std::vector<KeptWords> sets(40, subsets.all());
  for (std::size_t i = 0; i < sets.size(); ++i) sets[i][i] = false;
  REQUIRE(subsets.score(sets));
  CHECK(said == 40);
  CHECK(longest <= 8);
}

TEST_CASE("the number of texts is known before") {
  CHECK(shapley_texts(0, {}) == 1);
  CHECK(shapley_texts(3, {}) == 8);
  CHECK(shapley_texts(10, {}) == 1024);
  CHECK(shapley_texts(11, {}) == 2002);
  CHECK(shapley_texts(40, {.samples = 10, .seed = 0}) == 392);
}

}  // namespace
}  // namespace headlight::shapley_test
