// The C interface gives what the rooms give.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/classifier.h"
#include "classifier/embedder.h"
#include "classifier/small_models.h"
#include "encoder/forward.h"
#include "inside/explanation.h"
#include "inside/inside.h"
#include "library/c_interface.h"
#include "model/sentence_modules.h"

namespace headlight::library_results_test {
namespace {

const std::vector<std::string> kTexts = {
    "not bad at all", "a gorgeous, witty, seductive movie", "", "Ω — naïve café", "dull",
    "not bad at all"};

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::vector<TextInput> inputs_of(const std::vector<std::string>& texts) {
  std::vector<TextInput> inputs;
  for (const std::string& text : texts) inputs.push_back({text, {}, {}});
  return inputs;
}

TEST_CASE("logits, probabilities and counts are those of a classifier, for any number of threads") {
  const Model model = load_model(locate_model(kSentiment, ""));
  const Classifier classifier(model, {});
  ScoringScratch scratch;
  std::vector<std::string> texts;
  for (int i = 0; i < 30; ++i) texts.insert(texts.end(), kTexts.begin(), kTexts.end());
  const auto expected = classifier.classify(inputs_of(texts), scratch);
  for (const int threads : {1, 2, 5}) {
    CAPTURE(threads);
    const auto engine = new_engine(threads);
    const auto loaded = load(engine.get(), kSentiment);
    const std::size_t labels = hl_model_labels(loaded.get());
    std::vector<float> logits(texts.size() * labels);
    std::vector<float> probabilities(texts.size() * labels);
    std::vector<hl_row> rows(texts.size());
    REQUIRE(hl_classify(loaded.get(), texts_of(texts).data(), texts.size(), nullptr, logits.data(),
                        probabilities.data(), rows.data()) == HL_OK);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(i);
      CHECK(same_bits({&logits[labels * i], labels}, expected[i].logits));
      CHECK(same_bits({&probabilities[labels * i], labels}, expected[i].scores));
      CHECK(rows[i].status == HL_OK);
      CHECK(rows[i].tokens == expected[i].tokens);
      CHECK(rows[i].truncated == 0);
    }
  }
}

TEST_CASE("a bad text is a row of NaN with a reason, and the others are scored") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), kSentiment);
  const std::vector<std::string> texts = {"good", "a\xFF", "bad"};
  const auto c_texts = texts_of(texts);
  std::vector<float> logits(9);  // of three labels
  std::vector<float> probabilities(9);
  std::vector<hl_row> rows(3);
  CHECK(hl_classify(model.get(), c_texts.data(), 3, nullptr, logits.data(), probabilities.data(),
                    rows.data()) == HL_OK);
  CHECK(rows[1].status == HL_BAD_TEXT);
  CHECK(std::isnan(logits[3]));
  CHECK(std::isnan(probabilities[5]));
  CHECK(rows[2].status == HL_OK);
  CHECK(logits[6] == logits_of(model.get(), {"bad"})[0]);

  const std::string reason = "not valid UTF-8 at byte 1";
  char buffer[100];
  CHECK(hl_text_error(model.get(), &c_texts[1], nullptr, buffer, sizeof(buffer)) == reason.size());
  CHECK(buffer == reason);
  CHECK(hl_text_error(model.get(), &c_texts[1], nullptr, buffer, 4) == reason.size());
  CHECK(std::string(buffer) == "not");
  CHECK(hl_text_error(model.get(), &c_texts[1], nullptr, nullptr, 0) == reason.size());
  CHECK(hl_text_error(model.get(), &c_texts[0], nullptr, buffer, sizeof(buffer)) == 0);
  CHECK(std::string(buffer).empty());
}

TEST_CASE("of a model without labels, the reason is that of its vectors") {
  const auto engine = new_engine();
  const auto model =
      load(engine.get(), std::string(HEADLIGHT_TEST_DATA) + "/golden/sentences/mean-normalize");
  const hl_text text = {"a a a a a", HL_C_STRING, nullptr, 0};
  hl_run_options options = run_options();
  options.long_texts = "error";
  std::vector<float> vector(hl_model_embedding_width(model.get()));
  hl_row row{};
  expect_ok(hl_embed(model.get(), &text, 1, &options, vector.data(), &row));
  CHECK(row.status == HL_BAD_TEXT);
  char reason[100];
  hl_text_error(model.get(), &text, &options, reason, sizeof(reason));
  CHECK(std::string(reason) == "has 7 tokens, more than the 6 that can be read");
}

