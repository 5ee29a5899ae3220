// The C interface with models of words and n-grams: the numbers of scikit-learn, and what words
// add.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "library/loaded.h"

namespace headlight::library_sparse_test {
namespace {

std::string golden(const std::string& name) {
  return HEADLIGHT_TEST_DATA "/golden/pipelines/" + name;
}

TEST_CASE("hl_classify gives the decision values and probabilities of scikit-learn") {
  const Json answers = read_json_file(golden("answers.json"));
  std::vector<std::string> texts = answers["texts"];
  std::vector<hl_text> inputs;
  for (const auto& text : texts) inputs.push_back({text.data(), text.size(), nullptr, 0});
  for (const std::string name : {"words", "many"}) {
    CAPTURE(name);
    const Json& expected = answers["models"][name];
    const Loaded loaded(golden(name));
    const std::size_t c = hl_model_labels(loaded.model);
    std::vector<float> logits(c * inputs.size());
    std::vector<float> probabilities(c * inputs.size());
    std::vector<hl_row> rows(inputs.size());
    REQUIRE(hl_classify(loaded.model, inputs.data(), inputs.size(), nullptr, logits.data(),
                        probabilities.data(), rows.data()) == HL_OK);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CHECK(rows[i].status == HL_OK);
      const Json& decision = expected["logits"][i];
      const Json& last = decision.is_number() ? decision : decision.back();
      CHECK(std::abs(double{logits[i * c + c - 1]} - last.get<double>()) < 1e-5);
      if (expected["probabilities"].is_null()) continue;
      const Json& probability = expected["probabilities"][i].back();
      CHECK(std::abs(double{probabilities[i * c + c - 1]} - probability.get<double>()) < 1e-6);
    }
  }
}

TEST_CASE("tokens and effects of such a model come through the C interface, and no vectors") {
  const Loaded loaded(golden("words"));
  CHECK(hl_model_layers(loaded.model) == 0);
  CHECK(hl_model_max_tokens(loaded.model) == 0);
  const hl_text text = {"good zzz", HL_C_STRING, nullptr, 0};
  hl_encoding* encoding = nullptr;
  REQUIRE(hl_tokenize(loaded.model, &text, nullptr, &encoding) == HL_OK);
  REQUIRE(hl_encoding_size(encoding) == 3);
  CHECK(hl_encoding_ids(encoding)[0] >= 0);
  CHECK(hl_encoding_ids(encoding)[1] == -1);
  CHECK(std::string(hl_encoding_token(encoding, 2)) == "good zzz");
  hl_encoding_free(encoding);
  hl_explanation* explanation = nullptr;
  REQUIRE(hl_explain(loaded.model, &text, nullptr, &explanation) == HL_OK);
  CHECK(hl_explanation_words(explanation) == 2);
  hl_explanation_free(explanation);
  std::vector<float> vector(4);
  CHECK(hl_embed(loaded.model, &text, 1, nullptr, vector.data(), nullptr) != HL_OK);
  CHECK(std::string(hl_last_error()).find("n-grams") != std::string::npos);
  hl_attention* attention = nullptr;
  CHECK(hl_attend(loaded.model, &text, nullptr, &attention) != HL_OK);
  CHECK(std::string(hl_last_error()).find("without layers") != std::string::npos);
  const hl_text pair = {"a", 1, "b", 1};
  char reason[100];
  CHECK(hl_text_error(loaded.model, &pair, nullptr, reason, sizeof reason) > 0);
  CHECK(std::string(reason).find("is a pair") == 0);
}

}  // namespace
}  // namespace headlight::library_sparse_test
