// Replays tests/golden/gliclass, which scripts/make gliclass_fixtures makes with the reference; and
// what the reference leaves open: long texts, and models and labels that cannot be used.
#include "classifier/one_pass_zero_shot.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "close_to.h"
#include "model/engine.h"

namespace headlight::one_pass_zero_shot_test {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

void check_says(const std::string& line, const std::string& part) {
  CAPTURE(line);
  CHECK(line.find(part) != std::string::npos);
}

const fs::path kFixtures = fs::path(HEADLIGHT_TEST_DATA) / "golden/gliclass";
const std::string kModern = "modernbert-labels-first";  // of 512 positions
const std::string kDeberta = "deberta-text-first";

Model load(const std::string& name) {
  return load_model(locate_model((kFixtures / name).string(), ""));
}

std::vector<Prediction> judged(const Model& model, const Texts& texts, const Texts& labels,
                               const ClassifierOptions& options = {}, bool multi_label = false) {
  const OnePassZeroShotClassifier classifier(model, options, {labels, "", multi_label});
  std::vector<TextInput> inputs;
  for (const std::string& text : texts) inputs.push_back({text, {}, {}});
  ScoringScratch scratch;
  return classifier.classify(inputs, scratch);
}

Prediction judged(const Model& model, const std::string& text, const Texts& labels,
                  const ClassifierOptions& options = {}, bool multi_label = false) {
  return judged(model, Texts{text}, labels, options, multi_label).at(0);
}

void check_row(const Model& model, const Json& row) {
  const auto text = row["text"].get<std::string>();
  const auto labels = row["labels"].get<Texts>();
  const auto numbers = [&](const char* name) { return row[name].get<std::vector<double>>(); };
  const Prediction found = judged(model, text, labels);
  const Prediction alone = judged(model, text, labels, {}, true);
  constexpr Tolerance kClose = {.absolute = 2e-5, .relative = 2e-5};
  CAPTURE(text);
  CAPTURE(row["labels"].dump());
  CHECK(found.error == "");
  CHECK(found.tokens == row["ids"].size());
  CHECK(close_to(found.logits, numbers("logits"), kClose));
  CHECK(close_to(alone.scores, numbers("sigmoid"), kClose));
  // With one label, softmax would say 1 whatever the text.
  CHECK(close_to(found.scores, numbers(labels.size() == 1 ? "sigmoid" : "softmax"), kClose));
  CHECK(found.best ==
        static_cast<std::size_t>(std::ranges::max_element(found.logits) - found.logits.begin()));
}

TEST_CASE("GLiClass models give the reference's tokens, logits and scores") {
  std::size_t rows = 0;
  for (const auto& entry : fs::directory_iterator(kFixtures)) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    const Model model = load(name);
    CHECK(model.warnings.empty());
    CHECK(model.contradictions.empty());
    CHECK(model.description.labels.empty());
    const Json file = read_json_file(entry.path().string() + "/expected.json");
    for (const Json& row : file["texts"]) {
      check_row(model, row);
      ++rows;
    }
  }
  CHECK(rows == 6 * 4 * 13);
}

TEST_CASE("the bits of a text do not depend on the texts beside it") {
  for (const std::string name : {"deberta-mlp-mean-segments", "modernbert-last-segments"}) {
    const Model model = load(name);
    const Texts labels = {"a", "b a", "ab"};
    const Texts texts = {"a b", "", "ab ab a, b a b", "a b", "b"};
    ClassifierOptions alone;
    alone.batch_tokens = 1;
    const auto together = judged(model, texts, labels);
    const auto apart = judged(model, texts, labels, alone);
    REQUIRE(together.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CHECK(together[i].logits == apart[i].logits);
      CHECK(together[i].logits == judged(model, texts[i], labels).logits);
    }
  }
}

TEST_CASE("of a long text, only the text is cut or split into windows") {
  for (const std::string& name : {kModern, kDeberta}) {
    CAPTURE(name);
    const Model model = load(name);
    const Texts labels = {"a", "b"};
    const auto score = [&](const std::string& text, ClassifierOptions options = {}) {
      return judged(model, text, labels, options);
    };
    // A text of one token leaves out what another token needs.
    const std::string first = "a";
    const std::size_t others = score(first).tokens - 1;
    ClassifierOptions options;
    options.max_length = others + 2;
    const std::string two = "a a";
    const std::string five = "a a a a a";
    const std::size_t tokens = score(five).tokens - others;
    const Prediction cut = score(five, options);
    CHECK(cut.logits == score(two).logits);
    CHECK(cut.truncated == tokens - 2);
    options.long_texts = LongTexts::error;
    CHECK(score(five, options).error.starts_with("has "));
    options.long_texts = LongTexts::window;
    options.stride = 0;
    const Prediction windows = score("a a a a", options);
    CHECK(windows.windows == 2);
    CHECK(windows.tokens == others + 4);
  }
}

