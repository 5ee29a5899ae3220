#include "report/models/model_report.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "classifier/small_models.h"
#include "math/positions.h"
#include "model/flops.h"
#include "report/models/architecture_text.h"

namespace headlight::model_report_test {
namespace {

TEST_CASE("FLOPs count two for each weight of the layers' products") {
  Description model;
  model.hidden_size = 6;
  CHECK(flops_per_token(model) == 0);
  LayerDescription layer;
  layer.heads.sizes = {3, 4};
  layer.intermediate_size = 10;
  model.layers = {layer};
  CHECK(flops_per_token(model) == 2 * (3 * 7 * 6 + 7 * 6 + 2 * 6 * 10));
  model.layers[0].heads.output_projection = false;
  model.layers[0].intermediate_size = 0;
  CHECK(flops_per_token(model) == 2 * 3 * 7 * 6);
  model.layers[0].heads.input = HeadInput::slice;
  model.layers[0].heads.sizes = {3, 3};
  CHECK(flops_per_token(model) == 2 * 3 * 6 * 3);
  layer.heads.sizes = {3, 3};
  layer.heads.group = 2;
  layer.gated = true;
  model.layers = {layer};
  CHECK(flops_per_token(model) == 2 * (6 * 6 + 2 * 3 * 6 + 6 * 6 + 3 * 6 * 10));
}

TEST_CASE("the architecture in words: heads that share keys, norms, positions, windows") {
  Description model;
  LayerDescription layer;
  layer.heads.sizes.assign(8, 64);
  layer.heads.group = 4;
  layer.heads.query_key_norm = true;
  layer.heads.mask = AttentionMask::causal;
  layer.intermediate_size = 100;
  layer.gated = true;
  layer.norm_order = NormOrder::sandwich;
  model.layers.assign(3, layer);
  model.layers[1].heads.window = 511;
  model.label_heads = layer.heads;
  model.layer_norm_form = LayerNormForm::rms;
  model.embedding.positions = PositionKind::rotary;
  model.rotary = {{rotary_frequencies(160000.0F, 64)}, {rotary_frequencies(10000.0F, 64)}};
  for (float& frequency : model.rotary[1].frequencies) frequency /= 8.0F;
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"heads", "8 of size 64; 2 heads of keys and values"},
      {"feed-forward", "100, gated"},
      {"norms", "root mean square, before and after each sublayer, of queries and keys"},
      {"positions", "rotary, bases 160,000 and 10,000, scaled"},
      {"windows", "511 tokens back in 1 of 3 layers"}};
  CHECK(architecture_facts(model) == expected);
}

TEST_CASE("the architecture in words: relative attention, convolution") {
  Description model;
  LayerDescription layer;
  layer.heads.sizes.assign(2, 4);
  layer.intermediate_size = 10;
  model.layers = {layer};
  model.label_heads = layer.heads;
  model.embedding.positions = PositionKind::none;
  model.convolution = ConvolutionDescription{3, 2, Activation::tanh};
  RelativeAttention& relative = model.relative_attention.emplace();
  relative.content_to_position = relative.position_to_content = true;
  relative.span = 256;
  relative.farthest = 512;
  relative.shared = relative.norm = true;
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"heads", "2 of size 4"},
      {"feed-forward", "10"},
      {"positions", "none"},
      {"relative",
       "content to position, position to content, span 256, logarithmic from 128 to 512, "
       "shared projections, normed embeddings"},
      {"convolution", "3 tokens beside the first layer, 2 groups"}};
  CHECK(architecture_facts(model) == expected);
}

TEST_CASE("a model's fields stand in the order of the contract and say what was loaded") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  std::string out;
  JsonWriter writer(out);
  write_model(writer, model, {});
  const auto json = nlohmann::ordered_json::parse(out);
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  const std::vector<std::string> expected = {
      "model",           "path",       "family",        "layers",
      "hidden_size",     "heads",      "head_sizes",    "intermediate_size",
      "vocab_size",      "max_tokens", "labels",        "problem_type",
      "activation",      "pooling",    "parameters",    "bytes",
      "flops_per_token", "tokenizer",  "contradictions"};
  CHECK(names == expected);
  CHECK(json["model"] == "lexicon");
  CHECK(json["vocab_size"] == 4);
  CHECK(json["max_tokens"] == 8);
  CHECK(json["parameters"] == 12);
  CHECK(json["activation"] == "softmax");
  CHECK(json["labels"] == nlohmann::json({"negative", "positive"}));
}

