// What the C interface says of a text's attention, beside plain float64 loops over its weights.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "attention_golden.h"
#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "library/c_interface.h"

namespace headlight::library_attention_test {
namespace {

Held<hl_attention> attend(const hl_model* model, const hl_text& text,
                          const hl_run_options* options = nullptr) {
  hl_attention* made = nullptr;
  expect_ok(hl_attend(model, &text, options, &made));
  return Held<hl_attention>(made);
}

hl_text pair_of(const std::string& text, const std::string& pair) {
  return {text.data(), text.size(), pair.data(), pair.size()};
}

std::size_t tokens_of(const hl_attention* attention) {
  return hl_encoding_size(hl_attention_encoding(attention));
}

/// A model of tests/golden/attention.json.
Held<hl_model> golden_model(hl_engine* engine, const TemporaryFolder& folder, std::size_t number) {
  const Json& golden = attention_golden()["models"][number];
  const std::string name = "golden-" + std::to_string(number);
  folder.write(name + "/config.json", golden["config"].dump());
  folder.write(name + "/weights.json", Json({{"tensors", golden["tensors"]}}).dump());
  return load(engine, folder / name);
}

/// Two layers of three heads with random weights, over the words w0 … w9. `fields` are more of its
/// config. Returns its folder.
std::string random_model(const TemporaryFolder& folder, const std::string& fields) {
  static int number = 0;
  const std::string name = "random-" + std::to_string(++number);
  const std::string config = folder.write(name + ".json", R"({"model_type": "headlight",
      "vocab_size": 10, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
      "tokenizer": {"type": "whitespace", "unk_token": "w0", "vocabulary": ["w0", "w1", "w2", "w3",
                    "w4", "w5", "w6", "w7", "w8", "w9"]}, )" + fields +
                                                              "}");
  init_model(config, folder / name, static_cast<std::uint64_t>(number), true);
  return folder / name;
}

TEST_CASE("a token goes on with the word before it where both touch, and no mark is between") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), kSentiment);
  const std::string text = "unforgettableness, semi-detached x2 don't";
  const std::string pair = "unforgettableness";
  const auto attention = attend(model.get(), pair_of(text, pair));
  const hl_encoding* encoding = hl_attention_encoding(attention.get());
  const std::uint32_t* words = hl_encoding_words(encoding);
  std::uint32_t word = 0;
  std::size_t pieces = 0;
  std::size_t last_end = 0;
  for (std::size_t i = 0; i < hl_encoding_size(encoding); ++i) {
    CAPTURE(i);
    std::size_t begin = 0;
    std::size_t end = 0;
    const int sequence = hl_encoding_offsets(encoding, i, &begin, &end);
    const std::string& source = sequence == 2 ? pair : text;
    const bool continues = i > 0 && sequence > 0 && begin > 0 && begin == last_end &&
                           std::isalnum(source[begin - 1]) != 0 && std::isalnum(source[begin]) != 0;
    if (i > 0 && !continues) ++word;
    if (continues) ++pieces;
    CHECK(words[i] == word);
    last_end = end;
  }
  CHECK(pieces >= 4);
  CHECK(word == 12);
  CHECK(hl_encoding_words(nullptr) == nullptr);
}

TEST_CASE("tokens that were cut are counted, of the text that attends") {
  const TemporaryFolder folder;
  encoder_model(folder);
  const auto engine = new_engine();
  const auto model = load(engine.get(), folder / "encoder");
  hl_run_options options = run_options();
  options.max_tokens = 16;
  const std::string words = random_words(40, 3);
  const hl_text text = text_of(words);
  const auto cut = attend(model.get(), text, &options);
  CHECK(hl_encoding_truncated(hl_attention_encoding(cut.get())) == 24);
  CHECK(hl_encoding_words(hl_attention_encoding(cut.get()))[15] == 15);
  const auto whole = attend(model.get(), text);
  CHECK(hl_encoding_truncated(hl_attention_encoding(whole.get())) == 0);
  hl_encoding* made = nullptr;
  REQUIRE(hl_tokenize(model.get(), &text, &options, &made) == HL_OK);
  const Held<hl_encoding> encoding(made);
  CHECK(hl_encoding_truncated(made) == 0);
  CHECK(hl_encoding_words(made) == nullptr);
  CHECK(hl_encoding_truncated(nullptr) == 0);
}