TEST_CASE("texts have a length or end in NUL, and may be pairs") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const hl_text texts[] = {{"one two", 3, nullptr, 0},
                           {"one", HL_C_STRING, nullptr, 0},
                           {"one", 3, "two", HL_C_STRING},
                           {"one", 3, "two three", 3},
                           {"one", 3, "", 0}};
  std::vector<float> logits(15);
  REQUIRE(hl_classify(model.get(), texts, 5, nullptr, logits.data(), nullptr, nullptr) == HL_OK);
  const auto row = [&](std::size_t i) {
    return std::vector<float>(&logits[3 * i], &logits[3 * i] + 3);
  };
  CHECK(row(0) == row(1));
  CHECK(row(2) == row(3));
  CHECK(row(2) != row(0));
  CHECK(row(4) != row(0));
}

TEST_CASE("long texts are cut, refused or read in windows") {
  const TemporaryFolder folder;
  encoder_model(folder);
  const auto engine = new_engine();
  const auto model = load(engine.get(), folder / "encoder");
  CHECK(hl_model_max_tokens(model.get()) == 512);
  const std::string text = random_words(40, 3);
  const hl_text c_text = text_of(text);
  hl_run_options options = run_options();
  options.max_tokens = 16;
  hl_row row;
  std::vector<float> logits(3);
  REQUIRE(hl_classify(model.get(), &c_text, 1, &options, logits.data(), nullptr, &row) == HL_OK);
  CHECK(row.tokens == 16);
  CHECK(row.truncated == 24);
  options.long_texts = "error";
  REQUIRE(hl_classify(model.get(), &c_text, 1, &options, logits.data(), nullptr, &row) == HL_OK);
  CHECK(row.status == HL_BAD_TEXT);
  options.long_texts = "window";
  REQUIRE(hl_classify(model.get(), &c_text, 1, &options, logits.data(), nullptr, &row) == HL_OK);
  CHECK(row.tokens == 40);
  CHECK(row.truncated == 0);
}

TEST_CASE("models say what they are") {
  const auto engine = new_engine();
  struct Row {
    const char* name;
    const char* problem_type;
  };
  const Row rows[] = {{"bert-three-labels", "single_label_classification"},
                      {"bert-multi-label-shards", "multi_label_classification"},
                      {"xlm-roberta-regression", "regression"},
                      {"bert-model", "single_label_classification"}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const auto model = load(engine.get(), published(row.name));
    const Model expected = load_model(locate_model(published(row.name), ""));
    CHECK(hl_model_labels(model.get()) == expected.description.classes());
    CHECK(hl_model_problem_type(model.get()) == std::string(row.problem_type));
    CHECK(hl_model_layers(model.get()) == expected.description.layers.size());
    CHECK(hl_model_heads(model.get(), 0) == expected.description.layers[0].heads.sizes.size());
    CHECK(hl_model_heads(model.get(), 99) == 0);
    CHECK(hl_model_label(model.get(), expected.description.classes()) == nullptr);
    const auto& labels = expected.description.labels;
    if (!labels.empty()) CHECK(hl_model_label(model.get(), 0) == labels[0]);
  }
}

