#include "inside/gradient_explanation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "close_to.h"

namespace headlight::gradient_explanation_test {
namespace {

constexpr auto kNeverStopped = [] { return false; };
constexpr Tolerance kClose = {.absolute = 1e-5, .relative = 1e-4};

Explanation explained(const Model& model, const std::string& text, ExplanationMethod method) {
  const Classifier classifier(model, {});
  GradientExplainer explainer(classifier);
  auto explanation = explainer.explain({text, {}, {}}, method, kNeverStopped);
  REQUIRE(explanation);
  return std::move(*explanation);
}

/// The effects on one label.
std::vector<float> effects(const Explanation& explanation, std::size_t label) {
  std::vector<float> found;
  for (const ExplainedWord& word : explanation.words) found.push_back(word.effect[label]);
  return found;
}

TEST_CASE("a model that adds words gives each word its part of the logits") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  for (const auto method : {ExplanationMethod::gradient, ExplanationMethod::integrated_gradients,
                            ExplanationMethod::lrp}) {
    const Explanation explanation = explained(model, "good  dull bad good", method);
    CHECK(explanation.method == method);
    CHECK(explanation.prediction.logits == std::vector<float>{1.0F, 2.0F});
    CHECK(effects(explanation, 0) == std::vector<float>{0.0F, 0.0F, 1.0F, 0.0F});
    CHECK(effects(explanation, 1) == std::vector<float>{1.0F, 0.0F, 0.0F, 1.0F});
    CHECK(explanation.words[3].offset == Offset{15, 19});
  }
}

TEST_CASE("integrated gradients add up to the change of the logits from the baseline") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Explanation explanation =
      explained(model, random_words(7, 3), ExplanationMethod::integrated_gradients);
  REQUIRE(explanation.completeness);
  CHECK(explanation.completeness->is_small());
  CHECK(explanation.completeness->steps >= 8);
  CHECK(explanation.completeness->change > 0.0);
  double largest = 0.0;
  for (std::size_t label = 0; label < 3; ++label) {
    double sum = 0.0;
    for (const float effect : effects(explanation, label)) sum += effect;
    largest = std::max(largest, std::abs(sum));
  }
  CHECK(std::abs(largest - explanation.completeness->change) <=
        0.011 * explanation.completeness->change);
}

TEST_CASE("the relevance of words and the share of biases add up to the logits") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Explanation explanation = explained(model, random_words(7, 3), ExplanationMethod::lrp);
  REQUIRE(explanation.bias_share.size() == 3);
  for (std::size_t label = 0; label < 3; ++label) {
    double sum = explanation.bias_share[label];
    for (const float effect : effects(explanation, label)) sum += effect;
    CHECK(sum == doctest::Approx(explanation.prediction.logits[label]).epsilon(1e-5));
    CHECK(std::abs(explanation.bias_share[label]) > 1e-3);
  }
  const Model words = lexicon_model(folder);  // without biases
  CHECK(explained(words, "good dull bad", ExplanationMethod::lrp).bias_share ==
        std::vector<float>{0.0F, 0.0F});
}

TEST_CASE("the gradient of a logit is that of small changes of the embedded words") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const std::string text = random_words(5, 4);
  const Explanation explanation = explained(model, text, ExplanationMethod::gradient);
  // Σ of effects = d logit / d scale of all embedded vectors at scale 1.
  const Parameters parameters(model.description, model.weights);
  const Encoding encoding = TextReader(model, {}).encode({text, {}, {}});
  Batch batch;
  batch.add(encoding.ids, encoding.type_ids);
  Backpropagation backpropagation;
  const auto logits_at = [&](float scale) {
    const auto none = [](const Outputs&, const OutputGradients&) { return 0.0; };
    const auto whole = backpropagation.embedded_gradient(parameters.description(),
                                                         parameters.weights(), batch, {}, none);
    std::vector<float> start;
    for (std::size_t i = 0; i < whole.vectors.rows; ++i) {
      for (const float value : whole.vectors.row(i)) start.push_back(scale * value);
    }
    std::vector<double> logits;
    const auto keep = [&](const Outputs& outputs, const OutputGradients&) {
      logits.assign(outputs.logits.row(0).begin(), outputs.logits.row(0).end());
      return 0.0;
    };
    const ConstMatrix vectors(start.data(), whole.vectors.rows, whole.vectors.cols);
    backpropagation.embedded_gradient(parameters.description(), parameters.weights(), batch,
                                      vectors, keep);
    return logits;
  };
  const auto above = logits_at(1.01F);
  const auto below = logits_at(0.99F);
  for (std::size_t label = 0; label < 3; ++label) {
    double sum = 0.0;
    for (const float effect : effects(explanation, label)) sum += effect;
    const double slope = (above[label] - below[label]) / 0.02;
    CHECK(std::abs(sum - slope) < 0.002 + 0.01 * std::abs(slope));
  }
}

TEST_CASE("the baseline is the padding token where the vocabulary has one") {
  const TemporaryFolder folder;
  folder.write("padded/config.json", R"({"model_type": "headlight", "vocab_size": 3,
      "hidden_size": 2, "num_hidden_layers": 0, "num_attention_heads": 1,
      "position_embedding_type": "none", "classifier_bias": false,
      "id2label": ["negative", "positive"],
      "tokenizer": {"type": "whitespace", "vocabulary": ["[PAD]", "good", "bad"],
                    "unk_token": null}})");
  folder.write("padded/weights.json", R"({"tensors": {
      "embeddings.token.weight": [[1, 1], [0, 4], [4, 0]],
      "classifier.weight": [[1, 0], [0, 1]]}})");
  const Model model = load_model(locate_model(folder / "padded", ""));
  const Explanation explanation =
      explained(model, "good bad", ExplanationMethod::integrated_gradients);
  CHECK(effects(explanation, 0) == std::vector<float>{-0.5F, 1.5F});
  CHECK(effects(explanation, 1) == std::vector<float>{1.5F, -0.5F});
  CHECK(explanation.completeness->change == 1.0);
}