Model published(const std::string& name) {
  const std::string folder = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
  return load_model(locate_model(folder, ""));
}

nlohmann::json json_of(const Model& model) {
  std::string out;
  JsonWriter writer(out);
  write_model(writer, model, {});
  return nlohmann::json::parse(out);
}

TEST_CASE("a published model says its class, and its embedding size where that is its own") {
  const Model narrow = published("electra-narrow");
  const auto json = json_of(narrow);
  CHECK(json["family"] == "electra");
  CHECK(json["architecture"] == "ElectraForSequenceClassification");
  CHECK(json["embedding_size"] == 7);
  CHECK(json["labels"] == nlohmann::json({"no", "maybe", "yes"}));
  const std::size_t layer = 4 * 15 * 15 + 2 * 15 * 22;
  CHECK(json["flops_per_token"] == 2 * (7 * 15 + 2 * layer));
  CHECK(model_text(narrow, {}).find("\nembedding size  7\n") != std::string::npos);
  CHECK_FALSE(json_of(published("electra-one-width")).contains("embedding_size"));
  CHECK(json_of(published("roberta-three-labels"))["max_tokens"] == 22);
  CHECK(json_of(published("bert-reranker-bf16"))["activation"] == "none");
}

TEST_CASE("the fields of a card stand before the contradictions") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  const std::vector<CardField> card = {{"license", "mit", "\"mit\""},
                                       {"language", "en, de", "[\"en\",\"de\"]"}};
  std::string out;
  JsonWriter writer(out);
  write_model(writer, model, card);
  CHECK(out.ends_with(R"("card":{"license":"mit","language":["en","de"]},"contradictions":[]})"));
  CHECK(model_text(model, card)
            .ends_with("card            README.md\n"
                       "  license       mit\n"
                       "  language      en, de\n"));
}

TEST_CASE("shared weights count once among the parameters, and as often as they run in FLOPs") {
  const auto json = json_of(published("albert-one-group"));
  const std::size_t products = 4 * 15 * 15 + 2 * 15 * 22;
  const std::size_t layer = products + (4 * 15 + 22 + 15) + 4 * 15;
  const std::size_t embedding = 7 * (50 + 24 + 2) + 2 * 7 + 7 * 15 + 15;
  const std::size_t head = 15 * 15 + 15 + 3 * 15 + 3;
  CHECK(json["parameters"] == embedding + layer + head);
  CHECK(json["layers"] == 3);
  CHECK(json["flops_per_token"] == 2 * (7 * 15 + 3 * products));
}

TEST_CASE("a model without a classification head has no labels and nothing about them") {
  const Model model = published("bert-masked-lm");
  const auto json = json_of(model);
  for (const char* name : {"labels", "problem_type", "activation", "pooling"}) {
    CHECK_FALSE(json.contains(name));
  }
  CHECK(json["architecture"] == "BertForMaskedLM");
  CHECK(model_text(model, {}).find("labels          none (no classification head)\n") !=
        std::string::npos);
}

TEST_CASE("a listed model has its name, size and labels, two lines of its card, and its folder") {
  const std::vector<ListedModel> models = {
      {{"toy", "models/toy", "", "", ""}, {"a", "b"}, 1'250'000, "Input: a text. Output: a or b."},
      {{"big\n", "models/big\n", "", "", ""},
       {"1", "2", "3", "4", "5", "6", "7", "8"},
       0,
       "Input: a long text of many words, which has more than two lines have room for."},
      {{"none", "models/none", "", "", ""}, {}},
  };
  std::string out;
  JsonWriter json(out);
  write_models(json, models);
  CHECK(out == R"([{"name":"toy","path":"models/toy","labels":["a","b"]},)"
               R"({"name":"big\n","path":"models/big\n","labels":)"
               R"(["1","2","3","4","5","6","7","8"]},)"
               R"({"name":"none","path":"models/none","labels":[]}])");
  CHECK(models_text(models, 40) ==
        "toy  1.2 MB  a, b\n"
        "  Input: a text. Output: a or b.\n"
        "  models/toy\n\n"
        "big\\n  0.0 MB  8 lab… 1, 2, 3 and 5 more\n"
        "  Input: a long text of many words,\n"
        "  which has more than two lines have …\n"
        "  models/big\\n\n\n"
        "none  0.0 MB  no labels\n"
        "  models/none\n");
}

}  // namespace
}  // namespace headlight::model_report_test
