// Replays tests/golden/published: checkpoints of every family, and what the reference makes of
// them. scripts/make published_fixtures makes it.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "classifier/token_classifier.h"
#include "close_to.h"
#include "model/model_tokenizer.h"

namespace headlight::published_test {
namespace {

namespace fs = std::filesystem;

const fs::path kPublished = fs::path(HEADLIGHT_TEST_DATA) / "golden/published";

std::vector<std::string> checkpoints() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kPublished)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Model load(const std::string& name) {
  return load_model(locate_model((kPublished / name).string(), ""));
}

Json texts_of(const std::string& name) {
  return read_json_file((kPublished / name / "expected.json").string())["texts"];
}

std::string listed(const Json& numbers) {
  std::string text;
  for (const Json& number : numbers) text += std::to_string(number.get<std::size_t>()) + " ";
  return text;
}

/// Whether it begins as text; the others are ids.
bool has_text(const Json& text) { return text.contains("text"); }

/// What is typed: a text or a pair, or ids with their segments.
TextInput input_of(const Json& text) {
  if (!has_text(text)) return typed_ids(listed(text["ids"]), listed(text["type_ids"]));
  TextInput input{text["text"].get<std::string>(), std::nullopt, std::nullopt};
  if (text.contains("pair")) input.pair = text["pair"].get<std::string>();
  return input;
}

Classifier classifier_for(const Model& model, const Json& text) {
  ClassifierOptions options;
  options.ids = !has_text(text);
  return {model, options};
}

/// The logits of the text, or of its tokens.
const std::vector<float>& logits_of(const Model& model, const Prediction& prediction) {
  const bool each_token = model.description.pooling == Pooling::each_token;
  return each_token ? prediction.token_labels.logits : prediction.logits;
}

void check_layers(const std::vector<std::vector<float>>& found, const Json& expected,
                  double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t layer = 0; layer < found.size(); ++layer) {
    CAPTURE(layer);
    if (expected[layer].is_null()) continue;  // the reference does not have them
    const auto numbers = expected[layer].get<std::vector<double>>();
    CHECK(close_to(found[layer], numbers, {.absolute = tolerance, .relative = tolerance}));
  }
}

void check_tokens(const Encoding& encoding, const Json& text) {
  CHECK(encoding.tokens == text["tokens"].get<std::vector<std::string>>());
  CHECK(listed(text["ids"]) == listed(Json(encoding.ids)));
  CHECK(listed(text["type_ids"]) == listed(Json(encoding.type_ids)));
  Json offsets = Json::array();
  for (const auto& [begin, end] : encoding.offsets) offsets.push_back({begin, end});
  CHECK(offsets.dump() == text["offsets"].dump());
}

void check_text(const Model& model, const Json& text) {
  const TextInput input = input_of(text);
  CAPTURE(input.text);
  const Classifier classifier = classifier_for(model, text);
  const Encoding encoding = classifier.reader().encode(input);
  if (has_text(text)) check_tokens(encoding, text);
  ScoringScratch scratch;
  Trace trace;
  trace.wants_attention = true;
  trace.wants_hidden = true;
  const Prediction prediction = classifier.classify_traced(encoding, scratch.encoder, trace);
  CHECK(prediction.error == "");
  const auto logits = text.value("logits", std::vector<double>());
  CHECK(close_to(logits_of(model, prediction), logits, {.absolute = 2e-5, .relative = 2e-5}));
  check_layers(trace.texts[0].attention, text["attention"], 5e-6);
  check_layers(trace.texts[0].hidden, text["hidden"], 2e-5);
}

TEST_CASE("checkpoints of every family give the reference's tokens, attention and logits") {
  const auto names = checkpoints();
  REQUIRE(names.size() >= 24);
  std::size_t texts = 0;
  for (const auto& name : names) {
    CAPTURE(name);
    const Model model = load(name);
    CHECK(model.warnings.empty());
    CHECK(model.contradictions.empty());
    for (const Json& text : texts_of(name)) {
      check_text(model, text);
      texts += has_text(text) ? 1 : 0;
    }
  }
  CHECK(texts >= 8 * 10);
}

TEST_CASE("a vocab.txt that differs from the tokenizer.json beside it is said when asked for") {
  const TemporaryFolder folder;
  fs::copy(kPublished / "albert-one-group", folder.path(), fs::copy_options::recursive);
  const auto contradictions = [&](const std::string& words) {
    folder.write("vocab.txt", words);
    Model model = load_model(locate_model(folder.path(), ""));
    CHECK(model.contradictions.empty());
    compare_vocabulary(model);
    return model.contradictions;
  };
  CHECK(contradictions("[CLS]\n<pad>\n[SEP]\n") == std::vector<std::string>{});
  const auto differing = contradictions("[CLS]\nx\n");
  REQUIRE(differing.size() == 1);
  CHECK(differing.front() ==
        "vocab.txt has \"x\" for id 1, tokenizer.json \"<pad>\"; tokenizer.json is used");
  const auto broken = contradictions("\xff\n");
  REQUIRE(broken.size() == 1);
  CHECK(broken.front().ends_with("not valid UTF-8 at byte 0; tokenizer.json is used"));
}

TEST_CASE("a pair with its segments swapped is another text") {
  const Model model = load("bert-three-labels");
  ClassifierOptions options;
  options.ids = true;
  const Classifier classifier(model, options);
  const std::vector<TextInput> inputs = {typed_ids("2 5 3 6 3", "0 0 0 1 1"),
                                         typed_ids("2 5 3 6 3", "1 1 1 0 0")};
  ScoringScratch scratch;
  const auto predictions = classifier.classify(inputs, scratch);
  CHECK(predictions[0].logits != predictions[1].logits);
}

TEST_CASE("texts of one batch give what they give alone") {
  for (const auto& name : checkpoints()) {
    CAPTURE(name);
    const Model model = load(name);
    if (!model.weights.classifier) continue;
    Json texts = texts_of(name);
    texts.erase(std::remove_if(texts.begin(), texts.end(), has_text), texts.end());
    ClassifierOptions options;
    options.ids = true;
    std::unique_ptr<TextClassifier> classifier = std::make_unique<Classifier>(model, options);
    if (model.description.pooling == Pooling::each_token) {
      classifier = std::make_unique<TokenClassifier>(model, options, EntityOptions{});
    }
    std::vector<TextInput> inputs;
    for (const Json& text : texts) inputs.push_back(input_of(text));
    ScoringScratch scratch;
    const auto predictions = classifier->classify(inputs, scratch);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      ScoringScratch own;
      const auto alone = classifier->classify(std::span(&inputs[i], 1), own);
      CHECK_FALSE(logits_of(model, predictions[i]).empty());
      CHECK(logits_of(model, predictions[i]) == logits_of(model, alone[0]));
    }
  }
}

}  // namespace
}  // namespace headlight::published_test
