// Long texts read through windows, against windows that are cut here and classified as typed ids.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/small_models.h"
#include "classifier/zero_shot.h"
#include "model/init.h"

namespace headlight::windows_test {
namespace {

using Ids = std::vector<TokenId>;

constexpr TokenId kCls = 1;
constexpr TokenId kSep = 2;

/// A random encoder of "[CLS] A [SEP] B [SEP]" in two segments, of at most 12 tokens; the words a
/// to i have the ids from 3 on.
Model pair_model(const TemporaryFolder& folder, const std::string& fields = "") {
  const std::string config = folder.write("pairs.json", R"({"model_type": "headlight",
      "vocab_size": 12, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
      "type_vocab_size": 2, "max_position_embeddings": 12, "pooling": "mean",
      "id2label": ["contradiction", "neutral", "entailment"],
      "tokenizer": {"vocabulary": ["[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "d", "e", "f", "g",
                    "h", "i"]})" + fields + "}");
  init_model(config, folder / "pairs", 5, true);
  return load_model(locate_model(folder / "pairs", ""));
}

ClassifierOptions windows_of(std::optional<std::size_t> stride,
                             std::optional<std::size_t> max_length = {}) {
  ClassifierOptions options;
  options.long_texts = LongTexts::window;
  options.stride = stride;
  options.max_length = max_length;
  return options;
}

Prediction classify_one(const TextClassifier& classifier, const TextInput& input) {
  ScoringScratch scratch;
  return classifier.classify({&input, 1}, scratch).at(0);
}

/// `count` of the words a to i, another row of them for another seed; and their ids.
Ids word_ids(std::size_t count, std::size_t seed) {
  Ids ids;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(static_cast<TokenId>(3 + (seed * 5 + i * i + i * seed) % 9));
  }
  return ids;
}

std::string words(const Ids& ids) {
  std::string text;
  for (const TokenId id : ids) text += {static_cast<char>('a' + static_cast<char>(id) - 3), ' '};
  return text;
}

/// Typed ids, and the segment that begins after the first [SEP].
TextInput typed(const Ids& ids) {
  std::string text;
  std::string type_ids;
  bool second = false;
  for (const TokenId id : ids) {
    text += std::to_string(id) + " ";
    type_ids += second ? "1 " : "0 ";
    second = second || id == kSep;
  }
  return typed_ids(text, type_ids);
}

/// The mean logits of windows of ids, one after another and in float64.
std::vector<float> mean_logits(const Model& model, const std::vector<Ids>& windows) {
  const Classifier classifier(model, {});
  std::vector<double> sums(model.description.classes(), 0.0);
  for (const Ids& window : windows) {
    const Prediction prediction = classify_one(classifier, typed(window));
    REQUIRE(prediction.error.empty());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += static_cast<double>(prediction.logits[i]);
    }
  }
  std::vector<float> mean;
  for (const double sum : sums) {
    mean.push_back(static_cast<float>(sum / static_cast<double>(windows.size())));
  }
  return mean;
}

/// [CLS] part [SEP], or [CLS] part [SEP] second [SEP], or [CLS] first [SEP] part [SEP].
std::vector<Ids> cut(const Ids& moving, std::size_t room, std::size_t shared,
                     const Ids& before = {}, const Ids& behind = {}) {
  std::vector<Ids> windows;
  for (std::size_t begin = 0;; begin += room - shared) {
    const std::size_t end = std::min(begin + room, moving.size());
    Ids window = {kCls};
    window.insert(window.end(), before.begin(), before.end());
    if (!before.empty()) window.push_back(kSep);
    for (std::size_t i = begin; i < end; ++i) window.push_back(moving[i]);
    window.push_back(kSep);
    window.insert(window.end(), behind.begin(), behind.end());
    if (!behind.empty()) window.push_back(kSep);
    windows.push_back(window);
    if (end == moving.size()) return windows;
  }
}

TEST_CASE("a long text has the mean of its windows' logits") {
  const TemporaryFolder folder;
  const Model model = pair_model(folder);
  struct Row {
    std::size_t length;
    std::optional<std::size_t> stride;
    std::optional<std::size_t> max_length;
    std::size_t room;
    std::size_t shared;
    std::size_t windows;
  };
  const Row rows[] = {
      {10, {}, {}, 10, 2, 1}, {11, {}, {}, 10, 2, 2}, {18, {}, {}, 10, 2, 2},
      {19, {}, {}, 10, 2, 3}, {30, 0, {}, 10, 0, 3},  {31, 0, {}, 10, 0, 4},
      {30, 9, {}, 10, 9, 21}, {12, {}, 7, 5, 1, 3},   {12, 4, 7, 5, 4, 8},
      {9, {}, 100, 10, 2, 1}, {4, {}, 3, 1, 0, 4},    {1000, {}, {}, 10, 2, 125},
  };
  for (const auto& row : rows) {
    CAPTURE(row.length);
    const Ids ids = word_ids(row.length, 3);
    const Classifier classifier(model, windows_of(row.stride, row.max_length));
    const Prediction prediction = classify_one(classifier, {words(ids), {}, {}});
    CHECK(prediction.error.empty());
    CHECK(prediction.windows == row.windows);
    CHECK(prediction.tokens == row.length + 2);
    CHECK(prediction.truncated == 0);
    const auto expected = mean_logits(model, cut(ids, row.room, row.shared));
    CHECK(prediction.logits == expected);
    CHECK(prediction.scores == activate_scores(ScoreActivation::softmax, expected));
    const auto best = std::max_element(expected.begin(), expected.end()) - expected.begin();
    CHECK(prediction.best == static_cast<std::size_t>(best));
  }
}