TEST_CASE("unknown tokens are counted") {
  const TemporaryFolder folder;
  encoder_model(folder);
  const auto engine = new_engine();
  const auto model = load(engine.get(), folder / "encoder");
  const std::string words = "w7 other words w8";
  const hl_text text = text_of(words);
  const auto attention = attend(model.get(), text);
  CHECK(hl_encoding_unknown(hl_attention_encoding(attention.get())) == 2);
  hl_encoding* made = nullptr;
  REQUIRE(hl_tokenize(model.get(), &text, nullptr, &made) == HL_OK);
  const Held<hl_encoding> encoding(made);
  CHECK(hl_encoding_unknown(made) == 2);
  CHECK(hl_encoding_unknown(nullptr) == 0);
}

TEST_CASE("probabilities are those of hl_classify, where there are any") {
  const auto engine = new_engine();
  const std::uint32_t head = 1;
  hl_run_options without = run_options();
  without.heads_off = &head;
  without.heads_off_count = 1;
  const hl_text text = {"one two", 7, "three", 5};
  const TemporaryFolder folder;
  const std::string labels = R"("id2label": ["a", "b", "c"], )";
  std::filesystem::copy(published("bert-three-labels"), folder / "identity");
  std::string config = content_of(folder / "identity/config.json");
  config.insert(config.find('{') + 1,
                R"("sentence_transformers": {"activation_fn": "torch.nn.Identity"},)");
  folder.write("identity/config.json", config);
  const std::string paths[] = {
      kSentiment, published("deberta-three-labels"),
      random_model(folder, labels + R"("problem_type": "multi_label_classification")"),
      random_model(folder, R"("id2label": ["one"])"), folder / "identity"};
  for (const std::string& path : paths) {
    CAPTURE(path);
    const auto model = load(engine.get(), path);
    const std::size_t c = hl_model_labels(model.get());
    const hl_run_options* const all = nullptr;
    for (const hl_run_options* options : {all, static_cast<const hl_run_options*>(&without)}) {
      std::vector<float> logits(c);
      std::vector<float> expected(c);
      REQUIRE(hl_classify(model.get(), &text, 1, options, logits.data(), expected.data(),
                          nullptr) == HL_OK);
      const auto attention = attend(model.get(), text, options);
      const float* found = hl_attention_probabilities(attention.get());
      REQUIRE(found != nullptr);
      CHECK(std::vector<float>(found, found + c) == expected);
    }
  }
  for (const std::string& path :
       {published("xlm-roberta-regression"), published("bert-token-labels"),
        published("../sentences/mean-normalize")}) {
    CAPTURE(path);
    const auto model = load(engine.get(), path);
    CHECK(hl_attention_probabilities(attend(model.get(), text).get()) == nullptr);
  }
  CHECK(hl_attention_probabilities(nullptr) == nullptr);
}

TEST_CASE("entropy is the mean of that of the rows") {
  const auto engine = new_engine();
  for (const char* name : {"bert-three-labels", "llama-three-labels", "deberta-three-labels"}) {
    CAPTURE(name);
    const auto model = load(engine.get(), published(name));
    for (const std::string text : {"one two three", "", "one"}) {
      CAPTURE(text);
      const auto attention = attend(model.get(), text_of(text));
      const std::size_t t = tokens_of(attention.get());
      for (std::size_t head = 0; head < hl_model_heads(model.get(), 1); ++head) {
        const float* weights = hl_attention_weights(attention.get(), 1, head);
        double sum = 0;
        for (std::size_t i = 0; i < t * t; ++i) {
          const auto a = static_cast<double>(weights[i]);
          if (a > 0) sum -= a * std::log(a);
        }
        const double found = hl_attention_entropy(attention.get(), 1, head);
        CHECK(std::abs(found - sum / static_cast<double>(t)) < 1e-12);
      }
      CHECK(std::isnan(hl_attention_entropy(attention.get(), 1, 99)));
      CHECK(std::isnan(hl_attention_entropy(attention.get(), 99, 0)));
    }
  }
  CHECK(std::isnan(hl_attention_entropy(nullptr, 0, 0)));
}