TEST_CASE("a regression has no probabilities, and some models have no labels of a text") {
  const auto engine = new_engine();
  const hl_text text = {"a", 1, nullptr, 0};
  std::vector<float> numbers(100);
  float* const out = numbers.data();
  const auto regression = load(engine.get(), published("xlm-roberta-regression"));
  CHECK(hl_classify(regression.get(), &text, 1, nullptr, out, out + 50, nullptr) ==
        HL_BAD_ARGUMENT);
  CHECK(hl_last_error() == std::string("a regression has no probabilities; pass NULL"));
  CHECK(hl_classify(regression.get(), &text, 1, nullptr, out, nullptr, nullptr) == HL_OK);
  const auto tokens = load(engine.get(), published("bert-token-labels"));
  CHECK(hl_classify(tokens.get(), &text, 1, nullptr, out, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_last_error() == std::string("the model labels each token, not the text"));
  const auto none = load(engine.get(), published("bert-model"));
  CHECK(hl_classify(none.get(), &text, 1, nullptr, out, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_last_error() == std::string("the model has no classification head"));
}

TEST_CASE("a model reads pairs if it was trained on them, or nothing tells that it was not") {
  const auto engine = new_engine(1);
  const TemporaryFolder folder;
  encoder_model(folder);
  std::string config = content_of(folder / "encoder/config.json");
  const auto reads = [&](const std::string& path) {
    return hl_model_reads_pairs(load(engine.get(), path).get());
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = config;
    folder.write("encoder/config.json", changed.replace(changed.find(from), from.size(), to));
    return reads(folder / "encoder");
  };
  CHECK(reads(folder / "encoder") == 0);
  CHECK(with("{", R"({"pairs": true, )") == 1);
  CHECK(with(R"("a")", R"("entailment")") == 1);
  CHECK(reads(kSentiment) == 0);
  CHECK(reads(published("bert-three-labels")) == 1);
  CHECK(reads(published("bert-model")) == 0);
  CHECK(hl_model_reads_pairs(nullptr) == 0);
}

TEST_CASE("thresholds are those that are stored, of a model of several labels") {
  const auto engine = new_engine(1);
  const auto single = load(engine.get(), published("bert-three-labels"));
  CHECK(hl_model_thresholds(single.get(), nullptr) == 0);
  CHECK(hl_model_thresholds(nullptr, nullptr) == 0);
  const TemporaryFolder folder;
  std::filesystem::copy(published("bert-multi-label-shards"), folder / "several");
  const std::vector<float> expected[] = {{0.5F, 0.5F, 0.5F, 0.5F, 0.5F},
                                         {0.5F, 0.25F, 0.5F, 0.5F, 0.75F}};
  for (const auto& thresholds : expected) {
    const auto model = load(engine.get(), folder / "several");
    std::vector<float> found(5);
    CHECK(hl_model_thresholds(model.get(), nullptr) == 5);
    CHECK(hl_model_thresholds(model.get(), found.data()) == 5);
    CHECK(found == thresholds);
    folder.write("several/calibration.json",
                 R"({"thresholds": {"LABEL_1": 0.25, "LABEL_4": 0.75}})");
  }
}

TEST_CASE("a model whose scores are its logits has probabilities all the same") {
  const TemporaryFolder folder;
  std::filesystem::copy(published("bert-three-labels"), folder / "m");
  std::string config = content_of(folder / "m/config.json");
  config.insert(config.find('{') + 1,
                R"("sentence_transformers": {"activation_fn": "torch.nn.Identity"},)");
  folder.write("m/config.json", config);
  const auto engine = new_engine();
  const auto model = load(engine.get(), folder / "m");
  const auto own = load(engine.get(), published("bert-three-labels"));
  const hl_text text = {"one", 3, nullptr, 0};
  float logits[3];
  float probabilities[3];
  float expected[3];
  REQUIRE(hl_classify(model.get(), &text, 1, nullptr, logits, probabilities, nullptr) == HL_OK);
  REQUIRE(hl_classify(own.get(), &text, 1, nullptr, logits, expected, nullptr) == HL_OK);
  CHECK(same_bits(probabilities, expected));
}

TEST_CASE("vectors are those of an embedder, whose folder may read texts in its own way") {
  const auto engine = new_engine();
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HEADLIGHT_TEST_DATA) +
                                                               "/golden/sentences")) {
    if (!entry.is_directory()) continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    Model model = load_model(locate_model(path, ""));
    const SentenceModules modules = read_sentence_modules(model, {});
    apply_reading(modules, model);
    EmbedderOptions how;
    how.prompt = prompt_of(modules, {}, model.place);
    const Embedder embedder(model, modules, how);
    ScoringScratch scratch;
    std::vector<std::string> texts = kTexts;
    texts.push_back("LONG Words " + random_words(300, 1));
    const auto expected = embedder.embed(inputs_of(texts), scratch, [] { return false; });
    const auto loaded = load(engine.get(), path);
    REQUIRE(hl_model_embedding_width(loaded.get()) == embedder.width());
    std::vector<float> vectors(texts.size() * embedder.width());
    std::vector<hl_row> rows(texts.size());
    REQUIRE(hl_embed(loaded.get(), texts_of(texts).data(), texts.size(), nullptr, vectors.data(),
                     rows.data()) == HL_OK);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      CAPTURE(i);
      CHECK((rows[i].status == HL_OK) == expected[i].error.empty());
      if (!expected[i].error.empty()) continue;
      CHECK(rows[i].tokens == expected[i].tokens);
      CHECK(same_bits({&vectors[i * embedder.width()], embedder.width()}, expected[i].vector));
    }
  }
}

