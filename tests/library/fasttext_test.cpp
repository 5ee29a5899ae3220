// The C interface with files of fastText: the labels and probabilities of fastText's own program,
// also of texts that are not UTF-8.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "fasttext/golden_models.h"
#include "library/c_interface.h"
#include "library/loaded.h"

namespace headlight::library_fasttext_test {
namespace {

TEST_CASE("hl_classify gives the probabilities that fastText's program prints") {
  const auto texts = golden_texts();
  const std::vector<hl_text> inputs = texts_of(texts);
  for (const auto& [file, answers] : golden_answers()["models"].items()) {
    if (!answers.contains("best")) continue;
    CAPTURE(file);
    const Loaded loaded(golden_fasttext(file));
    const std::size_t c = hl_model_labels(loaded.model);
    std::vector<float> logits(c * inputs.size());
    std::vector<float> probabilities(c * inputs.size());
    std::vector<hl_row> rows(inputs.size());
    REQUIRE(hl_classify(loaded.model, inputs.data(), inputs.size(), nullptr, logits.data(),
                        probabilities.data(), rows.data()) == HL_OK);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CHECK(rows[i].status == HL_OK);
      const float* const row = &probabilities[i * c];
      const auto best = std::max_element(row, row + c) - row;
      const auto& expected = answers["best"][i][0];
      const auto probability = expected[1].get<double>();
      CHECK(std::abs(double{row[best]} - probability) <= 1e-6 + 5e-6 * probability);
      const std::string label = hl_model_label(loaded.model, static_cast<std::size_t>(best));
      const bool is_tie = answers["best"][i].size() > 1 && answers["best"][i][1][1] == probability;
      CHECK((is_tie || expected[0].get<std::string>().ends_with(label)));
    }
  }
}

TEST_CASE("hl_classify gives the best label alone, with and without the logits") {
  const auto texts = golden_texts();
  const std::vector<hl_text> inputs = texts_of(texts);
  for (const auto& [file, answers] : golden_answers()["models"].items()) {
    if (!answers.contains("best")) continue;
    CAPTURE(file);
    const Loaded loaded(golden_fasttext(file));
    std::vector<float> logits(hl_model_labels(loaded.model) * inputs.size());
    for (float* const out : {static_cast<float*>(nullptr), logits.data()}) {
      std::vector<hl_best> best(inputs.size());
      hl_run_options options;
      hl_run_options_defaults(&options);
      options.best = best.data();
      REQUIRE(hl_classify(loaded.model, inputs.data(), inputs.size(), &options, out, nullptr,
                          nullptr) == HL_OK);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto& expected = answers["best"][i];
        if (expected.empty()) {
          CHECK(best[i].label == UINT32_MAX);
          CHECK(std::isnan(best[i].score));
          continue;
        }
        const auto probability = expected[0][1].get<double>();
        CHECK(std::abs(double{best[i].score} - probability) <= 1e-6 + 5e-6 * probability);
        // The order of ties depends on k: these are the answers for 3.
        const bool is_tie = expected.size() > 1 && expected[1][1] == probability;
        CHECK((is_tie || expected[0][0].get<std::string>().ends_with(
                             hl_model_label(loaded.model, best[i].label))));
      }
    }
  }
}

TEST_CASE("words, effects and vectors of a file of fastText come through the C interface") {
  const Loaded loaded(golden_fasttext("ns-pairs.bin"));
  CHECK(hl_model_layers(loaded.model) == 0);
  CHECK(hl_model_max_tokens(loaded.model) == 0);
  CHECK(hl_model_embedding_width(loaded.model) == 4);
  CHECK(std::string(hl_model_problem_type(loaded.model)) == "multi_label_classification");
  const hl_text text = {"unheard ü", HL_C_STRING, nullptr, 0};
  hl_encoding* encoding = nullptr;
  REQUIRE(hl_tokenize(loaded.model, &text, nullptr, &encoding) == HL_OK);
  REQUIRE(hl_encoding_size(encoding) == 5);  // two words, the end, two pairs
  CHECK(hl_encoding_ids(encoding)[0] == -1);
  CHECK(hl_encoding_ids(encoding)[2] == 0);
  CHECK(std::string(hl_encoding_token(encoding, 3)) == "unheard ü");
  std::size_t begin = 0;
  std::size_t end = 0;
  CHECK(hl_encoding_offsets(encoding, 1, &begin, &end) == 1);
  CHECK(begin == 8);
  CHECK(end == 10);
  hl_encoding_free(encoding);
  hl_explanation* explanation = nullptr;
  REQUIRE(hl_explain(loaded.model, &text, nullptr, &explanation) == HL_OK);
  CHECK(hl_explanation_words(explanation) == 2);
  hl_explanation_free(explanation);
  std::vector<float> vector(4);
  CHECK(hl_embed(loaded.model, &text, 1, nullptr, vector.data(), nullptr) == HL_OK);
  hl_attention* attention = nullptr;
  CHECK(hl_attend(loaded.model, &text, nullptr, &attention) != HL_OK);
  CHECK(std::string(hl_last_error()).find("without layers") != std::string::npos);
  const hl_text pair = {"a", 1, "b", 1};
  char reason[100];
  CHECK(hl_text_error(loaded.model, &pair, nullptr, reason, sizeof reason) > 0);
  CHECK(std::string(reason).find("is a pair") == 0);
}

TEST_CASE("vectors of fastText without labels have errors of texts, too") {
  const Loaded loaded(golden_fasttext("skipgram.bin"));
  char reason[100];
  for (const auto& [pair, error] : {std::pair<const char*, const char*>{nullptr, ""},
                                    {"b", "is a pair, but models of fastText read one text"}}) {
    const hl_text text = {"a\xff", 2, pair, 1};
    hl_text_error(loaded.model, &text, nullptr, reason, sizeof reason);
    CHECK(std::string(reason) == error);
  }
}

}  // namespace
}  // namespace headlight::library_fasttext_test
