// Training, measuring, ranking, pages and columns through the C interface.
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"
#include "library/c_interface.h"

namespace headlight::library_training_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kTexts = {"good film", "bad film",  "a good one",
                                         "a bad one", "very good", "very bad"};
const std::vector<const char*> kLabels = {"up", "down", "up", "down", "up", "down"};

hl_fit_options fit_options(const char* train = "static") {
  hl_fit_options options;
  hl_fit_options_defaults(&options);
  options.train = train;
  return options;
}

hl_status fit_into(hl_engine* engine, const std::string& folder, const hl_fit_options& options,
                   std::string* report = nullptr) {
  char* made = nullptr;
  const hl_status status = hl_fit(engine, texts_of(kTexts).data(), kLabels.data(), kTexts.size(),
                                  &options, folder.c_str(), &made);
  const Held<char> held(made);
  if (report != nullptr && made != nullptr) *report = made;
  return status;
}

bool same_model(const std::string& one, const std::string& other) {
  for (const char* file : {"config.json", "model.safetensors", "vocab.txt", "tokenizer.json"}) {
    const fs::path first = fs::path(one) / file;
    if (fs::exists(first) != fs::exists(fs::path(other) / file)) return false;
    if (fs::exists(first) && content_of(first) != content_of(fs::path(other) / file)) return false;
  }
  return true;
}

TEST_CASE(
    "a trained model has the same bytes with 1 and 2 threads, and with weights that are copies") {
  const TemporaryFolder folder;
  std::string report;
  for (const int threads : {1, 2}) {
    const auto engine = new_engine(threads);
    const std::string path = folder.path() + "/" + std::to_string(threads);
    expect_ok(fit_into(engine.get(), path, fit_options(), &report));
    const auto found = nlohmann::json::parse(report);
    CHECK(found["train_rows"] == 6);
    CHECK(found["errors"] == 0);
    const auto model = load(engine.get(), path);
    CHECK(hl_model_label(model.get(), 1) == std::string("up"));
  }
  CHECK(same_model(folder.path() + "/1", folder.path() + "/2"));
  const auto engine = new_engine(1);
  const std::vector<float> weights(kTexts.size(), 0.25F);
  hl_fit_options weighted = fit_options();
  weighted.weights = weights.data();
  expect_ok(fit_into(engine.get(), folder.path() + "/weighted", weighted));
  CHECK(same_model(folder.path() + "/1", folder.path() + "/weighted"));
  const std::vector<float> some = {1.0F, 0.5F, 1.0F, 0.5F, 0.0F, 1.5F};
  weighted.weights = some.data();
  expect_ok(fit_into(engine.get(), folder.path() + "/some", weighted, &report));
  CHECK(nlohmann::json::parse(report)["train_rows"] == 9);  // 2, 1, 2, 1, 0 and 3 copies
}

TEST_CASE("what a training cannot use is refused, and leaves nothing") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/model";
  const auto engine = new_engine(1);
  const auto int8 = new_engine(1, "int8");
  hl_fit_options options = fit_options("cellar");
  CHECK(fit_into(engine.get(), path, options) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) ==
        std::string("train is \"cellar\", expected auto, head, ngrams, all, "
                    "static, tfidf, contrastive"));
  CHECK(fit_into(int8.get(), path, fit_options()) == HL_BAD_ARGUMENT);
  const std::vector<float> weights = {1, 1, -1, 1, 1, 1};
  options = fit_options();
  options.weights = weights.data();
  CHECK(fit_into(engine.get(), path, options) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == std::string("weights[2] is not a number from 0"));
  options = fit_options();
  options.minutes = -1.0;
  CHECK(fit_into(engine.get(), path, options) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == std::string("minutes must be 0 or more"));
  for (const double share : {-0.1, 1.1, std::nan("")}) {
    options = fit_options();
    options.dev_share = share;
    CHECK(fit_into(engine.get(), path, options) == HL_BAD_ARGUMENT);
    CHECK(std::string(hl_last_error()) == std::string("dev_share must be from 0 to 1"));
  }
  options = fit_options();
  options.start = "no-such-model";
  CHECK(fit_into(engine.get(), path, options) == HL_BAD_MODEL);
  CHECK(hl_fit(engine.get(), nullptr, nullptr, 0, nullptr, path.c_str(), nullptr) == HL_BAD_MODEL);
  options = fit_options();
  options.progress = [](void* user, double done, const char* phase) {
    *static_cast<std::string*>(user) = phase;
    return done > 0.2 ? 1 : 0;
  };
  std::string phase;
  options.user = &phase;
  CHECK(fit_into(engine.get(), path, options) == HL_STOPPED);
  CHECK(std::string(hl_last_error()) == std::string("stopped by the progress function"));
  CHECK(phase == "training");
  CHECK(fs::is_empty(folder.path()));
  expect_ok(fit_into(engine.get(), path, fit_options()));
  CHECK(fit_into(engine.get(), path, fit_options()) == HL_BAD_MODEL);
  options = fit_options();
  options.overwrite = 1;
  expect_ok(fit_into(engine.get(), path, options));
}

