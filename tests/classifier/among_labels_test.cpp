#include "classifier/among_labels.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "small_models.h"

namespace headlight::among_labels_test {
namespace {

Prediction predicted(const Model& model, const std::vector<std::string>& among) {
  ClassifierOptions options;
  options.among = among;
  const auto classifier = make_classifier(model, options);
  CHECK(classifier->labels().names == labels_of(model, options).names);
  ScoringScratch scratch;
  const std::vector<TextInput> texts = {{"w7 w24 w3", {}, {}}};
  return classifier->classify(texts, scratch).front();
}

TEST_CASE("among some labels, the softmax is over their logits alone, in the model's order") {
  const TemporaryFolder folder;
  Model model = encoder_model(folder);
  model.calibration.temperature = 0.5;
  const Prediction whole = predicted(model, {});
  const Prediction some = predicted(model, {"c", "a"});
  const std::vector<float> logits = {whole.logits[0], whole.logits[2]};
  CHECK(some.logits == logits);
  CHECK(some.scores == activate_scores(ScoreActivation::softmax, logits, 0.5));
  CHECK(some.best == (logits[1] > logits[0] ? 1 : 0));
  CHECK(some.tokens == whole.tokens);
  const Prediction all = predicted(model, {"a", "b", "c"});
  CHECK(all.scores == whole.scores);
  CHECK(all.best == whole.best);
}

TEST_CASE("labels that the model lacks, and models without a softmax, are refused") {
  const TemporaryFolder folder;
  ClassifierOptions options;
  options.among = {"a", "z"};
  const Model model = encoder_model(folder);
  CHECK_THROWS_WITH_AS(labels_of(model, options), doctest::Contains("has no label \"z\""), Error);
  options.among = {"negative", "positive"};
  const Model many = lexicon_model(folder, R"(, "problem_type": "multi_label_classification")");
  CHECK_THROWS_WITH_AS(labels_of(many, options), doctest::Contains("has no softmax"), Error);
}

}  // namespace
}  // namespace headlight::among_labels_test