TEST_CASE("the logits of a text in windows are the mean of those of the windows") {
  const Model model = load("deberta-wide-projectors-max");
  const Texts labels = {"b", "ab a"};
  ClassifierOptions options;
  options.max_length = judged(model, std::string("a a a"), labels).tokens;
  options.long_texts = LongTexts::window;
  options.stride = 1;
  const auto windows = judged(model, std::string("a a a a a ab"), labels, options);
  const auto parts = judged(model, Texts{"a a a", "a a a", "a ab"}, labels);
  REQUIRE(windows.windows == 3);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    double sum = 0.0;
    for (const Prediction& part : parts) sum += static_cast<double>(part.logits[i]);
    CHECK(windows.logits[i] == static_cast<float>(sum / 3.0));
  }
}

TEST_CASE("one label and 200 labels are scored in one pass, each by its own vector") {
  const Model model = load(kModern);
  Texts labels;
  for (int i = 0; i < 200; ++i) labels.push_back(std::string(i % 2 == 0 ? "a" : "b"));
  const Prediction many = judged(model, std::string("ab"), labels);
  CHECK(many.logits.size() == 200);
  CHECK(many.tokens < 512);
  CHECK(many.error == "");
  CHECK(judged(model, std::string("ab"), Texts{"a"}).logits.size() == 1);
}

TEST_CASE("a label token typed in a text is no label, and text with --plain-text") {
  ClassifierOptions plain;
  plain.plain_text = true;
  for (const std::string& name : {kModern, kDeberta}) {
    const Model model = load(name);
    const std::string typed = "a <<LABEL>> b";
    const Prediction found = judged(model, typed, {"a", "b"});
    const Prediction as_text = judged(model, typed, {"a", "b"}, plain);
    CHECK(found.logits.size() == 2);
    CHECK(found.logits != as_text.logits);
  }
}

TEST_CASE("int8 and bf16 give nearly the same logits") {
  const Texts labels = {"a", "b", "ab"};
  const auto exact = judged(load(kModern), std::string("a b ab"), labels).logits;
  for (const Precision precision : {Precision::bf16, Precision::int8}) {
    EngineSettings settings;
    settings.precision = precision;
    const Engine engine(settings);
    const Model model = engine.ready(load(kModern), Workload::many);
    const auto found = judged(model, std::string("a b ab"), labels).logits;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      CHECK(found[i] == doctest::Approx(exact[i]).epsilon(0.2).scale(1.0));
    }
  }
}

std::string refusal(const Model& model, const Texts& labels,
                    const ClassifierOptions& options = {}) {
  return error_of([&] { judged(model, std::string("a"), labels, options); });
}

TEST_CASE("labels that cannot be read are refused before any text") {
  for (const std::string& name : {kModern, kDeberta}) {
    const Model model = load(name);
    check_says(refusal(model, {"a", "b <<LABEL>>"}),
               "cannot read the label \"b <<LABEL>>\": <<LABEL>> begins a label");
    ClassifierOptions short_texts;
    short_texts.max_length = 10;
    CHECK(refusal(model, {"a", "a", "a"}, short_texts) == "");
    check_says(refusal(model, {"a", "a", "a", "a"}, short_texts),
               "the 4 labels of --zero-shot have 9 tokens and leave no room for a text in the 10 "
               "that are read at once; the first 3 fit");
    check_says(refusal(model, Texts(5000, "a")), "5000 labels of --zero-shot have 10001 tokens");
  }
}

