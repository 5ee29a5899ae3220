// Encodings and attention as JSON.
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "report/attention/attention_report.h"
#include "report/tokens/encoding_report.h"

namespace headlight::token_report_test {
namespace {

using Strings = std::vector<std::string>;

/// [CLS] é😀 | b, of a pair.
Encoding three_tokens() {
  Encoding encoding;
  encoding.tokens = {"[CLS]", "é😀", "b\n"};
  encoding.ids = {101, 7, 4294967294};
  encoding.type_ids = {0, 0, 1};
  encoding.offsets = {{0, 0}, {2, 4}, {0, 1}};
  encoding.sequences = {Sequence::none, Sequence::first, Sequence::second};
  return encoding;
}

TEST_CASE("an encoding has its five lists in order") {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_encoding(json, three_tokens());
  json.end_object();
  CHECK(out == R"({"tokens":["[CLS]","é😀","b\n"],"ids":[101,7,4294967294],"type_ids":[0,0,1],)"
               R"("offsets":[[0,0],[2,4],[0,1]],"sequence":[null,0,1]})");
  out.clear();
  JsonWriter none(out);
  none.begin_object();
  write_encoding(none, {});
  none.end_object();
  CHECK(out == R"({"tokens":[],"ids":[],"type_ids":[],"offsets":[],"sequence":[]})");
}

TEST_CASE("the table of an encoding has straight columns and no offset for what was put in") {
  CHECK(encoding_table(three_tokens()) ==
        "[CLS]    101\n"
        "é😀        7   2-4\n"
        "b\\n   4294967294   0-1\n");
}

TEST_CASE("a part of a text that the model lacks has no id") {
  Encoding encoding = three_tokens();
  encoding.ids[1] = kNoToken;
  CHECK(encoding_cells(encoding, "")[1] == "[101,null,4294967294]");
  CHECK(encoding_table(encoding).find("é😀        -   2-4\n") != std::string::npos);
}

/// A model of two layers with two heads and a text of three tokens, whose attention is numbered.
TracedText traced_text() {
  TracedText traced;
  traced.model_name = "toy";
  traced.input = {"é😀", "b\n", {}};
  traced.encoding = three_tokens();
  traced.prediction.logits = {1.0F, 0.5F};
  traced.prediction.scores = {0.625F, 0.375F};
  for (const float layer : {0.0F, 1000.0F}) {
    std::vector<float>& weights = traced.trace.attention.emplace_back();
    for (int i = 0; i < 2 * 3 * 3; ++i) weights.push_back(layer + static_cast<float>(i));
  }
  return traced;
}

Description toy_model() {
  Description model;
  model.labels = {"no", "yes"};
  model.label_heads.sizes = {1, 1};
  LayerDescription layer;
  layer.heads = model.label_heads;
  model.layers = {layer, layer};
  return model;
}

std::string json_of(const Description& model, const TracedText& traced) {
  std::string out;
  JsonWriter json(out);
  write_attention(json, AttentionView(model, traced, whole_attention(model, traced.encoding)));
  return out;
}

Strings names_of(const std::string& json) {
  const auto parsed = nlohmann::ordered_json::parse(json);
  Strings names;
  for (const auto& item : parsed.items()) names.push_back(item.key());
  return names;
}

TEST_CASE("attention is [layer][head][query][key], with its fields in order") {
  const std::string out = json_of(toy_model(), traced_text());
  CHECK(names_of(out) == Strings{"model", "text", "pair", "tokens", "ids", "type_ids", "offsets",
                                 "sequence", "label", "logits", "probabilities", "layers", "heads",
                                 "attention"});
  const auto json = nlohmann::json::parse(out);
  CHECK(json["model"] == "toy");
  CHECK(json["label"] == "no");
  CHECK(json["layers"] == nlohmann::json({0, 1}));
  CHECK(json["heads"] == nlohmann::json({0, 1}));
  const auto& attention = json["attention"];
  REQUIRE(attention.size() == 2);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    REQUIRE(attention[layer].size() == 2);
    for (std::size_t head = 0; head < 2; ++head) {
      REQUIRE(attention[layer][head].size() == 3);
      for (std::size_t query = 0; query < 3; ++query) {
        REQUIRE(attention[layer][head][query].size() == 3);
        for (std::size_t key = 0; key < 3; ++key) {
          CHECK(attention[layer][head][query][key] == 1000 * layer + 9 * head + 3 * query + key);
        }
      }
    }
  }
}

TEST_CASE("label attention is turned to [class][head][token]") {
  TracedText traced = traced_text();
  // [h, c, n] as the encoder gives it: 100 · head + 10 · class + token.
  for (const int number : {0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112}) {
    traced.trace.label_attention.push_back(static_cast<float>(number));
  }
  const auto json = nlohmann::json::parse(json_of(toy_model(), traced));
  CHECK(json["label_attention"] ==
        nlohmann::json::parse("[[[0,1,2],[100,101,102]],[[10,11,12],[110,111,112]]]"));
}

TEST_CASE("a regression has no label, no pair is no field, and no layers are an empty list") {
  Description model = toy_model();
  model.problem_type = ProblemType::regression;
  TracedText traced = traced_text();
  traced.input.pair.reset();
  model.layers.clear();
  traced.trace.attention.clear();
  const std::string out = json_of(model, traced);
  CHECK(names_of(out) == Strings{"model", "text", "tokens", "ids", "type_ids", "offsets",
                                 "sequence", "logits", "layers", "heads", "attention"});
  CHECK(nlohmann::json::parse(out)["attention"].empty());
}

TEST_CASE("a model without a classification head has no label, logits and probabilities") {
  Description model = toy_model();
  model.labels.clear();
  TracedText traced = traced_text();
  traced.prediction.logits.clear();
  traced.prediction.scores.clear();
  CHECK(names_of(json_of(model, traced)) == Strings{"model", "text", "pair", "tokens", "ids",
                                                    "type_ids", "offsets", "sequence", "layers",
                                                    "heads", "attention"});
}

TEST_CASE("the size of the matrices is said about right") {
  TracedText traced = traced_text();
  for (auto& layer : traced.trace.attention) layer.assign(layer.size(), 0.012345678F);
  traced.value_norms.assign(2, std::vector<float>(6, 1.0F));
  const Description model = toy_model();
  AttentionChoice choice = whole_attention(model, traced.encoding);
  const auto check = [&](const AttentionChoice& chosen, std::optional<unsigned> decimals,
                         const std::string& from) {
    std::string out;
    JsonWriter json(out, false, decimals);
    write_attention(json, AttentionView(model, traced, chosen));
    const std::size_t bytes = out.size() - out.find(from);
    const std::size_t said = attention_json_size(chosen, decimals);
    CHECK(2 * said > bytes);
    CHECK(said < 2 * bytes);
  };
  check(choice, std::nullopt, "\"attention\"");
  check(choice, 4, "\"attention\"");
  choice.weighted = true;
  check(choice, std::nullopt, "\"attention\"");
  choice.weighted = false;
  choice.rollout = true;
  check(choice, std::nullopt, "\"rollout\"");
}

TEST_CASE("of a choice only its layers, heads and queries are written, and they are said") {
  const Description model = toy_model();
  const TracedText traced = traced_text();
  AttentionChoice choice = whole_attention(model, traced.encoding);
  choice.layers = {1};
  choice.heads = {1};
  choice.queries = {2};
  std::string out;
  JsonWriter json(out);
  write_attention(json, AttentionView(model, traced, choice));
  const auto parsed = nlohmann::json::parse(out);
  CHECK(parsed["layers"] == nlohmann::json({1}));
  CHECK(parsed["heads"] == nlohmann::json({1}));
  CHECK(parsed["queries"] == nlohmann::json({2}));
  CHECK(parsed["attention"] == nlohmann::json::parse("[[[[1015,1016,1017]]]]"));
}

TEST_CASE("words have ranges, and no ids") {
  const Description model = toy_model();
  TracedText traced = traced_text();
  traced.input = {"good!", std::nullopt, {}};
  traced.encoding.tokens = {"go", "##od", "!"};
  traced.encoding.offsets = {{0, 2}, {2, 4}, {4, 5}};
  traced.encoding.sequences.assign(3, Sequence::first);
  AttentionChoice choice = whole_attention(model, traced.encoding);
  choose_words(choice, traced.encoding, traced.input);
  std::string out;
  JsonWriter json(out);
  write_attention(json, AttentionView(model, traced, choice));
  CHECK(names_of(out) == Strings{"model", "text", "tokens", "offsets", "sequence", "label",
                                 "logits", "probabilities", "layers", "heads", "attention"});
  const auto parsed = nlohmann::json::parse(out);
  CHECK(parsed["tokens"] == nlohmann::json({"good", "!"}));
  CHECK(parsed["offsets"] == nlohmann::json::parse("[[0,4],[4,5]]"));
  // Of 0 1 2 | 3 4 5 | 6 7 8: keys 0 + 1 and 2, then the mean of the first two rows.
  CHECK(parsed["attention"][0][0] == nlohmann::json::parse("[[4,3.5],[13,8]]"));
}

}  // namespace
}  // namespace headlight::token_report_test