TEST_CASE("no rows are held out with a share of 0, and all but one of each label with 1") {
  const TemporaryFolder folder;
  const auto engine = new_engine(1);
  for (const int share : {0, 1}) {
    hl_fit_options options = fit_options();
    options.dev_share = share;
    std::string report;
    expect_ok(
        fit_into(engine.get(), folder.path() + "/" + std::to_string(share), options, &report));
    const auto found = nlohmann::json::parse(report);
    CHECK(found["dev_rows"] == 4 * share);
    CHECK(found["train_rows"] == 6 - 4 * share);
  }
}

TEST_CASE("a training is stopped from another thread, and the engine goes on") {
  const TemporaryFolder folder;
  const auto engine = new_engine(2);
  hl_fit_options options = fit_options("all");
  const std::string start = published("bert-three-labels");
  options.start = start.c_str();
  std::vector<std::string> texts;
  std::vector<const char*> labels;
  for (int i = 0; i < 30000; ++i) {
    texts.push_back(kTexts[static_cast<std::size_t>(i) % 6] + " " + std::to_string(i));
    labels.push_back(kLabels[static_cast<std::size_t>(i) % 6]);
  }
  std::atomic<bool> begun = false;
  options.user = &begun;
  options.progress = [](void* user, double /*done*/, const char* /*phase*/) {
    *static_cast<std::atomic<bool>*>(user) = true;
    return 0;
  };
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    hl_stop(engine.get());
  });
  const hl_status status = hl_fit(engine.get(), texts_of(texts).data(), labels.data(), texts.size(),
                                  &options, (folder.path() + "/m").c_str(), nullptr);
  other.join();
  CHECK(status == HL_STOPPED);
  CHECK(fs::is_empty(folder.path()));
  expect_ok(fit_into(engine.get(), folder.path() + "/m", fit_options()));
}

TEST_CASE("rows that cannot be used are counted, and several labels make a model of several") {
  const TemporaryFolder folder;
  const auto engine = new_engine(1);
  std::vector<hl_text> texts = texts_of(kTexts);
  texts.push_back({nullptr, 0, nullptr, 0});
  const std::string unlabelled = "no label";
  texts.push_back(text_of(unlabelled));
  const std::string broken = "b\xff";
  texts.push_back(text_of(broken));
  const std::vector<const char*> labels = {"a", "b", "a\nb", "b", "a", "b", "a", nullptr, "a"};
  const hl_fit_options options = fit_options();
  char* made = nullptr;
  const std::string path = folder.path() + "/several";
  expect_ok(hl_fit(engine.get(), texts.data(), labels.data(), texts.size(), &options, path.c_str(),
                   &made));
  const Held<char> report(made);
  CHECK(nlohmann::json::parse(made)["errors"] == 3);
  const auto model = load(engine.get(), path);
  CHECK(hl_model_problem_type(model.get()) == std::string("multi_label_classification"));
}

/// What a call gives as text.
template <typename Call>
std::string text_of_call(const Call& call) {
  char* made = nullptr;
  expect_ok(call(&made));
  const Held<char> held(made);
  return made;
}