/// A fixture with its files changed.
class Changed {
 public:
  explicit Changed(const std::string& name) {
    fs::copy(kFixtures / name, folder_.path(), fs::copy_options::recursive);
  }
  void replace(const std::string& file, const std::string& from, const std::string& to) {
    std::string content = folder_.read(file);
    const std::size_t at = content.find(from);
    REQUIRE(at != std::string::npos);
    folder_.write(file, content.replace(at, from.size(), to));
  }
  Model load() const { return load_model(locate_model(folder_.path(), "")); }
  std::string refusal() const {
    return error_of([&] { load(); });
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("a model that needs another computation is refused with the field") {
  struct Row {
    std::string from, to, reason;
  };
  const std::string no = ": false";
  const std::string yes = ": true";
  const Row rows[] = {
      {"\"uni-encoder\"", "\"bi-encoder\"",
       "config.json: architecture_type: found \"bi-encoder\", expected uni-encoder"},
      {"\"use_lstm\"" + no, "\"use_lstm\"" + yes, "use_lstm: found true, expected false"},
      {"\"squeeze_layers\"" + no, "\"squeeze_layers\"" + yes, "squeeze_layers: found true"},
      {"\"extract_text_features\"" + no, "\"extract_text_features\"" + yes,
       "extract_text_features: found true"},
      {"\"normalize_features\"" + no, "\"normalize_features\"" + yes,
       "normalize_features: found true"},
      {"\"use_calibrator\"" + no, "\"use_calibrator\"" + yes, "use_calibrator: found true"},
      {"\"embed_class_token\"" + yes, "\"embed_class_token\"" + no,
       "embed_class_token: found false, expected true"},
      {"\"encoder_layer_id\": -1", "\"encoder_layer_id\": 2", "encoder_layer_id: found 2"},
      {"\"simple\"", "\"hopfield\"",
       "scorer_type: found \"hopfield\", expected one of simple, mlp"},
      {"\"pooling_strategy\": \"first\"", "\"pooling_strategy\": \"rms\"",
       "pooling_strategy: found \"rms\", expected one of first, last, avg, max"},
      {"\"class_token_pooling\": \"first\"", "\"class_token_pooling\": \"sum\"",
       "class_token_pooling: found \"sum\", expected one of first, average"},
      {"\"projector_hidden_act\": \"gelu\"", "\"projector_hidden_act\": \"snake\"",
       "projector_hidden_act: found \"snake\""},
      {"\"class_token_index\": 40", "\"class_token_index\": 43", "class_token_index: found 43"},
      {"\"model_type\": \"deberta-v2\"", "\"model_type\": \"t5\"",
       "encoder_config.model_type: found \"t5\", expected one of deberta-v2, modernbert"},
      {"\"intermediate_size\": 17", "\"intermediate_size\": 0",
       "config.json: encoder_config: intermediate_size: found 0"},
      {"\"hidden_size\": 12", "\"hidden_size\": 13", "encoder_config: hidden_size 13"},
      {"\"encoder_config\"", "\"decoder_config\"", "encoder_config: missing"},
  };
  for (const auto& [from, to, reason] : rows) {
    Changed model(kDeberta);
    CAPTURE(to);
    model.replace("config.json", from, to);
    check_says(model.refusal(), reason);
  }
  Changed wide("deberta-wide-projectors-max");
  wide.replace("config.json", "\"simple\"", "\"mlp\"");
  check_says(wide.refusal(), "hidden_size: found 20, expected that of the encoder, 12");
  Changed typed("deberta-mlp-mean-segments");
  typed.replace("config.json", "\"type_vocab_size\": 0", "\"type_vocab_size\": 2");
  check_says(typed.refusal(), "use_segment_embeddings true is not supported");
}

TEST_CASE("a missing tensor and a tokenizer without label tokens are refused") {
  const std::string names[] = {"model.text_projector.linear_1.bias",
                               "model.classes_projector.linear_2.weight",
                               "model.scorer.mlp.2.weight",
                               "model.logit_scale",
                               "model.segment_embeddings.weight",
                               "model.encoder_model.embeddings.LayerNorm.weight",
                               "model.encoder_model.encoder.layer.1.output.dense.bias"};
  for (const std::string& name : names) {
    Changed model("deberta-mlp-mean-segments");
    std::string other = name;
    other.back() = '_';
    model.replace("model.safetensors", '"' + name + '"', '"' + other + '"');
    check_says(model.refusal(), "model.safetensors: tensor " + name + ": missing");
  }
  for (const std::string token : {"<<LABEL>>", "<<SEP>>"}) {
    Changed model("modernbert-last-segments");
    model.replace("tokenizer.json", token, "<<OTHER>");
    check_says(refusal(model.load(), {"a", "b"}),
               "tokenizer.json: does not read <<LABEL>> and <<SEP>> as the tokens 15 and 16");
  }
}

}  // namespace
}  // namespace headlight::one_pass_zero_shot_test