TEST_CASE("of a pair the longer text moves and the shorter stands whole in each window") {
  const TemporaryFolder folder;
  const Model model = pair_model(folder);
  struct Row {
    std::size_t first;
    std::size_t second;
    std::size_t windows;
    std::string error;
  };
  const std::string half =
      "has 5 tokens in the shorter text of the pair, which each window contains completely; the "
      "limit is half of the 9 tokens of a window without the special tokens";
  const Row rows[] = {
      {4, 5, 1, ""}, {4, 6, 2, ""},   {4, 20, 5, ""},  {20, 4, 5, ""}, {1, 9, 2, ""},
      {9, 1, 2, ""}, {5, 9, 1, half}, {9, 5, 1, half}, {5, 5, 2, ""},
  };
  for (const auto& [first, second, windows, error] : rows) {
    CAPTURE(first);
    CAPTURE(second);
    const Ids a = word_ids(first, 1);
    const Ids b = word_ids(second, 2);
    const Classifier classifier(model, windows_of({}));
    const Prediction prediction = classify_one(classifier, {words(a), words(b), {}});
    CHECK(prediction.error == error);
    CHECK(prediction.windows == windows);
    if (!error.empty()) continue;
    CHECK(prediction.tokens == first + second + 3);
    // As the reference's longest_first has it, of two alike the first moves where room is odd.
    const bool moves_first = first >= second;
    const std::size_t room = 9 - std::min(first, second);
    const auto expected = moves_first ? cut(a, room, room / 4, {}, b) : cut(b, room, room / 4, a);
    CHECK(prediction.logits == mean_logits(model, expected));
  }
}

TEST_CASE("windows have the same bits in any batch, in any order and with any neighbours") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  std::vector<TextInput> inputs;
  for (const std::size_t length : {1, 512, 513, 2000, 0, 900, 513, 1200, 40, 2000}) {
    inputs.push_back({random_words(length, inputs.size() % 4), {}, {}});
  }
  std::vector<Prediction> expected;
  for (const TextInput& input : inputs) {
    expected.push_back(classify_one(Classifier(model, windows_of({})), input));
  }
  CHECK(expected[1].windows == 1);
  CHECK(expected[2].windows == 2);
  CHECK(expected[3].windows == 5);
  CHECK(expected[3].tokens == 2000);
  CHECK(expected[4].error == "gives no tokens, so there is nothing to score");
  for (const std::size_t batch_tokens : {1, 600, 100000}) {
    CAPTURE(batch_tokens);
    ClassifierOptions options = windows_of({});
    options.batch_tokens = batch_tokens;
    const Classifier classifier(model, options);
    ScoringScratch scratch;
    const auto together = classifier.classify(inputs, scratch);
    const std::vector<TextInput> turned(inputs.rbegin(), inputs.rend());
    const auto backwards = classifier.classify(turned, scratch);  // some windows are remembered
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CAPTURE(i);
      for (const Prediction& found : {together[i], backwards[inputs.size() - 1 - i]}) {
        CHECK(found.logits == expected[i].logits);
        CHECK(found.scores == expected[i].scores);
        CHECK(found.tokens == expected[i].tokens);
        CHECK(found.windows == expected[i].windows);
        CHECK(found.error == expected[i].error);
      }
    }
  }
}

TEST_CASE("a run that is stopped among a text's windows gives the texts before it") {
  const TemporaryFolder folder;
  const Model model = encoder_model(folder);
  const Classifier classifier(model, windows_of({}));
  const std::vector<TextInput> inputs = {{random_words(512, 1), {}, {}},
                                         {random_words(5000, 2), {}, {}},
                                         {random_words(9, 3), {}, {}}};
  for (const int passes : {0, 1, 3}) {
    ScoringScratch scratch;
    int asked = 0;
    const auto predictions =
        classifier.classify(inputs, scratch, [&] { return asked++ >= passes; });
    CAPTURE(passes);
    CHECK(predictions.size() == (passes == 0 ? 0U : 1U));
    for (const Prediction& prediction : predictions) CHECK(prediction.logits.size() == 3);
  }
}