TEST_CASE("evaluate measures, and refuses labels of another kind, again and again") {
  const auto engine = new_engine(2);
  const auto model = load(engine.get(), kSentiment);
  const std::vector<std::string> texts = {"a gorgeous film", "a dull one", "awful"};
  const std::vector<const char*> labels = {"positive", "negative", "positive"};
  const std::vector<const char*> numbers = {"0", "1", "0"};
  const auto all = texts_of(texts);
  char* none = nullptr;
  for (int round = 0; round < 2; ++round) {
    const auto found = nlohmann::json::parse(text_of_call([&](char** made) {
      return hl_evaluate(model.get(), all.data(), labels.data(), 3, nullptr, made);
    }));
    CHECK(found["rows"] == 3);
    CHECK(found["accuracy"] == doctest::Approx(2.0 / 3.0));
    CHECK(hl_evaluate(model.get(), all.data(), numbers.data(), 3, nullptr, &none) == HL_BAD_MODEL);
    CHECK(none == nullptr);
  }
  const char* const among[] = {"positive", "negative"};
  hl_run_options options = run_options();
  options.among = among;
  options.among_count = 2;
  const auto found = nlohmann::json::parse(text_of_call([&](char** made) {
    return hl_evaluate(model.get(), all.data(), labels.data(), 3, &options, made);
  }));
  CHECK(found["labels"].size() == 2);
  const auto tokens = load(engine.get(), published("bert-token-labels"));
  CHECK(hl_evaluate(tokens.get(), all.data(), labels.data(), 3, nullptr, &none) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == std::string("the model labels each token, not the text"));
}

TEST_CASE("rank scores by the cosine of vectors, and a head of several labels ranks nothing") {
  const auto engine = new_engine(2);
  const std::vector<std::string> texts = {"my card is gone", "the weather", "b\xff"};
  const std::string asked = "a lost card";
  const hl_text query = text_of(asked);
  std::vector<float> scores(3);
  std::vector<hl_row> rows(3);
  const auto encoder = load(engine.get(), std::string(HEADLIGHT_SOURCE) + "/data/models/encoder");
  expect_ok(hl_rank(encoder.get(), &query, texts_of(texts).data(), 3, nullptr, scores.data(),
                    rows.data()));
  CHECK(scores[0] > scores[1]);
  CHECK(std::isnan(scores[2]));
  CHECK(rows[2].status == HL_BAD_TEXT);
  const hl_text pair = {"a", 1, "b", 1};
  const hl_text two[] = {query, pair};
  CHECK(hl_rank(encoder.get(), &pair, two, 1, nullptr, scores.data(), nullptr) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == "query is a pair, but rank takes single texts");
  CHECK(hl_rank(encoder.get(), &query, two, 2, nullptr, scores.data(), nullptr) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == "a text is a pair, but rank takes single texts");
  const std::string unknown = "\u0444\u0443\u0442\u0431\u043e\u043b";
  const hl_text unread = text_of(unknown);
  CHECK(hl_rank(encoder.get(), &unread, texts_of(texts).data(), 3, nullptr, scores.data(),
                nullptr) == HL_BAD_MODEL);
  CHECK(std::string(hl_last_error()).find("the query: has no token that") == 0);
  const std::string golden = std::string(HEADLIGHT_TEST_DATA) + "/golden/";
  const std::vector<std::pair<std::string, std::string>> others = {
      {kSentiment,
       "has several labels; rank takes a model with one, or without, such as encoder, whose "
       "vectors it compares"},
      {golden + "pipelines/words", "is a model of n-grams"},
      {golden + "fasttext/softmax-words.bin", "is a model of fastText"},
      {golden + "fasttext/skipgram.bin", "is a model of fastText"}};
  for (const auto& [path, why] : others) {
    const auto model = load(engine.get(), path);
    CHECK(hl_rank(model.get(), &query, texts_of(texts).data(), 3, nullptr, scores.data(),
                  nullptr) == HL_BAD_MODEL);
    CAPTURE(hl_last_error());
    CHECK(std::string(hl_last_error()).starts_with(path + ": " + why));
  }
}