TEST_CASE("label attention is NumPy's, [c, t] of each head") {
  const TemporaryFolder folder;
  const auto engine = new_engine();
  const auto model = golden_model(engine.get(), folder, 2);
  const Json& golden = attention_golden()["models"][2];
  const std::string text = golden["text"];
  const auto attention = attend(model.get(), text_of(text));
  const std::size_t t = tokens_of(attention.get());
  REQUIRE(hl_model_label_heads(model.get()) == 2);
  for (std::size_t head = 0; head < 2; ++head) {
    const float* weights = hl_attention_label_weights(attention.get(), head);
    REQUIRE(weights != nullptr);
    for (std::size_t label = 0; label < 3; ++label) {
      for (std::size_t i = 0; i < t; ++i) {
        const double expected = golden["label_attention"][label][head][i];
        CHECK(std::abs(static_cast<double>(weights[label * t + i]) - expected) < 1e-6);
      }
    }
  }
  CHECK(hl_attention_label_weights(attention.get(), 2) == nullptr);
  CHECK(hl_attention_label_weights(nullptr, 0) == nullptr);
  const auto without = golden_model(engine.get(), folder, 0);
  CHECK(hl_model_label_heads(without.get()) == 0);
  CHECK(hl_model_label_heads(nullptr) == 0);
  CHECK(hl_attention_label_weights(attend(without.get(), text_of(text)).get(), 0) == nullptr);
}

/// The attention from word to word, by plain sums over what the handle says.
double between_words(const hl_attention* attention, const float* weights, std::uint32_t query,
                     std::uint32_t key) {
  const std::size_t t = tokens_of(attention);
  const std::uint32_t* words = hl_encoding_words(hl_attention_encoding(attention));
  double sum = 0;
  double queries = 0;
  for (std::size_t i = 0; i < t; ++i) {
    if (words[i] != query) continue;
    ++queries;
    for (std::size_t j = 0; j < t; ++j) {
      if (words[j] == key) sum += static_cast<double>(weights[i * t + j]);
    }
  }
  return sum / queries;
}

std::size_t words_in(const hl_attention* attention) {
  const hl_encoding* encoding = hl_attention_encoding(attention);
  return hl_encoding_words(encoding)[hl_encoding_size(encoding) - 1] + 1;
}

void check_difference(const hl_model* model, const hl_attention* before,
                      const hl_attention* after) {
  std::size_t count = 99;
  std::vector<std::uint32_t> pairs(2 * std::min(words_in(before), words_in(after)));
  REQUIRE(hl_attention_align(before, after, pairs.data(), &count) == HL_OK);
  REQUIRE(2 * count <= pairs.size());
  for (std::size_t layer = 0; layer < hl_model_layers(model); ++layer) {
    for (std::size_t head = 0; head < hl_model_heads(model, layer); ++head) {
      std::vector<float> found(count * count);
      REQUIRE(hl_attention_difference(before, after, layer, head, found.data()) == HL_OK);
      for (std::size_t i = 0; i < count * count; ++i) {
        const std::uint32_t* query = &pairs[2 * (i / count)];
        const std::uint32_t* key = &pairs[2 * (i % count)];
        const double expected =
            between_words(after, hl_attention_weights(after, layer, head), query[1], key[1]) -
            between_words(before, hl_attention_weights(before, layer, head), query[0], key[0]);
        CHECK(std::abs(static_cast<double>(found[i]) - expected) < 1e-6);
      }
    }
  }
}

TEST_CASE("differences are between aligned words, also of pairs and of one token") {
  const TemporaryFolder folder;
  const auto engine = new_engine();
  const std::string long_text = "ab unforgettable ba, b abab w2";
  const std::string other = "ba ab forgettable bab";
  for (const std::string& path :
       {kSentiment, published("llama-three-labels"), published("mpnet-three-labels"),
        random_model(folder, R"("pooling": "mean")")}) {
    CAPTURE(path);
    const auto model = load(engine.get(), path);
    const hl_text texts[] = {
        text_of(long_text), text_of(other), {"b", 1, nullptr, 0}, pair_of(other, long_text)};
    for (const hl_text& first : texts) {
      const auto before = attend(model.get(), first);
      for (const hl_text& second : texts) {
        check_difference(model.get(), before.get(), attend(model.get(), second).get());
      }
    }
  }
}