TEST_CASE("tokens are the whole text's, with places in bytes") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), kSentiment);
  const hl_text text = {"é bad", HL_C_STRING, "no", HL_C_STRING};
  hl_run_options options = run_options();
  options.max_tokens = 3;  // tokens of a text are all shown
  hl_encoding* made = nullptr;
  REQUIRE(hl_tokenize(model.get(), &text, &options, &made) == HL_OK);
  const Held<hl_encoding> encoding(made);
  struct Row {
    const char* token;
    int sequence;
    std::size_t begin, end;
  };
  const Row rows[] = {{"[CLS]", 0, 0, 0}, {"e", 1, 0, 2},  {"bad", 1, 3, 6},
                      {"[SEP]", 0, 0, 0}, {"no", 2, 0, 2}, {"[SEP]", 0, 0, 0}};
  REQUIRE(hl_encoding_size(made) == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    std::size_t begin = 9;
    std::size_t end = 9;
    CHECK(hl_encoding_offsets(made, i, &begin, &end) == rows[i].sequence);
    CHECK(begin == rows[i].begin);
    CHECK(end == rows[i].end);
    CHECK(hl_encoding_token(made, i) == std::string(rows[i].token));
  }
  const Model expected = load_model(locate_model(kSentiment, ""));
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(expected.tokenizer->token(static_cast<TokenId>(hl_encoding_ids(made)[i])) ==
          rows[i].token);
  }
  CHECK(hl_encoding_token(made, 6) == nullptr);
  CHECK(hl_encoding_offsets(made, 6, nullptr, nullptr) == 0);
}

/// softmax(q kᵀ / √e) v and the weights, from what an attention shows of a head.
void check_head(const hl_attention* attention, std::size_t layer, std::size_t head) {
  const std::size_t t = hl_encoding_size(hl_attention_encoding(attention));
  const std::size_t e = hl_attention_head_size(attention, layer, head);
  const float* q = hl_attention_queries(attention, layer, head);
  const float* k = hl_attention_keys(attention, layer, head);
  for (std::size_t i = 0; i < t; ++i) {
    std::vector<double> weights(t);
    double sum = 0;
    for (std::size_t j = 0; j < t; ++j) {
      double score = 0;
      for (std::size_t x = 0; x < e; ++x) score += static_cast<double>(q[i * e + x] * k[j * e + x]);
      sum += weights[j] = std::exp(score / std::sqrt(static_cast<double>(e)));
    }
    for (std::size_t j = 0; j < t; ++j) {
      const float found = hl_attention_weights(attention, layer, head)[i * t + j];
      CHECK(std::abs(weights[j] / sum - static_cast<double>(found)) < 1e-5);
    }
  }
}

TEST_CASE("attention has the weights of a trace, and queries and keys that give them") {
  const auto engine = new_engine();
  for (const char* name :
       {"bert-three-labels", "eurobert-late", "llama-three-labels", "bert-token-labels"}) {
    CAPTURE(name);
    const Model model = load_model(locate_model(published(name), ""));
    const Classifier classifier(model, {});
    Trace wanted;
    wanted.wants_attention = wanted.wants_values = true;
    const TextInput input{"one two three", {}, {}};
    const Encoding encoding = classifier.reader().encode(input);
    Scratch scratch;
    const Prediction prediction = classifier.classify_traced(encoding, scratch, wanted);
    const auto loaded = load(engine.get(), published(name));
    const hl_text text = text_of(input.text);
    hl_attention* made = nullptr;
    REQUIRE(hl_attend(loaded.get(), &text, nullptr, &made) == HL_OK);
    const Held<hl_attention> attention(made);
    const std::size_t t = encoding.size();
    REQUIRE(hl_encoding_size(hl_attention_encoding(made)) == t);
    for (std::size_t layer = 0; layer < model.description.layers.size(); ++layer) {
      const auto& heads = model.description.layers[layer].heads;
      std::size_t column = 0;
      for (std::size_t head = 0; head < heads.sizes.size(); ++head) {
        const auto& expected = wanted.texts[0].attention[layer];
        CHECK(same_bits({hl_attention_weights(made, layer, head), t * t},
                        {expected.data() + head * t * t, t * t}));
        const std::size_t e = heads.sizes[head];
        REQUIRE(hl_attention_head_size(made, layer, head) == e);
        const auto& values = wanted.texts[0].values[layer];
        for (std::size_t i = 0; i < t; ++i) {
          CHECK(same_bits({hl_attention_values(made, layer, head) + i * e, e},
                          {values.data() + i * heads.width() + column, e}));
        }
        column += e;
        if (name == std::string("bert-three-labels")) check_head(made, layer, head);
      }
      CHECK(hl_attention_weights(made, layer, heads.sizes.size()) == nullptr);
    }
    CHECK((hl_attention_logits(made) == nullptr) == prediction.logits.empty());
    if (!prediction.logits.empty()) {
      CHECK(same_bits({hl_attention_logits(made), prediction.logits.size()}, prediction.logits));
    }
  }
}