TEST_CASE("effects of word pieces are summed to the words that the text has") {
  const TemporaryFolder folder;
  folder.write("pieces/config.json", R"({"model_type": "headlight", "vocab_size": 6,
      "hidden_size": 2, "num_hidden_layers": 0, "num_attention_heads": 1,
      "position_embedding_type": "none", "classifier_bias": false,
      "id2label": ["negative", "positive"],
      "tokenizer": {"type": "wordpiece", "add_special_tokens": true,
                    "vocabulary": ["[CLS]", "[SEP]", "un", "##good", "good", "!"],
                    "unk_token": null}})");
  folder.write("pieces/weights.json", R"({"tensors": {
      "embeddings.token.weight": [[6, 0], [0, 6], [12, 0], [0, 6], [0, 6], [3, 3]],
      "classifier.weight": [[1, 0], [0, 1]]}})");
  const Model model = load_model(locate_model(folder / "pieces", ""));
  // [CLS] un ##good ! good [SEP]: each token has a sixth of its numbers.
  const Explanation explanation = explained(model, "ungood! good", ExplanationMethod::gradient);
  REQUIRE(explanation.words.size() == 2);
  const std::vector<double> negative = {2.5, 0.0};
  const std::vector<double> positive = {1.5, 1.0};
  CHECK(close_to(effects(explanation, 0), negative, kClose));
  CHECK(close_to(effects(explanation, 1), positive, kClose));
}

/// Without layers, with pairs of one bucket: `prefix` begins the names of their fields.
std::string model_of_pairs(const TemporaryFolder& folder, const std::string& prefix,
                           const std::string& table) {
  folder.write(prefix + "/config.json", R"({"model_type": "headlight", "vocab_size": 6,
      "hidden_size": 2, "num_hidden_layers": 0, "num_attention_heads": 1,
      "position_embedding_type": "none", "id2label": ["negative", "positive"],
      ")" + prefix + R"(_sizes": [2], ")" + prefix +
                                            R"(_buckets": 1,
      "tokenizer": {"type": "wordpiece", "vocabulary":
                    ["[CLS]", "[SEP]", "un", "##good", "good", "!"], "unk_token": null}})");
  folder.write(prefix + "/weights.json", R"({"tensors": {
      "embeddings.token.weight": [[6, 0], [0, 6], [12, 0], [0, 6], [0, 6], [3, 3]],
      )" + table + R"(,
      "classifier.weight": [[1, 0], [0, 1]], "classifier.bias": [0.5, -1]}})");
  return folder / prefix;
}

TEST_CASE("words, their shares of n-grams and the bias add up to the logits, exactly") {
  const TemporaryFolder folder;
  const Model model = load_model(
      locate_model(model_of_pairs(folder, "ngram", R"("embeddings.ngrams.weight": [[8, 0]])"), ""));
  // un ##good ! good and their three pairs: each has a seventh of its numbers.
  const Explanation explanation = explained(model, "ungood! good", ExplanationMethod::exact);
  CHECK(close_to(effects(explanation, 0), std::vector<double>{35.0 / 7.0, 4.0 / 7.0}, kClose));
  CHECK(close_to(effects(explanation, 1), std::vector<double>{9.0 / 7.0, 6.0 / 7.0}, kClose));
  CHECK(close_to(explanation.bias_share, std::vector<double>{0.5, -1.0}, kClose));
  const std::string labels =
      model_of_pairs(folder, "label_ngram", R"("classifier.ngrams.weight": [[6, 0]])");
  const Model beside = load_model(locate_model(labels, ""));
  Model alone = load_model(locate_model(labels, ""));
  alone.description.label_ngrams.reset();
  // Each of three pairs adds 6 / √3, in halves to its two tokens: "ungood!" has five of the six.
  const double pair = 6.0 / std::sqrt(3.0);
  for (const auto method : {ExplanationMethod::exact, ExplanationMethod::gradient,
                            ExplanationMethod::integrated_gradients}) {
    std::vector<float> added = effects(explained(beside, "ungood! good", method), 0);
    const std::vector<float> without = effects(explained(alone, "ungood! good", method), 0);
    std::ranges::transform(added, without, added.begin(), std::minus<>());
    CHECK(close_to(added, std::vector<double>{2.5 * pair, 0.5 * pair}, kClose));
  }
  CHECK(error_of([&] {
          explained(encoder_model(folder), "a", ExplanationMethod::exact);
        }).find("without layers") != std::string::npos);
}

TEST_CASE("a text that cannot be scored is an error, and a stop ends the work") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  GradientExplainer explainer(classifier);
  CHECK(error_of([&] {
          explainer.explain({"", {}, {}}, ExplanationMethod::gradient, kNeverStopped);
        }) != "");
  const auto stopped = [] { return true; };
  CHECK(!explainer.explain({"good", {}, {}}, ExplanationMethod::gradient, stopped));
}

}  // namespace
}  // namespace headlight::gradient_explanation_test
