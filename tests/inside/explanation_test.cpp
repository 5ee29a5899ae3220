#include "inside/explanation.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "classifier/zero_shot.h"
#include "close_to.h"

namespace headlight::explanation_test {
namespace {

using Words = std::vector<std::string>;

constexpr auto kNeverStopped = [] { return false; };

Explanation explained(const TextClassifier& classifier, const TextInput& input,
                      ExplanationOrder order = ExplanationOrder::words) {
  auto explanation = explain_by_occlusion(classifier, input, order, {kNeverStopped, {}});
  REQUIRE(explanation);
  return std::move(*explanation);
}

std::vector<float> logits_of(const TextClassifier& classifier, const TextInput& input) {
  ScoringScratch scratch;
  return classifier.classify({&input, 1}, scratch).at(0).logits;
}

TEST_CASE("words are what white space separates, with their code points") {
  struct Row {
    std::string text;
    Words words;
    std::vector<Offset> offsets;
  };
  const Row rows[] = {
      {"", {}, {}},
      {" \t\n", {}, {}},
      {"one", {"one"}, {{0, 3}}},
      {"  not\tbad,\n at all ",
       {"not", "bad,", "at", "all"},
       {{2, 5}, {6, 10}, {12, 14}, {15, 18}}},
      {"é\u3000😀\u00A0x", {"é", "😀", "x"}, {{0, 1}, {2, 3}, {4, 5}}},
      {"a\u200Bb \u2028c", {"a\u200Bb", "c"}, {{0, 3}, {5, 6}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto words = split_words({row.text, " " + row.text, {}});
    REQUIRE(words.size() == 2 * row.words.size());
    for (std::size_t i = 0; i < row.words.size(); ++i) {
      CHECK(words[i].text == row.words[i]);
      CHECK(words[i].offset == row.offsets[i]);
      CHECK(words[i].sequence == Sequence::first);
      const ExplainedWord& second = words[row.words.size() + i];
      CHECK(second.text == row.words[i]);
      CHECK(second.offset == Offset{row.offsets[i].begin + 1, row.offsets[i].end + 1});
      CHECK(second.sequence == Sequence::second);
    }
  }
  CHECK(error_of([] { split_words({"a \xFF", {}, {}}); }) == "not valid UTF-8 at byte 2");
}

TEST_CASE("effects and interactions are those that one counts by hand") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  // good bad dull: [4, 4] / 3. Without good [2, 0], without bad [0, 2], without dull [2, 2].
  const auto explanation =
      explained(classifier, {"good  bad\tdull", {}, {}}, ExplanationOrder::pairs);
  CHECK(explanation.input.text == "good bad dull");
  CHECK_FALSE(explanation.input.pair);
  const Tolerance close{.absolute = 1e-6};
  CHECK(close_to(explanation.prediction.logits, std::vector{4.0 / 3, 4.0 / 3}, close));
  const std::vector<std::vector<double>> effects = {
      {-2.0 / 3, 4.0 / 3}, {4.0 / 3, -2.0 / 3}, {-2.0 / 3, -2.0 / 3}};
  REQUIRE(explanation.words.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(close_to(explanation.words[i].effect, effects[i], close));
  }
  // dull alone [0, 0], bad alone [4, 0], good alone [0, 4].
  struct Row {
    std::size_t first;
    std::size_t second;
    std::vector<double> effect;
    std::vector<double> interaction;
  };
  const Row rows[] = {{0, 1, {4.0 / 3, 4.0 / 3}, {2.0 / 3, 2.0 / 3}},
                      {0, 2, {-8.0 / 3, 4.0 / 3}, {-4.0 / 3, 2.0 / 3}},
                      {1, 2, {4.0 / 3, -8.0 / 3}, {2.0 / 3, -4.0 / 3}}};
  REQUIRE(explanation.pairs.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const WordPair& pair = explanation.pairs[i];
    CHECK(pair.first == rows[i].first);
    CHECK(pair.second == rows[i].second);
    CHECK(close_to(pair.effect, rows[i].effect, close));
    CHECK(close_to(pair.interaction, rows[i].interaction, close));
  }
}

struct Typed {
  Words first;
  std::optional<Words> second;
};

std::string joined(const Words& words, std::size_t left_out) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != left_out) text += (text.empty() ? "" : " ") + words[i];
  }
  return text;
}