TEST_CASE("attention that the machine has no memory for is refused") {
  const TemporaryFolder folder;
  folder.write("long/config.json", R"({"model_type": "headlight", "vocab_size": 2,
      "hidden_size": 2, "num_hidden_layers": 1, "num_attention_heads": 2,
      "position_embedding_type": "none", "max_position_embeddings": 100000000,
      "id2label": ["a", "b"],
      "tokenizer": {"type": "whitespace", "vocabulary": ["a", "b"], "unk_token": "b"}})");
  init_model(folder / "long/config.json", folder / "made", 1, true);
  const auto engine = new_engine();
  const auto model = load(engine.get(), folder / "made");
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "a ";
  const hl_text c_text = text_of(text);
  hl_attention* made = nullptr;
  CHECK(hl_attend(model.get(), &c_text, nullptr, &made) == HL_NO_MEMORY);
  CHECK(hl_last_error() == std::string("not enough memory"));
}

TEST_CASE("effects are those of an explainer") {
  const auto engine = new_engine();
  const auto loaded = load(engine.get(), kSentiment);
  const Model model = load_model(locate_model(kSentiment, ""));
  const Classifier classifier(model, {});
  const TextInput input{"né  bad", {}, {}};
  const auto expected =
      explain_by_occlusion(classifier, input, ExplanationOrder::words, {[] { return false; }, {}});
  const hl_text text = text_of(input.text);
  hl_explanation* made = nullptr;
  REQUIRE(hl_explain(loaded.get(), &text, nullptr, &made) == HL_OK);
  const Held<hl_explanation> explanation(made);
  REQUIRE(hl_explanation_words(made) == 2);
  CHECK(same_bits({hl_explanation_logits(made), 3}, expected->prediction.logits));
  std::size_t begin = 0;
  std::size_t end = 0;
  CHECK(hl_explanation_word(made, 1, &begin, &end) == 1);
  CHECK(begin == 5);
  CHECK(end == 8);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(same_bits({hl_explanation_effects(made, i), 3}, expected->words[i].effect));
  }
  CHECK(hl_explanation_effects(made, 2) == nullptr);
  CHECK(hl_explanation_word(made, 2, nullptr, nullptr) == 0);

  hl_run_options options = run_options();
  for (const char* method : {"shapley", "gradient", "integrated-gradients", "lrp"}) {
    CAPTURE(method);
    options.method = method;
    REQUIRE(hl_explain(loaded.get(), &text, &options, &made) == HL_OK);
    const Held<hl_explanation> other(made);
    CHECK(same_bits({hl_explanation_logits(made), 3}, expected->prediction.logits));
    CHECK(hl_explanation_effects(made, 0)[0] != hl_explanation_effects(explanation.get(), 0)[0]);
  }
}

TEST_CASE("without a method, n-grams are explained exactly, unless they are read in windows") {
  const TemporaryFolder folder;
  const std::string config = folder.write("static.json", R"({"model_type": "headlight",
      "vocab_size": 3, "hidden_size": 2, "num_hidden_layers": 0, "num_attention_heads": 1,
      "position_embedding_type": "none", "ngram_sizes": [2], "ngram_buckets": 4,
      "id2label": ["a", "b"],
      "tokenizer": {"type": "whitespace", "vocabulary": ["none", "good", "bad"],
                    "unk_token": "none"}})");
  init_model(config, folder / "static", 1, true);
  const auto engine = new_engine();
  const auto model = load(engine.get(), folder / "static");
  const std::string good = "good bad";
  const hl_text text = text_of(good);
  const auto effect_by = [&](const char* method, const char* long_texts = nullptr) {
    hl_run_options options = run_options();
    options.method = method;
    options.long_texts = long_texts;
    hl_explanation* made = nullptr;
    expect_ok(hl_explain(model.get(), &text, &options, &made));
    return hl_explanation_effects(Held<hl_explanation>(made).get(), 1)[0];
  };
  CHECK(effect_by(nullptr) == effect_by("exact"));
  CHECK(effect_by(nullptr) != effect_by("occlusion"));
  CHECK(effect_by(nullptr, "window") == effect_by("occlusion", "window"));
}

