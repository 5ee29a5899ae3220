// What a caller can do wrong has a status and a line; nothing crashes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"
#include "library/c_interface.h"

namespace headlight::library_arguments_test {
namespace {

TEST_CASE("the version is that of the program") {
  CHECK((hl_abi_version() >> 16U) == 0);
  CHECK(std::string(hl_version()).starts_with("headlight "));
}

TEST_CASE("engines check their options") {
  struct Row {
    std::function<void(hl_engine_options&)> change;
    std::string error;
  };
  const Row rows[] = {
      {[](auto& o) { o.threads = -1; }, "threads is -1, expected 0 to 1024"},
      {[](auto& o) { o.threads = 1025; }, "threads is 1025, expected 0 to 1024"},
      {[](auto& o) { o.precision = "fp8"; }, "precision is \"fp8\", expected fp32, bf16, int8"},
      {[](auto& o) { o.struct_size = 0; },
       "struct_size of the options is 0, expected 24; their defaults function sets it, for the "
       "version of headlight.h"},
      {[](auto& o) { o.struct_size = 25; },
       "struct_size of the options is 25, expected 24; their defaults function sets it, for the "
       "version of headlight.h"}};
  for (const Row& row : rows) {
    CAPTURE(row.error);
    hl_engine_options options;
    hl_engine_options_defaults(&options);
    row.change(options);
    hl_engine* engine = nullptr;
    CHECK(hl_engine_new(&options, &engine) == HL_BAD_ARGUMENT);
    CHECK(engine == nullptr);
    CHECK(hl_last_error() == row.error);
  }
  CHECK(hl_engine_new(nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_last_error() == std::string("engine is NULL"));
}

TEST_CASE("words that are NULL are the defaults, so that options can be filled with zeros") {
  hl_engine_options options = {sizeof(hl_engine_options), 1, nullptr};
  hl_engine* made = nullptr;
  REQUIRE(hl_engine_new(&options, &made) == HL_OK);
  const Held<hl_engine> engine(made);
  const auto model = load(engine.get(), published("bert-three-labels"));
  hl_run_options run = {};
  run.struct_size = sizeof(run);
  CHECK(logits_of(model.get(), {"one"}, &run) == logits_of(model.get(), {"one"}));
}

TEST_CASE("the options of an earlier version lack what came later") {
  hl_engine_options options;
  hl_engine_options_defaults(&options);
  options.struct_size = offsetof(hl_engine_options, precision);
  options.threads = 1;
  options.precision = "not read";
  hl_engine* engine = nullptr;
  CHECK(hl_engine_new(&options, &engine) == HL_OK);
  hl_engine_free(engine);
}

/// The defaults, of which a caller's struct has the first `size` bytes; the others must not be
/// read.
template <typename Options>
Options cut_at(std::size_t size, Options options) {
  Options cut;
  std::memset(&cut, 0xFF, sizeof(cut));
  std::memcpy(&cut, &options, std::min(size, sizeof(cut)));
  cut.struct_size = size;
  return cut;
}

TEST_CASE("options may end after each field and before the next, and nowhere else") {
  const std::set<std::size_t> engine_sizes = {8, 12, 16, 24};
  hl_engine_options whole;
  hl_engine_options_defaults(&whole);
  whole.threads = 1;
  for (std::size_t size = 0; size <= sizeof(hl_engine_options) + 1; ++size) {
    CAPTURE(size);
    const auto options = cut_at(size, whole);
    hl_engine* engine = nullptr;
    const bool is_good = engine_sizes.contains(size);
    CHECK(hl_engine_new(&options, &engine) == (is_good ? HL_OK : HL_BAD_ARGUMENT));
    hl_engine_free(engine);
    if (!is_good) CHECK(std::string(hl_last_error()).starts_with("struct_size of the options is "));
  }
  const std::set<std::size_t> run_sizes = {8, 16, 24, 28, 32, 40, 48, 56, 64, 72, 80, 88, 96};
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), published("bert-three-labels"));
  const hl_text text = {"one", 3, nullptr, 0};
  float logits[3];
  for (std::size_t size = 0; size <= sizeof(hl_run_options) + 1; ++size) {
    CAPTURE(size);
    const auto options = cut_at(size, run_options());
    CHECK(hl_classify(model.get(), &text, 1, &options, logits, nullptr, nullptr) ==
          (run_sizes.contains(size) ? HL_OK : HL_BAD_ARGUMENT));
  }
}

TEST_CASE("a model that cannot be loaded has the line that the program prints") {
  const TemporaryFolder folder;
  const auto engine = new_engine();
  folder.write("m/config.json", "{");
  hl_model* model = nullptr;
  CHECK(hl_model_load(engine.get(), (folder / "m").c_str(), &model) == HL_BAD_MODEL);
  CHECK(model == nullptr);
  CHECK(std::string(hl_last_error()).starts_with((folder / "m/config.json") + ": "));
  CHECK(hl_model_load(engine.get(), "no such model", &model) == HL_BAD_MODEL);
  CHECK(std::string(hl_last_error()).starts_with("no model \"no such model\""));
  CHECK(hl_model_load(engine.get(), nullptr, &model) == HL_BAD_ARGUMENT);
  CHECK(hl_model_load(nullptr, "x", &model) == HL_BAD_ARGUMENT);
  CHECK(hl_model_load(engine.get(), "x", nullptr) == HL_BAD_ARGUMENT);
}

TEST_CASE("calls check their options") {
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), published("bert-three-labels"));
  const std::uint32_t heads[] = {0, 7, 9 * 65536};
  const char* const labels[] = {"yes", "no", "yes", "so"};
  struct Row {
    std::function<void(hl_run_options&)> change;
    std::string error;
  };
  const Row rows[] = {
      {[](auto& o) { o.long_texts = "cut"; },
       "long_texts is \"cut\", expected truncate, error, window"},
      {[](auto& o) { o.method = "lime"; },
       "method is \"lime\", expected occlusion, shapley, gradient, "
       "integrated-gradients, lrp, exact"},
      {[](auto& o) { o.heads_off_count = 1; }, "heads_off is NULL"},
      {[&](auto& o) { o.heads_off = heads + 1, o.heads_off_count = 1; },
       "heads_off: layer 0 has no head 7"},
      {[&](auto& o) { o.heads_off = heads + 2, o.heads_off_count = 1; },
       "heads_off: layer 9 has no head 0"},
      {[&](auto& o) { o.among_count = 2; }, "among is NULL"},
      {[&](auto& o) { o.among = labels, o.among_count = 1; },
       "among takes two or more labels, found 1"},
      {[&](auto& o) { o.among = labels, o.among_count = 3; }, R"(among has "yes" twice)"},
      {[&](auto& o) { o.among = labels + 2, o.among_count = 2; },
       "among: " + published("bert-three-labels") +
           R"(: has no label "so"; its labels are no, maybe, yes)"}};
  const hl_text text = {"one", 3, nullptr, 0};
  float logits[3];
  for (const Row& row : rows) {
    CAPTURE(row.error);
    hl_run_options options = run_options();
    row.change(options);
    CHECK(hl_classify(model.get(), &text, 1, &options, logits, nullptr, nullptr) ==
          HL_BAD_ARGUMENT);
    CHECK(hl_last_error() == row.error);
    char buffer[200];
    CHECK(hl_text_error(model.get(), &text, &options, buffer, sizeof(buffer)) == row.error.size());
    CHECK(buffer == row.error);
  }
}