/// The text as it is scored, without the word of this number, those of the pair counted on.
TextInput without(const Typed& typed, std::size_t word) {
  TextInput input{joined(typed.first, word), {}, {}};
  if (typed.second) input.pair = joined(*typed.second, word - typed.first.size());
  return input;
}

constexpr std::size_t kNoWord = 1000;

/// Each effect is what classify() says of the two texts, bit for bit.
void check_exact(const TextClassifier& classifier, const Typed& typed) {
  const TextInput whole = without(typed, kNoWord);
  CAPTURE(whole.text);
  const auto logits = logits_of(classifier, whole);
  const Explanation explanation = explained(classifier, whole);
  CHECK(explanation.prediction.logits == logits);
  REQUIRE(explanation.words.size() ==
          typed.first.size() + (typed.second ? typed.second->size() : 0));
  for (std::size_t word = 0; word < explanation.words.size(); ++word) {
    const auto rest = logits_of(classifier, without(typed, word));
    const auto& effect = explanation.words[word].effect;
    REQUIRE(effect.size() == logits.size());
    for (std::size_t label = 0; label < logits.size(); ++label) {
      CHECK(effect[label] == logits[label] - rest[label]);
    }
  }
}

TEST_CASE("in every family an effect is the difference of two verdicts, bit for bit") {
  const std::string published = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";
  for (const std::string name :
       {"albert-one-group", "bert-three-labels", "camembert-two-labels", "distilbert-three-labels",
        "electra-narrow", "mpnet-three-labels", "roberta-three-labels", "xlm-roberta-regression"}) {
    CAPTURE(name);
    const Model model = load_model(locate_model(published + name, ""));
    const Classifier classifier(model, {});
    check_exact(classifier, {{"a", "b", "ab", "a", "[MASK]", "É"}, {}});
    check_exact(classifier, {{"a"}, {}});
    check_exact(classifier, {{"a", "ab"}, {{"b", "a"}}});
  }
}

TEST_CASE("an effect is exact where tokens see only what is before, or labels look at them") {
  const TemporaryFolder folder;
  for (const std::string name : {"causal", "label-attention", "pre-norm", "slice-heads"}) {
    CAPTURE(name);
    init_model(std::string(HEADLIGHT_SOURCE) + "/configs/" + name + ".json", folder / name, 5,
               true);
    const Model model = load_model(locate_model(folder / name, ""));
    const Classifier classifier(model, {});
    check_exact(classifier, {{"the", "film", "is", "not", "bad", "at", "all"}, {}});
  }
}

TEST_CASE("an effect is exact for scores of any kind, cut texts and many words") {
  const TemporaryFolder folder;
  const Model multi = lexicon_model(folder, R"(, "problem_type": "multi_label_classification")");
  check_exact(Classifier(multi, {}), {{"good", "bad", "good", "dull"}, {}});
  // The ninth word and those after it are cut, and come in where one before is left out.
  check_exact(Classifier(multi, {}),
              {{"good", "bad", "good", "dull", "bad", "bad", "bad", "bad", "good", "bad"}, {}});
  const Model encoder = encoder_model(folder);
  Words many;
  for (int i = 0; i < 300; ++i) many.push_back("w" + std::to_string(i * i % 50));
  check_exact(Classifier(encoder, {}), {many, {}});
}

TEST_CASE(
    "in every family an effect is exact where the text is cut, and only words read are scored") {
  const std::string published = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/";
  const char* some[] = {"a", "ab", "b", "É", "a", "[MASK]", "bab", "b"};
  Words words;
  for (std::size_t i = 0; i < 150; ++i) words.emplace_back(some[i * i % 11 % 8]);
  for (const std::string name :
       {"albert-one-group", "bert-three-labels", "camembert-two-labels", "distilbert-three-labels",
        "electra-narrow", "mpnet-three-labels", "roberta-three-labels", "xlm-roberta-regression"}) {
    CAPTURE(name);
    const Model model = load_model(locate_model(published + name, ""));
    ClassifierOptions options;
    options.max_length = 12;
    const Classifier classifier(model, options);
    check_exact(classifier, {words, {}});
    check_exact(classifier, {words, {{"b", "a"}}});
    check_exact(classifier, {{"b", "a"}, words});
    check_exact(classifier, {words, Words(words.begin(), words.begin() + 60)});
    std::size_t scored = 0;
    const auto count = [&](std::size_t texts) { scored = texts; };
    const TextInput input{joined(words, kNoWord), {}, {}};
    REQUIRE(
        explain_by_occlusion(classifier, input, ExplanationOrder::words, {kNeverStopped, count}));
    CHECK(scored <= 12);
    const auto pairs =
        explain_by_occlusion(classifier, input, ExplanationOrder::pairs, {kNeverStopped, {}});
    REQUIRE(pairs);
    CHECK(pairs->pairs.size() == (scored - 1) * (scored - 2) / 2);
    CHECK(pairs->read.size() == scored - 1);
  }
}