TEST_CASE("entities have places, and only a model of tokens has them") {
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), published("bert-token-labels"));
  const std::string letters = "a bb a bb c";
  const hl_text text = text_of(letters);
  hl_entity_list* made = nullptr;
  const auto encoder = load(engine.get(), std::string(HEADLIGHT_SOURCE) + "/data/models/encoder");
  CHECK(hl_entities(encoder.get(), &text, nullptr, &made) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == "the model has no classification head");
  const hl_text pair = {"a", 1, "bb", 2};
  CHECK(hl_entities(model.get(), &pair, nullptr, &made) == HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) ==
        "text is a pair, but the search for entities takes single texts");
  expect_ok(hl_entities(model.get(), &text, nullptr, &made));
  const Held<hl_entity_list> found(made);
  const std::size_t count = hl_entity_list_size(made);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t begin = 9;
    std::size_t end = 0;
    CHECK(hl_entity_list_place(made, i, &begin, &end) == 1);
    CHECK(begin < end);
    CHECK(hl_entity_list_probability(made, i) > 0.0F);
    CHECK(hl_entity_list_label(made, i) != nullptr);
  }
  CHECK(hl_entity_list_label(made, count) == nullptr);
  const auto texts = load(engine.get(), published("bert-three-labels"));
  CHECK(hl_entities(texts.get(), &text, nullptr, &made) == HL_BAD_ARGUMENT);
  float scores[1];
  const char* labels[] = {"x", "x"};
  CHECK(hl_zero_shot(texts.get(), &text, 1, labels, 2, 0, nullptr, nullptr, scores, nullptr) ==
        HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == std::string("labels has \"x\" twice"));
  labels[1] = "";
  CHECK(hl_zero_shot(texts.get(), &text, 1, labels, 2, 0, nullptr, nullptr, scores, nullptr) ==
        HL_BAD_ARGUMENT);
  CHECK(std::string(hl_last_error()) == std::string("labels has an empty one"));
  CHECK(hl_zero_shot(texts.get(), &text, 1, labels, 1, 0, nullptr, nullptr, scores, nullptr) ==
        HL_BAD_MODEL);
}

TEST_CASE("pages are whole documents") {
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), kSentiment);
  const std::vector<std::string> both = {"not bad", "not good"};
  const auto texts = texts_of(both);
  for (const std::size_t n : {1, 2}) {
    const std::string page = text_of_call([&](char** made) {
      return hl_attention_page(model.get(), texts.data(), n, nullptr, made);
    });
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.find("</html>") != std::string::npos);
  }
  const std::string words = text_of_call(
      [&](char** made) { return hl_explanation_page(model.get(), texts.data(), nullptr, made); });
  CHECK(words.find("</html>") != std::string::npos);
  const std::string steps = text_of_call([&](char** made) {
    return hl_steps_page(model.get(), texts.data(), 2, 1, 1, nullptr, made);
  });
  CHECK(steps.find("</html>") != std::string::npos);
  char* made = nullptr;
  CHECK(hl_attention_page(model.get(), texts.data(), 3, nullptr, &made) == HL_BAD_ARGUMENT);
  CHECK(hl_steps_page(model.get(), texts.data(), 3, 0, 0, nullptr, &made) == HL_BAD_ARGUMENT);
  CHECK(hl_steps_page(model.get(), texts.data(), 0, 0, 4, nullptr, &made) == HL_BAD_ARGUMENT);
  CHECK(nlohmann::json::parse(text_of_call([&](char** list) {
          return hl_models(engine.get(), list);
        })).is_array());
}

/// A column of three rows, of which the second is a null; the first row of the memory is not read.
struct Strings {
  template <typename Offset>
  static std::vector<char> offsets() {
    const std::vector<Offset> all = {0, 4, 7, 7, 13};
    std::vector<char> bytes(all.size() * sizeof(Offset));
    std::memcpy(bytes.data(), all.data(), bytes.size());
    return bytes;
  }
  static std::vector<char> views() {
    std::vector<char> bytes(4 * 16, '\0');
    const auto put = [&](std::size_t row, const std::string& text, std::int32_t at) {
      const auto size = static_cast<std::int32_t>(text.size());
      std::memcpy(&bytes[row * 16], &size, 4);
      if (size <= 12)
        return static_cast<void>(std::memcpy(&bytes[row * 16 + 4], text.data(), text.size()));
      std::memcpy(&bytes[row * 16 + 4], text.data(), 4);
      std::memcpy(&bytes[row * 16 + 12], &at, 4);
    };
    put(1, "bad", 0);
    put(3, "a gorgeous film", 2);
    return bytes;
  }
};