TEST_CASE("methods by gradients read whole texts with all heads, and attention one window") {
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), published("bert-three-labels"));
  const hl_text text = {"one", 3, nullptr, 0};
  const std::uint32_t heads[] = {0};
  hl_run_options options = run_options();
  options.method = "gradient";
  options.heads_off = heads;
  options.heads_off_count = 1;
  hl_explanation* explanation = nullptr;
  CHECK(hl_explain(model.get(), &text, &options, &explanation) == HL_BAD_ARGUMENT);
  options.heads_off_count = 0;
  options.long_texts = "window";
  CHECK(hl_explain(model.get(), &text, &options, &explanation) == HL_BAD_ARGUMENT);
  hl_attention* attention = nullptr;
  CHECK(hl_attend(model.get(), &text, &options, &attention) == HL_BAD_ARGUMENT);
  CHECK(attention == nullptr);
}

TEST_CASE("NULL is refused where something is needed, and harmless elsewhere") {
  const auto engine = new_engine(1);
  const auto model = load(engine.get(), published("bert-three-labels"));
  const hl_text text = {"one", 3, nullptr, 0};
  const hl_text none = {nullptr, 3, nullptr, 0};
  float logits[3];
  hl_encoding* encoding = nullptr;
  CHECK(hl_classify(nullptr, &text, 1, nullptr, logits, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_classify(model.get(), nullptr, 1, nullptr, logits, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_classify(model.get(), &text, 1, nullptr, nullptr, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_classify(model.get(), &none, 1, nullptr, logits, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_classify(model.get(), nullptr, 0, nullptr, nullptr, nullptr, nullptr) == HL_OK);
  CHECK(hl_embed(model.get(), &text, 1, nullptr, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_tokenize(model.get(), nullptr, nullptr, &encoding) == HL_BAD_ARGUMENT);
  CHECK(hl_tokenize(model.get(), &text, nullptr, nullptr) == HL_BAD_ARGUMENT);
  CHECK(hl_text_error(nullptr, &text, nullptr, nullptr, 0) > 0);
  hl_engine_options_defaults(nullptr);
  hl_run_options_defaults(nullptr);
  hl_stop(nullptr);
  hl_engine_free(nullptr);
  hl_model_free(nullptr);
  hl_encoding_free(nullptr);
  hl_attention_free(nullptr);
  hl_explanation_free(nullptr);
  CHECK(hl_model_labels(nullptr) == 0);
  CHECK(hl_model_label(nullptr, 0) == nullptr);
  CHECK(hl_model_problem_type(nullptr) == nullptr);
  CHECK(hl_model_layers(nullptr) + hl_model_heads(nullptr, 0) == 0);
  CHECK(hl_model_embedding_width(nullptr) + hl_model_max_tokens(nullptr) == 0);
  CHECK(hl_encoding_size(nullptr) == 0);
  CHECK(hl_encoding_ids(nullptr) == nullptr);
  CHECK(hl_attention_encoding(nullptr) == nullptr);
  CHECK(hl_attention_weights(nullptr, 0, 0) == nullptr);
  CHECK(hl_attention_head_size(nullptr, 0, 0) == 0);
  CHECK(hl_attention_logits(nullptr) == nullptr);
  CHECK(hl_explanation_words(nullptr) == 0);
  CHECK(hl_explanation_logits(nullptr) == nullptr);
}

TEST_CASE("handles are freed in any order") {
  hl_engine* engine = new_engine().release();
  hl_model* model = load(engine, published("bert-three-labels")).release();
  const hl_text text = {"one two", 7, nullptr, 0};
  hl_attention* attention = nullptr;
  hl_explanation* explanation = nullptr;
  REQUIRE(hl_attend(model, &text, nullptr, &attention) == HL_OK);
  REQUIRE(hl_explain(model, &text, nullptr, &explanation) == HL_OK);
  hl_engine_free(engine);
  CHECK(logits_of(model, {"one two"})[0] == hl_attention_logits(attention)[0]);
  hl_model_free(model);
  CHECK(hl_attention_weights(attention, 1, 1)[0] > 0);
  hl_explanation_free(explanation);
  hl_attention_free(attention);
}

}  // namespace
}  // namespace headlight::library_arguments_test