TEST_CASE("among some labels, the softmax is over their logits, and rows count unknown tokens") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const std::vector<std::string> texts = {"a bb", "qqq a", "a\xff", "qqq"};
  const auto whole = logits_of(model.get(), texts);
  const char* const labels[] = {"yes", "no"};  // of no, maybe, yes
  std::vector<std::uint32_t> unknown(4, 99);
  hl_run_options options = run_options();
  options.among = labels;
  options.among_count = 2;
  options.unknown = unknown.data();
  std::vector<float> logits(8);
  std::vector<float> probabilities(8);
  expect_ok(hl_classify(model.get(), texts_of(texts).data(), 4, &options, logits.data(),
                        probabilities.data(), nullptr));
  CHECK(std::isnan(logits[4]));
  CHECK(std::isnan(probabilities[5]));
  for (const std::size_t i : {0, 1, 3}) {
    CHECK(logits[2 * i] == whole[3 * i]);
    CHECK(logits[2 * i + 1] == whole[3 * i + 2]);
    const double no = 1 / (1 + std::exp(double{logits[2 * i + 1]} - logits[2 * i]));
    CHECK(probabilities[2 * i] == doctest::Approx(no));
  }
  CHECK(unknown == std::vector<std::uint32_t>{0, 1, 0, 1});
  std::vector<hl_best> best(4);
  options.best = best.data();
  expect_ok(
      hl_classify(model.get(), texts_of(texts).data(), 4, &options, nullptr, nullptr, nullptr));
  CHECK(best[2].label == UINT32_MAX);  // a bad text
  for (const std::size_t i : {0, 1, 3}) {
    CHECK(best[i].label == (probabilities[2 * i + 1] > probabilities[2 * i] ? 1 : 0));
    CHECK(best[i].score == probabilities[2 * i + best[i].label]);
  }

  // A call for something else has the labels of the model.
  hl_explanation* made = nullptr;
  expect_ok(hl_explain(model.get(), texts_of(texts).data(), &options, &made));
  CHECK(hl_explanation_logits(Held<hl_explanation>(made).get())[2] == whole[2]);
}

TEST_CASE("without a head its output is zero, which two heads alone show") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), published("bert-three-labels"));
  const std::vector<std::string> texts = {"one two", "three"};
  const auto whole = logits_of(model.get(), texts);
  hl_run_options options = run_options();
  const std::vector<std::uint32_t> heads = {0 * 65536 + 1, 1 * 65536 + 0};
  options.heads_off = heads.data();
  options.heads_off_count = 2;
  const auto without = logits_of(model.get(), texts, &options);
  CHECK(without != whole);

  // The same by a pass that takes the part out, one head at a time.
  options.heads_off_count = 1;
  const auto one = logits_of(model.get(), {"one two"}, &options);
  const Model loaded = load_model(locate_model(published("bert-three-labels"), ""));
  const Classifier classifier(loaded, {});
  Batch batch;
  const Encoding encoding = classifier.reader().encode({"one two", {}, {}});
  batch.add(encoding.ids, encoding.type_ids);
  Scratch scratch;
  Trace trace;
  trace.wants_hidden = trace.wants_context = true;
  forward(loaded.description, loaded.weights, {batch, scratch, &trace});
  AblatedParts part;
  part.parts = {{PartKind::head, 0, 1}};
  const auto matrix = [&](const std::vector<float>& rows) {
    return ConstMatrix(rows.data(), encoding.size(), rows.size() / encoding.size());
  };
  part.hidden = matrix(trace.texts[0].hidden[0]);
  part.context = matrix(trace.texts[0].context[0]);
  const ConstMatrix expected = forward(loaded.description, loaded.weights, {batch, scratch, &part});
  CHECK(same_bits(one, expected.row(0)));

  const hl_text text = {"one two", 7, nullptr, 0};
  hl_attention* made = nullptr;
  options.heads_off_count = 2;
  REQUIRE(hl_attend(model.get(), &text, &options, &made) == HL_OK);
  const Held<hl_attention> attention(made);
  CHECK(same_bits({hl_attention_logits(made), 3}, {without.data(), 3}));
}

}  // namespace
}  // namespace headlight::library_results_test