TEST_CASE("a column of Arrow has the numbers of its texts, and its nulls are bad rows") {
  const auto engine = new_engine(2);
  const auto model = load(engine.get(), kSentiment);
  const std::string data = "skipbadbetter";
  const std::string far = "..a gorgeous film";
  const std::uint8_t valid = 0b1011;
  const std::vector<char> small = Strings::offsets<std::int32_t>();
  const std::vector<char> large = Strings::offsets<std::int64_t>();
  const std::vector<char> views = Strings::views();
  const std::int16_t numbers[] = {0, 1, 0, 3};
  ArrowArray words{};
  const void* word_buffers[] = {nullptr, small.data(), data.data()};
  words.length = 4;
  words.n_buffers = 3;
  words.buffers = word_buffers;
  ArrowSchema word_schema{};
  word_schema.format = "u";
  struct Case {
    const char* format;
    std::vector<const void*> buffers;
    std::string last;
    bool has_words = false;
  };
  for (const Case& row :
       std::vector<Case>{{"u", {&valid, small.data(), data.data()}, "better"},
                         {"U", {&valid, large.data(), data.data()}, "better"},
                         {"vu", {&valid, views.data(), far.data(), nullptr}, "a gorgeous film"},
                         {"s", {&valid, numbers}, "better", true}}) {
    CAPTURE(row.format);
    std::vector<const void*> buffers = row.buffers;
    ArrowSchema schema{};
    schema.format = row.format;
    schema.dictionary = row.has_words ? &word_schema : nullptr;
    ArrowArray array{};
    array.length = 3;
    array.null_count = -1;
    array.offset = 1;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.dictionary = row.has_words ? &words : nullptr;
    const std::size_t labels = hl_model_labels(model.get());
    std::vector<float> logits(3 * labels);
    std::vector<hl_row> rows(3);
    expect_ok(hl_classify_arrow(model.get(), &schema, &array, nullptr, logits.data(), nullptr,
                                rows.data()));
    const auto expected = logits_of(model.get(), {"bad", row.last});
    CHECK(std::isnan(logits[labels]));
    logits.erase(logits.begin() + labels, logits.begin() + 2 * labels);
    CHECK(logits == expected);
    CHECK(rows[1].status == HL_BAD_TEXT);
    CHECK(rows[0].status == HL_OK);
    std::string error(100, '\0');
    CHECK(hl_text_error_arrow(model.get(), &schema, &array, 0, nullptr, nullptr, 0) == 0);
    error.resize(
        hl_text_error_arrow(model.get(), &schema, &array, 1, nullptr, error.data(), error.size()));
    CHECK(error == "the text is missing");
    std::vector<float> vectors(3 * hl_model_embedding_width(model.get()));
    expect_ok(hl_embed_arrow(model.get(), &schema, &array, nullptr, vectors.data(), nullptr));
    CHECK(!std::isnan(vectors.back()));
  }
  ArrowSchema schema{};
  ArrowArray array{};
  array.length = 1;
  for (const char* format : {"i", "+s", "z", ""}) {
    schema.format = format;
    CHECK(hl_classify_arrow(model.get(), &schema, &array, nullptr, nullptr, nullptr, nullptr) ==
          HL_BAD_ARGUMENT);
  }
  const void* none[] = {nullptr, nullptr, nullptr};
  const void* indices[] = {nullptr, numbers};
  ArrowSchema no_format{};
  struct Bad {
    const char* format;
    const void** buffers;
    ArrowSchema* dictionary;
    const char* error;
  };
  const char* const lacks = "the Arrow array lacks buffers of its format";
  for (const Bad& bad : {Bad{"u", nullptr, nullptr, lacks},
                         {"U", none, nullptr, lacks},
                         {"vu", none, nullptr, lacks},
                         {"s", none, &word_schema, lacks},
                         {"s", nullptr, &word_schema, lacks},
                         {"s", indices, &no_format, "a format is NULL"}}) {
    CAPTURE(bad.format);
    schema.format = bad.format;
    schema.dictionary = bad.dictionary;
    array.buffers = bad.buffers;
    array.n_buffers = 3;
    array.dictionary = &words;
    CHECK(hl_classify_arrow(model.get(), &schema, &array, nullptr, nullptr, nullptr, nullptr) ==
          HL_BAD_ARGUMENT);
    CHECK(std::string(hl_last_error()) == bad.error);
  }
}

}  // namespace
}  // namespace headlight::library_training_test