TEST_CASE("a text without a word less, and with others") {
  const auto engine = new_engine();
  const auto model = load(engine.get(), kSentiment);
  struct Row {
    const char* before;
    const char* after;
    std::vector<std::uint32_t> pairs;  // [CLS] is word 0
  };
  const Row rows[] = {{"not bad", "bad", {0, 0, 2, 1, 3, 2}},
                      {"not bad", "not good", {0, 0, 1, 1, 2, 2, 3, 3}},
                      {"", "bad", {0, 0, 1, 2}}};
  for (const Row& row : rows) {
    CAPTURE(row.before);
    const auto before = attend(model.get(), text_of(row.before));
    const auto after = attend(model.get(), text_of(row.after));
    std::vector<std::uint32_t> pairs(2 * std::min(words_in(before.get()), words_in(after.get())));
    std::size_t count = 0;
    REQUIRE(hl_attention_align(before.get(), after.get(), pairs.data(), &count) == HL_OK);
    pairs.resize(2 * count);
    CHECK(pairs == row.pairs);
  }
}

/// Whether a call was refused with this line.
void check_refused(hl_status status, const std::string& line) {
  CHECK(status == HL_BAD_ARGUMENT);
  CHECK(hl_last_error() == line);
}

TEST_CASE("attentions that cannot be compared have a line that says why") {
  const TemporaryFolder folder;
  const auto engine = new_engine();
  const hl_text text = {"bad film", 8, nullptr, 0};
  const auto three = attend(load(engine.get(), kSentiment).get(), text);
  const auto two = attend(golden_model(engine.get(), folder, 0).get(), text);
  const auto fewer = attend(golden_model(engine.get(), folder, 2).get(), text);
  std::vector<float> out(16);
  std::vector<std::uint32_t> pairs(8);
  std::size_t count = 0;
  CHECK(hl_attention_align(three.get(), fewer.get(), pairs.data(), &count) == HL_OK);
  check_refused(hl_attention_difference(three.get(), two.get(), 0, 0, out.data()),
                "before has 3 layers, and after has 2; they must be of models with the same heads");
  check_refused(hl_attention_difference(two.get(), fewer.get(), 0, 0, out.data()),
                "before has 3 heads in layer 0, and after has 2; they must be of models with the "
                "same heads");
  check_refused(hl_attention_difference(two.get(), two.get(), 1, 3, out.data()),
                "layer 1 has no head 3");
  check_refused(hl_attention_difference(two.get(), two.get(), 7, 0, out.data()),
                "layer 7 has no head 0");
  check_refused(hl_attention_difference(nullptr, two.get(), 0, 0, out.data()), "before is NULL");
  check_refused(hl_attention_difference(two.get(), nullptr, 0, 0, out.data()), "after is NULL");
  check_refused(hl_attention_difference(two.get(), two.get(), 0, 0, nullptr), "difference is NULL");
  check_refused(hl_attention_align(nullptr, two.get(), pairs.data(), &count), "before is NULL");
  check_refused(hl_attention_align(two.get(), nullptr, pairs.data(), &count), "after is NULL");
  check_refused(hl_attention_align(two.get(), two.get(), nullptr, &count), "pairs is NULL");
  check_refused(hl_attention_align(two.get(), two.get(), pairs.data(), nullptr), "count is NULL");
}

/// One query by plain loops over what the handle says of a head.
void check_steps(const hl_attention* attention, std::size_t layer, std::size_t head,
                 std::size_t query) {
  const std::size_t t = tokens_of(attention);
  const std::size_t e = hl_attention_head_size(attention, layer, head);
  const auto at = [&](const float* rows, std::size_t i, std::size_t k) {
    return static_cast<double>(rows[i * e + k]);
  };
  const float* q = hl_attention_queries(attention, layer, head);
  const float* keys = hl_attention_keys(attention, layer, head);
  const float* values = hl_attention_values(attention, layer, head);
  const float* weights = hl_attention_weights(attention, layer, head) + query * t;
  std::vector<float> products(t);
  std::vector<float> scores(t);
  std::vector<float> output(e);
  REQUIRE(hl_attention_steps(attention, layer, head, query, products.data(), scores.data(),
                             output.data()) == HL_OK);
  double sum = 0;
  for (const float score : scores) sum += std::exp(static_cast<double>(score));
  for (std::size_t j = 0; j < t; ++j) {
    double product = 0;
    double size = 1;
    for (std::size_t k = 0; k < e; ++k) {
      product += at(q, query, k) * at(keys, j, k);
      size += std::abs(at(q, query, k) * at(keys, j, k));
    }
    CHECK(std::abs(product - static_cast<double>(products[j])) <= 1e-6 * size);
    const double weight = std::exp(static_cast<double>(scores[j])) / sum;
    CHECK(std::abs(weight - static_cast<double>(weights[j])) < 1e-5);
  }
  for (std::size_t k = 0; k < e; ++k) {
    double expected = 0;
    for (std::size_t j = 0; j < t; ++j) {
      expected += static_cast<double>(weights[j]) * at(values, j, k);
    }
    CHECK(std::abs(expected - static_cast<double>(output[k])) <= 1e-6 * (1 + std::abs(expected)));
  }
}