TEST_CASE("each window of a model of fixed length is filled up to it") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder, R"(, "pad_to_length": 4)");
  struct Row {
    std::string text;
    std::optional<std::size_t> max_length;
    std::vector<float> logits;
    std::size_t windows;
    std::size_t tokens;
  };
  const Row rows[] = {
      {"good bad good bad", {}, {2.0F, 2.0F}, 1, 4},
      {"good", {}, {-6.0F, -5.0F}, 1, 4},
      // good good good good | good bad pad pad
      {"good good good good bad", {}, {-1.5F, 0.5F}, 2, 5},
      // bad good pad pad | dull pad pad pad
      {"bad good dull", 2, {-4.5F, -4.5F}, 2, 4},
  };
  for (const auto& [text, max_length, logits, windows, tokens] : rows) {
    CAPTURE(text);
    const Classifier classifier(model, windows_of({}, max_length));
    const Prediction prediction = classify_one(classifier, {text, {}, {}});
    CHECK(prediction.error.empty());
    CHECK(prediction.logits == logits);
    CHECK(prediction.windows == windows);
    CHECK(prediction.tokens == tokens);
  }
}

TEST_CASE("the activation comes after the mean, whatever the problem type") {
  const TemporaryFolder folder;
  const std::string text = "good good good good good good good good bad bad";
  // Eight good, and of the second window two of four: (0, 4) and (2, 2).
  const std::vector<float> mean = {1.0F, 3.0F};
  struct Row {
    std::string problem_type;
    std::vector<float> scores;
  };
  const Row rows[] = {
      {"single_label_classification", activate_scores(ScoreActivation::softmax, mean)},
      {"multi_label_classification", activate_scores(ScoreActivation::sigmoid, mean)},
      {"regression", mean},
  };
  for (const auto& [problem_type, scores] : rows) {
    CAPTURE(problem_type);
    const Model model = lexicon_model(folder, R"(, "problem_type": ")" + problem_type + '"');
    const Prediction prediction = classify_one(Classifier(model, windows_of({})), {text, {}, {}});
    CHECK(prediction.windows == 2);
    CHECK(prediction.logits == mean);
    CHECK(prediction.scores == scores);
  }
}

TEST_CASE("what windows cannot be laid over is an error of its text") {
  const TemporaryFolder folder;
  const Model model = pair_model(folder);
  struct Row {
    ClassifierOptions options;
    TextInput input;
    std::string error;
  };
  const Row rows[] = {
      {windows_of({}), typed_ids("1 3 4 5 6 7 8 9 3 4 5 2"), ""},
      {windows_of({}), typed_ids("1 3 4 5 6 7 8 9 3 4 5 6 2"),
       "has 13 tokens, more than the 12 that can be read; windows are not supported for token "
       "ids"},
      {windows_of({}, 2), {"", {}, {}}, ""},
      {windows_of({}, 2),
       {"a", {}, {}},
       "has 1 tokens, but a window has only room for the special tokens"},
      {windows_of({}, 1), {"", {}, {}}, "has 2 tokens, more than the 1 that can be read"},
      {windows_of(10), {"a b", {}, {}}, ""},
      {windows_of(10),
       {"a b c d e f g h i a b", {}, {}},
       "windows hold 10 of its tokens, so a stride of 10 leaves no new tokens for the next window"},
      {windows_of({}), {"a \xFF", {}, {}}, "not valid UTF-8 at byte 2"},
  };
  for (const auto& [options, input, error] : rows) {
    CAPTURE(input.text);
    CHECK(classify_one(Classifier(model, options), input).error == error);
  }
  CHECK(token_room(model, {}) == 10);
  CHECK(token_room(model, windows_of({}, 1)) == 0);
}

TEST_CASE("of a premise the windows are its own, and the hypothesis stands whole in each") {
  const TemporaryFolder folder;
  const Model model = pair_model(folder);
  const ZeroShotTask task{{"a", "b c d e"}, "{} f"};
  const ZeroShotClassifier classifier(model, windows_of({}), task);
  const Ids premise = word_ids(14, 7);
  const Prediction prediction = classify_one(classifier, {words(premise), {}, {}});
  CHECK(prediction.error.empty());
  // Beside "a f" 7 tokens of the premise, beside "b c d e f" 4, of which one is shared.
  CHECK(prediction.logits ==
        std::vector{mean_logits(model, cut(premise, 7, 1, {}, {3, 8}))[2],
                    mean_logits(model, cut(premise, 4, 1, {}, {4, 5, 6, 7, 8}))[2]});
  CHECK(prediction.windows == 5);
  CHECK(prediction.tokens == 14 + 5 + 3);
  CHECK(prediction.truncated == 0);
}

}  // namespace
}  // namespace headlight::windows_test
