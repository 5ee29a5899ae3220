#include "classifier/zero_shot.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "close_to.h"
#include "model/init.h"

namespace headlight::zero_shot_test {
namespace {

using Labels = std::vector<std::string>;

/// A random encoder of pairs, [CLS] A [SEP] B [SEP] in two segments, of at most 12 tokens.
Model nli_model(const TemporaryFolder& folder, const std::string& labels,
                const std::string& fields = "") {
  const std::string config = folder.write("nli.json", R"({"model_type": "headlight",
      "vocab_size": 12, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
      "type_vocab_size": 2, "max_position_embeddings": 12, "pooling": "cls",
      "tokenizer": {"vocabulary": ["[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "about", "not", "cats",
                    "dogs", ".", "food"]}, "id2label": )" +
                                                          labels + fields + "}");
  init_model(config, folder / "nli", 3, true);
  return load_model(locate_model(folder / "nli", ""));
}

const std::string kNli = R"(["contradiction", "neutral", "entailment"])";
const ZeroShotTask kAnimals{{"cats", "dogs", "not food"}, "about {}."};

Prediction judged(const ZeroShotClassifier& classifier, const std::string& text) {
  const TextInput input{text, {}, {}};
  ScoringScratch scratch;
  return classifier.classify({&input, 1}, scratch).at(0);
}

/// The model's logits for a text and a sentence.
std::vector<float> pair_logits(const Model& model, const std::string& text,
                               const std::string& sentence) {
  const TextInput input{text, sentence, {}};
  ScoringScratch scratch;
  return Classifier(model, {}).classify({&input, 1}, scratch).at(0).logits;
}

struct Expected {
  std::vector<float> logits;
  std::vector<double> over_labels;  // softmax of the entailment logits
  std::vector<double> alone;        // of contradiction and entailment
};

/// The same from the model's logits for each pair.
Expected expected(const Model& model, const std::string& text, const ZeroShotTask& task,
                  std::size_t contradiction, std::size_t entailment) {
  Expected result;
  double sum = 0.0;
  for (const auto& label : task.candidates) {
    const auto logits = pair_logits(model, text, "about " + label + ".");
    result.logits.push_back(logits[entailment]);
    const double entailed = std::exp(static_cast<double>(logits[entailment]));
    const double contradicted = std::exp(static_cast<double>(logits[contradiction]));
    result.over_labels.push_back(entailed);
    result.alone.push_back(entailed / (entailed + contradicted));
    sum += entailed;
  }
  for (double& score : result.over_labels) score /= sum;
  return result;
}

TEST_CASE("a text is judged by what its pairs with the hypotheses entail") {
  const TemporaryFolder folder;
  const Model model = nli_model(folder, kNli);
  ZeroShotTask each = kAnimals;
  each.multi_label = true;
  ZeroShotTask one = kAnimals;
  one.candidates = {"dogs"};
  const ZeroShotClassifier over_labels(model, {}, kAnimals);
  const ZeroShotClassifier alone(model, {}, each);
  const ZeroShotClassifier single(model, {}, one);
  CHECK(over_labels.labels().names == kAnimals.candidates);
  CHECK(over_labels.labels().problem_type == ProblemType::single_label);
  CHECK(alone.labels().problem_type == ProblemType::multi_label);
  for (const std::string text : {"", "a", "cats b", "a c food ."}) {
    CAPTURE(text);
    const Expected naive = expected(model, text, kAnimals, 0, 2);
    const Prediction prediction = judged(over_labels, text);
    CHECK(prediction.error.empty());
    CHECK(prediction.logits == naive.logits);
    CHECK(close_to(prediction.scores, naive.over_labels, {.relative = 1e-6}));
    CHECK(judged(alone, text).logits == naive.logits);
    CHECK(close_to(judged(alone, text).scores, naive.alone, {.relative = 1e-6}));
    CHECK(close_to(judged(single, text).scores, std::vector{naive.alone[1]}, {.relative = 1e-6}));
  }
}

TEST_CASE("the best label has the highest score, which need not be the highest logit") {
  const TemporaryFolder folder;
  const Model model = nli_model(folder, kNli);
  ZeroShotTask each = kAnimals;
  each.multi_label = true;
  const ZeroShotClassifier classifier(model, {}, each);
  std::size_t apart = 0;
  for (const std::string word : {"a", "b", "c", "about", "not", "cats", "dogs", ".", "food"}) {
    const Prediction prediction = judged(classifier, word);
    for (std::size_t label = 0; label < prediction.scores.size(); ++label) {
      CHECK(prediction.scores[label] <= prediction.scores[prediction.best]);
      if (prediction.logits[label] > prediction.logits[prediction.best]) ++apart;
    }
  }
  CHECK(apart > 0);
}

TEST_CASE("entailment is the wanted label, else the first of that name") {
  struct Row {
    Labels labels;
    std::string wanted;
    EntailmentLabels found;
  };
  const Row rows[] = {
      {{"contradiction", "neutral", "entailment"}, "", {2, 0}},
      {{"ENTAILMENT", "NEUTRAL", "CONTRADICTION"}, "", {0, 2}},
      {{"contradiction", "Entails", "entailment"}, "", {1, 0}},
      {{"contradiction", "Entails", "entailment"}, "entailment", {2, 0}},
      {{"not_entailment", "entailment"}, "", {1, 0}},
      {{"entailment", "not_entailment"}, "", {0, 1}},
      {{"LABEL_0", "LABEL_1", "LABEL_2"}, "LABEL_1", {1, 0}},
      {{"LABEL_0", "LABEL_1", "LABEL_2"}, "LABEL_0", {0, 2}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.labels[0]);
    CAPTURE(row.wanted);
    const auto roles = find_entailment(row.labels, row.wanted);
    REQUIRE(roles);
    CHECK(roles->entailment == row.found.entailment);
    CHECK(roles->contradiction == row.found.contradiction);
  }
  const auto guess = find_entailment({"LABEL_0", "LABEL_1", "LABEL_2"});
  REQUIRE(guess);
  CHECK(guess->entailment == 2);
  CHECK(guess->contradiction == 0);
  CHECK(guess->guessed);
  CHECK_FALSE(find_entailment({"LABEL_0", "LABEL_1", "neutral"}));
  CHECK_FALSE(find_entailment({"no entailment", "entai"}));
  CHECK_FALSE(find_entailment({"no", "entailment"}, "yes"));
}

TEST_CASE("entailment that comes first is weighed against the last label") {
  const TemporaryFolder folder;
  const Model model = nli_model(folder, R"(["entailment", "neutral", "contradiction"])");
  ZeroShotTask each = kAnimals;
  each.multi_label = true;
  const Expected naive = expected(model, "a b", kAnimals, 2, 0);
  const Prediction prediction = judged(ZeroShotClassifier(model, {}, each), "a b");
  CHECK(prediction.logits == naive.logits);
  CHECK(close_to(prediction.scores, naive.alone, {.relative = 1e-6}));
}

TEST_CASE("of a long text the premise is cut, and the longest pair is told") {
  const TemporaryFolder folder;
  const Model model = nli_model(folder, kNli);
  const ZeroShotClassifier classifier(model, {}, kAnimals);
  // [CLS] 8 [SEP] about cats . [SEP] is 14 of 12 tokens, and "not food" is one more.
  const Prediction prediction = judged(classifier, "a b c a b c a b");
  CHECK(prediction.tokens == 12);
  CHECK(prediction.truncated == 3);
  const Prediction fitting = judged(classifier, "a b c a b");
  CHECK(fitting.truncated == 0);
  CHECK(fitting.tokens == 12);
  CHECK(prediction.logits[2] == fitting.logits[2]);
  CHECK(prediction.logits[0] == pair_logits(model, "a b c a b c", "about cats.")[2]);
  ClassifierOptions strict;
  strict.long_texts = LongTexts::error;
  CHECK(judged(ZeroShotClassifier(model, strict, kAnimals), "a b c a b c a b").error ==
        "has 14 tokens, more than the 12 that can be read");
}

TEST_CASE("a text that cannot be scored has the error of its pair, and its neighbours none") {
  const TemporaryFolder folder;
  const Model model = nli_model(folder, kNli);
  const ZeroShotClassifier classifier(model, {}, {{"cats", "a b c a b c a b c"}, "about {}."});
  const std::vector<TextInput> inputs = {{"a", {}, {}}, {"a \xFF", {}, {}}};
  ScoringScratch scratch;
  const auto predictions = classifier.classify(inputs, scratch);
  CHECK(predictions.at(0).error ==
        "has no room next to the other text, which has 11 tokens and is not truncated; the limit "
        "is 9 tokens without the special tokens");
  CHECK(predictions.at(0).logits.empty());
  CHECK(predictions.at(1).error == "not valid UTF-8 at byte 2");
  const ZeroShotClassifier short_labels(model, {}, kAnimals);
  CHECK(short_labels.classify(inputs, scratch).at(0).error.empty());
  CHECK(short_labels.classify(inputs, scratch).at(0).logits == judged(short_labels, "a").logits);
  CHECK(short_labels.classify({}, scratch).empty());
}

TEST_CASE("a model without a label for entailment is refused") {
  const TemporaryFolder folder;
  const Model one = nli_model(folder, R"(["entailment"])");
  CHECK(error_of([&] { ZeroShotClassifier(one, {}, kAnimals); }) ==
        folder / "nli" +
            ": has one label, expected labels for entailment and contradiction; --zero-shot "
            "needs a model trained on entailment (NLI)");
  const Model value =
      nli_model(folder, R"(["no", "entailment"])", R"(, "problem_type": "regression")");
  CHECK(error_of([&] { ZeroShotClassifier(value, {}, kAnimals); }) ==
        folder / "nli" +
            ": is a regression model and has no entailment label; --zero-shot needs a "
            "model trained on entailment (NLI)");
  const Model films = nli_model(folder, R"(["negative", "positive"])");
  CHECK(error_of([&] { ZeroShotClassifier(films, {}, kAnimals); }) ==
        folder / "nli" +
            ": has no label that begins with \"entail\"; its labels are negative, positive; "
            "--zero-shot needs a model trained on entailment (NLI); if this is one, name its label "
            "with --entailment LABEL");
  ZeroShotTask named = kAnimals;
  named.entailment = "yes";
  CHECK(error_of([&] { ZeroShotClassifier(films, {}, named); }) ==
        folder / "nli" +
            ": has no label \"yes\"; its labels are negative, positive; --entailment takes one of "
            "the model's labels");
}

TEST_CASE("candidates stand between commas, without the blanks around them") {
  struct Row {
    std::string list;
    Labels candidates;
  };
  const Row rows[] = {
      {"sports", {"sports"}},
      {"sports,world news", {"sports", "world news"}},
      {" sports ,\tworld  news\u3000\n", {"sports", "world  news"}},
      {",, a,,b,", {"a", "b"}},
      {"", {}},
      {" , ", {}},
      {"[a, b]", {"[a", "b]"}},
  };
  for (const auto& [list, candidates] : rows) CHECK(split_candidates(list) == candidates);
}

}  // namespace
}  // namespace headlight::zero_shot_test