void check_all_steps(const hl_model* model, const hl_attention* attention) {
  for (std::size_t layer = 0; layer < hl_model_layers(model); ++layer) {
    for (std::size_t head = 0; head < hl_model_heads(model, layer); ++head) {
      for (std::size_t i = 0; i < tokens_of(attention); ++i) check_steps(attention, layer, head, i);
    }
  }
}

TEST_CASE("the scores of every family give its weights, also with a head off and in int8") {
  const TemporaryFolder folder;
  const auto engine = new_engine();
  const auto int8 = new_engine(1, "int8");
  const std::uint32_t head = 1;
  hl_run_options without = run_options();
  without.heads_off = &head;
  without.heads_off_count = 1;
  const std::string words = "ab a, bab unforgettable é aab ba b w1 [w2] a ab ab, w3 good bab";
  const std::string other = "w1 ba";
  std::size_t models = 0;
  const auto check = [&](const hl_model* model) {
    hl_encoding* made = nullptr;
    const hl_text text = text_of(words);
    if (hl_tokenize(model, &text, nullptr, &made) != HL_OK) return;  // without a vocabulary
    hl_encoding_free(made);
    ++models;
    check_all_steps(model, attend(model, text).get());
    check_all_steps(model, attend(model, pair_of(other, words), &without).get());
    check_all_steps(model, attend(model, {"a", 1, nullptr, 0}).get());
  };
  for (const auto& entry : std::filesystem::directory_iterator(published(""))) {
    if (!entry.is_directory()) continue;
    const std::string path = entry.path().string();
    CAPTURE(path);
    check(load(engine.get(), path).get());
  }
  CHECK(models >= 20);
  for (std::size_t number = 0; number < 3; ++number) {
    check(golden_model(engine.get(), folder, number).get());
  }
  check(load(int8.get(), kSentiment).get());
}

TEST_CASE("steps that do not exist are refused, parts may be left out, and no model is needed") {
  hl_engine* engine = new_engine(1).release();
  hl_model* model = load(engine, published("deberta-three-labels")).release();
  const auto attention = attend(model, {"one two", 7, nullptr, 0});
  const auto single =
      attend(load(engine, published("llama-three-labels")).get(), {"one", 3, nullptr, 0});
  const std::size_t t = tokens_of(attention.get());
  std::vector<float> before(t);
  REQUIRE(hl_attention_steps(attention.get(), 0, 0, 1, nullptr, before.data(), nullptr) == HL_OK);
  hl_model_free(model);
  hl_engine_free(engine);
  std::vector<float> after(t);
  REQUIRE(hl_attention_steps(attention.get(), 0, 0, 1, nullptr, after.data(), nullptr) == HL_OK);
  CHECK(before == after);
  CHECK(hl_attention_steps(attention.get(), 0, 0, 1, nullptr, nullptr, nullptr) == HL_OK);
  const auto refuse = [&](const hl_attention* given, std::size_t layer, std::size_t head,
                          std::size_t query, const std::string& line) {
    check_refused(hl_attention_steps(given, layer, head, query, after.data(), nullptr, nullptr),
                  line);
  };
  refuse(nullptr, 0, 0, 0, "attention is NULL");
  refuse(attention.get(), 0, 99, 0, "layer 0 has no head 99");
  refuse(attention.get(), 99, 0, 0, "layer 99 has no head 0");
  refuse(attention.get(), 0, 0, t,
         "query is " + std::to_string(t) + ", but the text has " + std::to_string(t) + " tokens");
  const std::size_t one = tokens_of(single.get());
  refuse(single.get(), 0, 0, one,
         "query is " + std::to_string(one) + ", but the text has " + std::to_string(one) +
             (one == 1 ? " token" : " tokens"));
}

}  // namespace
}  // namespace headlight::library_attention_test
