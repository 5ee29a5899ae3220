#include "classifier/classifier.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "classifier/small_models.h"

namespace headlight::classifier_test {
namespace {

Prediction classify_one(const Classifier& classifier, const TextInput& input) {
  ScoringScratch scratch;
  return classifier.classify({&input, 1}, scratch).at(0);
}

TEST_CASE("the verdict on a text by hand, and of equal logits the lower label") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  struct Row {
    std::string text;
    std::vector<float> logits;
    std::size_t best;
  };
  const Row rows[] = {
      {"good", {0.0F, 4.0F}, 1},      {"bad", {4.0F, 0.0F}, 0},
      {"good dull", {0.0F, 2.0F}, 1}, {"bad unknown never seen", {1.0F, 0.0F}, 0},
      {"good bad", {2.0F, 2.0F}, 0},  {"dull", {0.0F, 0.0F}, 0},
  };
  for (const auto& [text, logits, best] : rows) {
    CAPTURE(text);
    const Prediction prediction = classify_one(classifier, {text, {}, {}});
    CHECK(prediction.error.empty());
    CHECK(prediction.logits == logits);
    CHECK(prediction.best == best);
    CHECK(prediction.tokens ==
          1U + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')));
    CHECK(prediction.scores == activate_scores(ScoreActivation::softmax, logits));
  }
}

TEST_CASE("what cannot be scored has an error, and the others their verdict") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const Classifier classifier(model, {});
  struct Row {
    TextInput input;
    std::string error;
  };
  const Row rows[] = {
      {{"", {}, {}}, "gives no tokens, so there is nothing to score"},
      {{" \t ", {}, {}}, "gives no tokens, so there is nothing to score"},
      {{"good \xFF", {}, {}}, "not valid UTF-8 at byte 5"},
      {typed_ids(""), "gives no tokens, so there is nothing to score"},
      {typed_ids("0 4"), "token id 4 is not below the model's vocab_size 4"},
      {typed_ids("0 1", "0 1"), "type id 1 is not below the model's 1 types"},
  };
  for (const auto& [input, error] : rows) {
    const std::vector<TextInput> inputs = {input, {"good", {}, {}}, typed_ids("0"), input};
    ScoringScratch scratch;
    const auto predictions = classifier.classify(inputs, scratch);
    CHECK(predictions.at(0).error == error);
    CHECK(predictions.at(0).logits.empty());
    CHECK(predictions.at(1).error.empty());
    CHECK(predictions.at(1).logits == std::vector<float>{0.0F, 4.0F});
    CHECK(predictions.at(2).logits == predictions.at(1).logits);
    CHECK(predictions.at(3).error == error);
  }
}

TEST_CASE("long texts are cut and counted, or refused with both numbers") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  struct Row {
    std::size_t words;
    std::optional<std::size_t> max_length;
    std::size_t tokens;
    std::size_t truncated;
    std::string error;  // with LongTexts::error
  };
  const Row rows[] = {
      {8, {}, 8, 0, ""},
      {9, {}, 8, 1, "has 9 tokens, more than the 8 that can be read"},
      {20, 100, 8, 12, "has 20 tokens, more than the 8 that can be read"},
      {3, 3, 3, 0, ""},
      {8, 3, 3, 5, "has 8 tokens, more than the 3 that can be read"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.words);
    TextInput input{"good", {}, {}};
    for (std::size_t i = 1; i < row.words; ++i) input.text += " good";
    ClassifierOptions options;
    options.max_length = row.max_length;
    const Prediction cut = classify_one(Classifier(model, options), input);
    CHECK(cut.error.empty());
    CHECK(cut.tokens == row.tokens);
    CHECK(cut.truncated == row.truncated);
    options.long_texts = LongTexts::error;
    CHECK(classify_one(Classifier(model, options), input).error == row.error);
    const std::size_t whole = row.max_length.value_or(row.words);
    CHECK(Classifier(model, options).reader().encode_whole(input).size() ==
          std::min(whole, row.words));
  }
}

TEST_CASE("a text with its special tokens is never longer than the model takes") {
  const TemporaryFolder folder;
  folder.write("m/config.json", R"({"model_type": "headlight", "vocab_size": 3, "hidden_size": 1,
      "num_hidden_layers": 0, "num_attention_heads": 1, "max_position_embeddings": 1,
      "position_embedding_type": "absolute", "classifier_bias": false,
      "tokenizer": {"vocabulary": ["[UNK]", "[CLS]", "[SEP]"]}})");
  folder.write("m/weights.json", R"({"tensors": {"embeddings.token.weight": [[1], [2], [3]],
      "embeddings.position.weight": [[1]], "classifier.weight": [[1], [2]]}})");
  const Model model = load_model(locate_model(folder / "m", ""));
  const Classifier classifier(model, {});
  for (const std::string text : {"", "a", "a b"}) {
    CAPTURE(text);
    // [CLS] and [SEP] are two already.
    CHECK_FALSE(error_of([&] { classifier.reader().encode({text, {}, {}}); }).empty());
  }
}

