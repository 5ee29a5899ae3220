// Entities against those that the reference's pipeline finds (tests/golden/token_labels.json, made
// by scripts/make token_label_golden), and windows over long texts.
#include "classifier/token_classifier.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "classifier/small_models.h"

namespace headlight::token_classifier_test {
namespace {

const std::string kGolden = std::string(HEADLIGHT_TEST_DATA) + "/golden/";

/// Whether both have the same entities, with probabilities within 1e-5.
bool is_same(const std::vector<Entity>& found, const Json& expected) {
  const auto same = [](const Entity& entity, const Json& json) {
    return entity.label == json["label"].get<std::string>() &&
           entity.text == json["text"].get<std::string>() &&
           entity.offset.begin == json["start"].get<std::size_t>() &&
           entity.offset.end == json["end"].get<std::size_t>() &&
           entity.index.has_value() == json.contains("index") &&
           entity.index.value_or(0) == json.value("index", std::size_t{0}) &&
           std::abs(static_cast<double>(entity.probability) - json["probability"].get<double>()) <
               1e-5;
  };
  return std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same);
}

TEST_CASE("the entities of each strategy are those of the reference's pipeline") {
  const std::map<std::string, Aggregation> strategies = {{"none", Aggregation::none},
                                                         {"simple", Aggregation::simple},
                                                         {"first", Aggregation::first},
                                                         {"average", Aggregation::average},
                                                         {"max", Aggregation::max}};
  const Json golden = read_json_file(kGolden + "token_labels.json");
  std::map<std::string, Model> models;
  std::set<std::string> labels;
  for (const Json& row : golden["rows"]) {
    const auto name = row["model"].get<std::string>();
    const auto strategy = row["aggregate"].get<std::string>();
    const auto text = row["text"].get<std::string>();
    CAPTURE(name);
    CAPTURE(strategy);
    CAPTURE(text);
    if (!models.contains(name)) {
      models.emplace(name, load_model(locate_model(kGolden + "published/" + name, "")));
    }
    const TokenClassifier classifier(models.at(name), {}, {strategies.at(strategy), std::nullopt});
    ScoringScratch scratch;
    const TextInput input{text, {}, {}};
    const auto predictions = classifier.classify(std::span(&input, 1), scratch);
    REQUIRE(predictions[0].error == "");
    CHECK(is_same(predictions[0].token_labels.entities, row["entities"]));
    for (const Json& entity : row["entities"]) labels.insert(entity["label"].get<std::string>());
  }
  CHECK(models.size() == 3);
  CHECK(labels == std::set<std::string>{"B-LOC", "B-PER", "I-LOC", "I-PER", "LOC", "PER"});
}

/// "label text start-end" of each entity.
std::vector<std::string> shown(Aggregation aggregation, const std::vector<std::string>& labels,
                               const std::vector<std::vector<float>>& scores,
                               const std::set<std::size_t>& continuing = {}) {
  std::vector<ScoredToken> tokens;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    tokens.push_back({i, {i, i + 1}, continuing.contains(i), scores[i]});
  }
  std::vector<std::string> lines;
  for (const Entity& entity : find_entities(aggregation, labels, tokens)) {
    lines.push_back(entity.label + " " + std::to_string(entity.offset.begin) + "-" +
                    std::to_string(entity.offset.end));
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("a label that begins with B- begins an entity, any other continues one of its name") {
  const Lines labels = {"O", "B-PER", "I-PER", "LOC", "S-LOC"};
  const auto one = [&](std::size_t label) {
    std::vector<float> scores(labels.size(), 0.1F);
    scores[label] = 0.6F;
    return scores;
  };
  CHECK(shown(Aggregation::simple, labels, {one(1), one(2), one(1), one(0), one(2)}) ==
        Lines{"PER 0-2", "PER 2-3", "PER 4-5"});
  CHECK(shown(Aggregation::simple, labels, {one(3), one(3), one(4), one(2)}) ==
        Lines{"LOC 0-2", "LOC 2-3", "PER 3-4"});
  CHECK(shown(Aggregation::none, labels, {one(1), one(0), one(4)}) ==
        Lines{"B-PER 0-1", "S-LOC 2-3"});
  CHECK(shown(Aggregation::simple, labels, {}) == Lines{});
}

TEST_CASE("a word has the label of its first token, of the mean, or of the surest token") {
  const Lines labels = {"O", "A", "B"};
  const std::vector<std::vector<float>> scores = {
      {0.2F, 0.5F, 0.3F}, {0.1F, 0.2F, 0.7F}, {0.4F, 0.3F, 0.3F}, {0.6F, 0.4F, 0.0F}};
  CHECK(shown(Aggregation::first, labels, scores, {1, 2}) == Lines{"A 0-3"});
  CHECK(shown(Aggregation::average, labels, scores, {1, 2}) == Lines{"B 0-3"});
  CHECK(shown(Aggregation::max, labels, scores, {1, 2, 3}) == Lines{"B 0-4"});
  CHECK(shown(Aggregation::simple, labels, scores, {1, 2}) == Lines{"A 0-1", "B 1-2"});
}

/// Words w0 … w49 and a label for each token; at most 12 tokens.
Model token_model(const TemporaryFolder& folder) {
  std::string words;
  for (int i = 0; i < 50; ++i) words += (i == 0 ? "\"w" : ", \"w") + std::to_string(i) + '"';
  const std::string config = folder.write("tokens.json", R"({"model_type": "headlight",
      "vocab_size": 50, "hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3,
      "pooling": "none", "max_position_embeddings": 12, "id2label": ["O", "B-X", "I-X"],
      "tokenizer": {"type": "whitespace", "unk_token": "w0", "vocabulary": [)" +
                                                             words + "]}}");
  init_model(config, folder / "tokens", 3, true);
  return load_model(locate_model(folder / "tokens", ""));
}

Prediction prediction_of(const Model& model, const std::string& text, LongTexts how,
                         std::size_t stride = 3) {
  ClassifierOptions options;
  options.long_texts = how;
  if (how == LongTexts::window) options.stride = stride;
  const TokenClassifier classifier(model, options, {});
  ScoringScratch scratch;
  const TextInput input{text, {}, {}};
  return classifier.classify(std::span(&input, 1), scratch)[0];
}

std::vector<float> row_of(const std::vector<float>& logits, std::size_t row) {
  const auto begin = logits.begin() + static_cast<std::ptrdiff_t>(row * 3);
  return {begin, begin + 3};
}

std::string words_between(std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i) text += "w" + std::to_string(i * 7 % 50) + " ";
  return text;
}

TEST_CASE("with windows, a token has the logits of the window where it is farthest from an edge") {
  const TemporaryFolder folder;
  const Model model = token_model(folder);
  // Windows of 12 words that begin at 0, 9, 18 and 27; the last has 3 words.
  const Prediction whole = prediction_of(model, words_between(0, 30), LongTexts::window);
  CHECK(whole.windows == 3);
  CHECK(whole.tokens == 30);
  CHECK(whole.truncated == 0);
  REQUIRE(whole.token_labels.logits.size() == 90);
  CHECK(whole.token_labels.offsets[29].end == words_between(0, 30).size() - 1);
  const std::vector<std::size_t> begins = {0, 9, 18};
  for (std::size_t token = 0; token < 30; ++token) {
    CAPTURE(token);
    std::size_t best = 0;
    std::size_t farthest = 0;
    for (std::size_t window = 0; window < begins.size(); ++window) {
      if (token < begins[window] || token >= begins[window] + 12) continue;
      const std::size_t place = token - begins[window];
      const std::size_t distance = 1 + std::min(place, 11 - place);
      if (distance > farthest) best = window;
      farthest = std::max(farthest, distance);
    }
    const std::size_t begin = begins[best];
    const Prediction own =
        prediction_of(model, words_between(begin, begin + 12), LongTexts::truncate);
    CHECK(row_of(whole.token_labels.logits, token) ==
          row_of(own.token_labels.logits, token - begin));
  }
}

TEST_CASE("a text that fits has one window, and one that does not is cut") {
  const TemporaryFolder folder;
  const Model model = token_model(folder);
  const Prediction fits = prediction_of(model, words_between(0, 12), LongTexts::window);
  CHECK(fits.windows == 1);
  CHECK(fits.token_labels.logits ==
        prediction_of(model, words_between(0, 12), LongTexts::error).token_labels.logits);
  const Prediction cut = prediction_of(model, words_between(0, 15), LongTexts::truncate);
  CHECK(cut.truncated == 3);
  CHECK(cut.token_labels.logits == fits.token_labels.logits);
  CHECK(prediction_of(model, words_between(0, 15), LongTexts::error).error ==
        "has 15 tokens, more than the 12 that can be read");
}

TEST_CASE("special tokens of a long text have the logits of the first and the last window") {
  TokenWindows layout;  // [CLS] and six tokens, then [SEP], in windows of four that share one
  layout.whole.ids = {2, 10, 11, 12, 13, 14, 15, 16, 3};
  layout.begin = 1;
  layout.end = 8;
  layout.room = 4;
  layout.step = 3;
  REQUIRE(layout.count() == 2);
  WindowResults logits(2);
  logits.put(0, std::vector<float>{0, 1, 2, 3, 4, 5});
  logits.put(1, std::vector<float>{10, 11, 12, 13, 14, 15});
  CHECK(logits_of_windows(layout, logits, 1) == std::vector<float>{0, 1, 2, 3, 4, 12, 13, 14, 15});
}

TEST_CASE("only entities with the asked probability are found") {
  const Model model = load_model(locate_model(kGolden + "published/bert-token-labels", ""));
  const TextInput input{"a b ab, A", {}, {}};
  ScoringScratch scratch;
  const TokenClassifier all(model, {}, {Aggregation::none, 0.0F});
  const auto entities = all.classify(std::span(&input, 1), scratch)[0].token_labels.entities;
  REQUIRE(entities.size() >= 2);
  const auto least = std::min_element(
      entities.begin(), entities.end(),
      [](const Entity& a, const Entity& b) { return a.probability < b.probability; });
  const float above = std::nextafter(least->probability, 1.0F);
  const TokenClassifier some(model, {}, {Aggregation::none, above});
  CHECK(some.classify(std::span(&input, 1), scratch)[0].token_labels.entities.size() ==
        entities.size() - 1);
}

TEST_CASE("typed ids: special tokens are no entities, and offsets are those of the numbers") {
  const Model model = load_model(locate_model(kGolden + "published/bert-token-labels", ""));
  ClassifierOptions options;
  options.ids = true;
  const TokenClassifier classifier(model, options, {Aggregation::none, std::nullopt});
  const std::vector<TextInput> inputs = {typed_ids("2 5 6 5 7 3")};
  ScoringScratch scratch;
  const auto typed = classifier.classify(inputs, scratch)[0].token_labels;
  const TokenClassifier reads(model, {}, {Aggregation::none, std::nullopt});
  const TextInput text{"a b ab", {}, {}};
  const auto read = reads.classify(std::span(&text, 1), scratch)[0].token_labels;
  CHECK(typed.logits == read.logits);
  REQUIRE(typed.entities.size() == read.entities.size());
  for (std::size_t i = 0; i < typed.entities.size(); ++i) {
    CHECK(typed.entities[i].label == read.entities[i].label);
    CHECK(typed.entities[i].index == read.entities[i].index);
    CHECK(typed.entities[i].offset.begin == 2 * *typed.entities[i].index);
  }
}

}  // namespace
}  // namespace headlight::token_classifier_test