TEST_CASE("labels of zero-shot are explained by the logits of entailment") {
  const TemporaryFolder folder;
  const Model model = load_model(
      locate_model(std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels", ""));
  check_exact(ZeroShotClassifier(model, {}, {{"a", "b"}, "ab {}", false, "yes"}),
              {{"a", "b", "ab"}, {}});
  // "a" leaves room for 8 tokens, "b b b" for 6; a word has two.
  ClassifierOptions options;
  options.max_length = 12;
  const ZeroShotClassifier cut(model, options, {{"a", "b b b"}, "{}", false, "yes"});
  const Words words(100, "ab");
  check_exact(cut, {words, {}});
  CHECK(explained(cut, without({words, {}}, kNoWord)).read.size() == 4);
}

TEST_CASE("a text without words has no effects where it can be scored") {
  const Model model = load_model(
      locate_model(std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels", ""));
  const Classifier classifier(model, {});
  const auto explanation = explained(classifier, {" \n", {}, {}}, ExplanationOrder::pairs);
  CHECK(explanation.input.text.empty());
  CHECK(explanation.prediction.logits == logits_of(classifier, {"", {}, {}}));
  CHECK(explanation.words.empty());
  CHECK(explanation.pairs.empty());
}

TEST_CASE("what is left without a word must be something to score") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  struct Row {
    std::string text;
    ExplanationOrder order;
    std::string error;
  };
  const Row rows[] = {
      {"", ExplanationOrder::words, "gives no tokens, so there is nothing to score"},
      {"good", ExplanationOrder::words,
       "without \"good\" the text gives no tokens, so there is nothing to score"},
      {"good bad", ExplanationOrder::pairs,
       "without \"good\" and \"bad\" the text gives no tokens, so there is nothing to score"},
      {"good \xFF", ExplanationOrder::words, "not valid UTF-8 at byte 5"},
  };
  for (const auto& [text, order, error] : rows) {
    CAPTURE(text);
    CHECK(error_of([&, &text = text, &order = order] {
            explain_by_occlusion(classifier, {text, {}, {}}, order, {kNeverStopped, {}});
          }) == error);
  }
  ClassifierOptions strict;
  strict.long_texts = LongTexts::error;
  CHECK(error_of([&] {
          explain_by_occlusion(Classifier(model, strict), {"a b c d e f g h i", {}, {}},
                               ExplanationOrder::words, {kNeverStopped, {}});
        }) == "has 9 tokens, more than the 8 that can be read");
}

TEST_CASE("a run that is stopped explains nothing") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  std::size_t asked = 0;
  const auto soon = [&] { return ++asked > 3; };
  CHECK_FALSE(explain_by_occlusion(classifier, {random_words(100, 1), {}, {}},
                                   ExplanationOrder::pairs, {soon, {}}));
  CHECK(asked < 10);
}

TEST_CASE("the texts to score are one, one a word and one a pair") {
  struct Row {
    std::size_t words;
    std::size_t once;
    std::size_t twice;
  };
  const Row rows[] = {{0, 1, 1}, {1, 2, 2}, {2, 3, 4}, {5, 6, 16}, {200, 201, 20101}};
  for (const auto& [words, once, twice] : rows) {
    CHECK(occlusion_texts(words, ExplanationOrder::words) == once);
    CHECK(occlusion_texts(words, ExplanationOrder::pairs) == twice);
  }
}

}  // namespace
}  // namespace headlight::explanation_test