TEST_CASE("pad_to_length fills with tokens that count, and cuts") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder, R"(, "pad_to_length": 4)");
  const Classifier classifier(model, {});
  struct Row {
    std::string text;
    std::vector<std::string> tokens;
    std::vector<float> logits;
    std::size_t truncated;
  };
  const Row rows[] = {
      {"good", {"good", "pad", "pad", "pad"}, {-6.0F, -5.0F}, 0},
      {"good pad", {"good", "pad", "pad", "pad"}, {-6.0F, -5.0F}, 0},  // typed: not masked either
      {"good bad good bad", {"good", "bad", "good", "bad"}, {2.0F, 2.0F}, 0},
      {"bad bad bad bad good good", {"bad", "bad", "bad", "bad"}, {4.0F, 0.0F}, 2},
      {"", {"pad", "pad", "pad", "pad"}, {-8.0F, -8.0F}, 0},
  };
  for (const auto& [text, tokens, logits, truncated] : rows) {
    CAPTURE(text);
    const Encoding encoding = classifier.reader().encode({text, {}, {}});
    CHECK(encoding.tokens == tokens);
    CHECK(encoding.ids.size() == 4);
    CHECK(encoding.type_ids == std::vector<TokenId>(4, 0));
    const Prediction prediction = classify_one(classifier, {text, {}, {}});
    CHECK(prediction.logits == logits);
    CHECK(prediction.tokens == 4);
    CHECK(prediction.truncated == truncated);
  }
  const Encoding encoding = classifier.reader().encode({"good", {}, {}});
  CHECK(encoding.offsets.back() == Offset{0, 0});
  CHECK(encoding.sequences.front() == Sequence::first);
  CHECK(encoding.sequences.back() == Sequence::none);
}

TEST_CASE("a text has the same bits alone, in any order and with any neighbours") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  std::vector<TextInput> inputs;
  for (const std::size_t words :
       {1, 2, 511, 3, 63, 512, 1, 0, 200, 200, 200, 17, 64, 9, 512, 600}) {
    inputs.push_back({random_words(words, inputs.size()), {}, {}});
  }
  ScoringScratch warm;
  const auto together = classifier.classify(inputs, warm);
  std::vector<TextInput> turned(inputs.rbegin(), inputs.rend());
  const auto backwards = classifier.classify(turned, warm);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    CAPTURE(i);
    const Prediction alone = classify_one(classifier, inputs[i]);
    CHECK(alone.logits == together[i].logits);
    CHECK(alone.logits == backwards[inputs.size() - 1 - i].logits);
    CHECK(alone.scores == together[i].scores);
    CHECK(alone.tokens == together[i].tokens);
    CHECK(alone.truncated == together[i].truncated);
    CHECK(alone.error == together[i].error);
  }
  CHECK(together[7].error == "gives no tokens, so there is nothing to score");
  CHECK(together[15].truncated == 88);
}

TEST_CASE("a traced text has the logits of the same text untraced, and attention that sums to 1") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, {});
  const TextInput input{random_words(40, 3), {}, {}};
  ScoringScratch scratch;
  Trace trace;
  trace.wants_attention = true;
  const auto traced =
      classifier.classify_traced(classifier.reader().encode(input), scratch.encoder, trace);
  CHECK(traced.logits == classify_one(classifier, input).logits);
  REQUIRE(trace.texts.size() == 1);
  REQUIRE(trace.texts[0].attention.size() == 2);
  for (const auto& layer : trace.texts[0].attention) {
    REQUIRE(layer.size() == 3 * 40 * 40);
    for (std::size_t row = 0; row < 3 * 40; ++row) {
      double sum = 0.0;
      for (std::size_t key = 0; key < 40; ++key) sum += static_cast<double>(layer[row * 40 + key]);
      CHECK(std::abs(sum - 1.0) <= 1e-6);
    }
  }
}

TEST_CASE("--activation none leaves no scores, except a regression's values") {
  const TemporaryFolder folder;
  const Model single = lexicon_model(folder);
  ClassifierOptions none;
  none.activation = ScoreActivation::none;
  CHECK(classify_one(Classifier(single, none), {"good", {}, {}}).scores.empty());
  const Model regression = lexicon_model(folder, R"(, "problem_type": "regression")");
  CHECK(classify_one(Classifier(regression, none), {"good", {}, {}}).scores ==
        std::vector<float>{0.0F, 4.0F});
}

TEST_CASE("logits that are not finite are an error, not a verdict") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder, R"(, "embedding_scale": 3e38)");
  const Prediction prediction = classify_one(Classifier(model, {}), {"good", {}, {}});
  CHECK(prediction.error == "the logits are not finite");
  CHECK(prediction.logits.empty());
}

TEST_CASE("a model without a classification head gives its trace and says what it lacks") {
  const TemporaryFolder folder;
  Model model = lexicon_model(folder);
  require_head(model);
  model.weights.classifier.reset();
  model.description.labels.clear();
  const Classifier classifier(model, {});
  CHECK(error_of([&] { require_head(model); }) ==
        folder / "lexicon" +
            ": has no classification head; headlight fit makes a classifier of it; embed, inspect, "
            "tokenize and attention need none");
  model.architecture = "BertForMaskedLM";
  CHECK(error_of([&] { require_head(model); })
            .starts_with(folder / "lexicon" +
                         ": has no classification head (architecture BertForMaskedLM); "));
  ScoringScratch scratch;
  Trace trace;
  trace.wants_hidden = true;
  const Prediction prediction = classifier.classify_traced(
      classifier.reader().encode({"good", {}, {}}), scratch.encoder, trace);
  CHECK(prediction.error.empty());
  CHECK(prediction.logits.empty());
  CHECK(prediction.scores.empty());
  CHECK(prediction.tokens == 1);
  CHECK(trace.texts[0].hidden == std::vector<std::vector<float>>{{0.0F, 4.0F}});
}

TEST_CASE("a model without words reads ids only") {
  const TemporaryFolder folder;
  Model model = lexicon_model(folder);
  model.tokenizer.reset();
  CHECK(error_of([&] { Classifier(model, {}); }) ==
        folder / "lexicon" + ": has no vocabulary; use --ids to read token ids instead");
  ClassifierOptions ids;
  ids.ids = true;
  CHECK(classify_one(Classifier(model, ids), typed_ids("0, 0")).logits ==
        std::vector<float>{0.0F, 4.0F});
}

}  // namespace
}  // namespace headlight::classifier_test
