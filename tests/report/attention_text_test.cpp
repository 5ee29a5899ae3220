// Attention for a terminal, and its statistics.
#include "report/attention/attention_text.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "report/attention/attention_report.h"
#include "report/attention/strongest_tokens.h"
#include "report/formats/plain_text.h"

namespace headlight::attention_text_test {
namespace {

/// One layer of one head: [CLS] looks at itself, 中文 at both other tokens, "b" with 1/4 at each
/// but itself.
TracedText traced_text() {
  TracedText traced;
  traced.model_name = "toy";
  traced.input = {"中文 b", std::nullopt, {}};
  traced.encoding.tokens = {"[CLS]", "中文", "b\x1b"};
  traced.encoding.ids = {0, 1, 2};
  traced.encoding.type_ids = {0, 0, 0};
  traced.encoding.offsets = {{0, 0}, {0, 2}, {3, 4}};
  traced.encoding.sequences = {Sequence::none, Sequence::first, Sequence::first};
  traced.prediction.logits = {1.0F, 0.5F};
  traced.trace.attention = {{1.0F, 0.0F, 0.0F, 0.5F, 0.0F, 0.5F, 0.25F, 0.25F, 0.5F}};
  return traced;
}

Description one_head() {
  Description model;
  model.labels = {"no", "yes"};
  model.pooling = Pooling::cls;
  model.label_heads.sizes = {1};
  model.layers.resize(1);
  model.layers[0].heads = model.label_heads;
  return model;
}

const Description kModel = one_head();
const TracedText kTraced = traced_text();

AttentionView view() { return {kModel, kTraced, whole_attention(kModel, kTraced.encoding)}; }

TEST_CASE("a heat map has the keys' letters above their columns and a shade a weight") {
  CHECK(attention_text(view(), {}) ==
        "\nweights up to 1.00:  ░░ from 0.12  ▒▒ from 0.38  ▓▓ from 0.62  ██ from 0.88\n"
        "\n"
        "layer 0, head 0\n"
        "      [   b\n"
        "      C   \\\n"
        "      L   x\n"
        "      S 中1\n"
        "      ] 文b\n"
        "[CLS] ██\n"
        "中文  ▒▒  ▒▒\n"
        "b\\x1b ░░░░▒▒\n");
}

TEST_CASE("heat maps stand beside each other where they fit") {
  AttentionChoice choice = whole_attention(kModel, kTraced.encoding);
  choice.heads = {0, 0};
  AttentionLook look;
  look.columns = 40;
  const std::string two = attention_text({kModel, kTraced, choice}, look);
  CHECK(two.find("layer 0, head 0     layer 0, head 0\n"
                 "      [   b               [   b\n") != std::string::npos);
  CHECK(two.find("[CLS] ██            [CLS] ██\n"
                 "中文  ▒▒  ▒▒        中文  ▒▒  ▒▒\n") != std::string::npos);
  look.columns = 36;
  CHECK(attention_text({kModel, kTraced, choice}, look).find("head 0  ") == std::string::npos);
}

TEST_CASE("a long name above its column is cut in the middle") {
  TracedText traced = traced_text();
  traced.encoding.tokens = {"a", "wonderful", "wondering"};
  const AttentionView view(kModel, traced, whole_attention(kModel, traced.encoding));
  CHECK(attention_text(view, {}).find("            w w\n"
                                      "            o o\n"
                                      "            n n\n"
                                      "            d d\n"
                                      "            … …\n"
                                      "            f i\n"
                                      "            u n\n"
                                      "          a l g\n") != std::string::npos);
}

TEST_CASE("numbers stand in the cells where they are asked for") {
  AttentionLook look;
  look.numbers = true;
  look.digits = 1;
  const std::string text = attention_text(view(), look);
  CHECK(text.find("[CLS]  1.0 0.0 0.0\n中文   0.5 0.0 0.5\n") != std::string::npos);
  CHECK(text.find("weights up to") == std::string::npos);
}

TEST_CASE(
    "colours end with each cell, and letters are black or white, whichever has more contrast") {
  AttentionLook look;
  look.color = true;
  const std::string text = attention_text(view(), look);
  CHECK(text.find("[CLS] \x1b[48;5;153;38;5;16m  \x1b[0m\n"  // 1, and two zeros
                  "中文  \x1b[48;5;32;38;5;16m  \x1b[0m  \x1b[48;5;32;38;5;16m  \x1b[0m\n") !=
        std::string::npos);
  look.terminal = {true, {250, 250, 250}};
  CHECK(attention_text(view(), look).find("[CLS] \x1b[48;2;0;64;176;38;5;231m  \x1b[0m\n") !=
        std::string::npos);
}

TEST_CASE("where a heat map is too wide, or unwanted, each query's strongest keys are listed") {
  AttentionLook look;
  look.lists = true;
  const std::string lists =
      "\nlayer 0, head 0\n"
      "[CLS]  [CLS] 1.00  中文 0.00  b\\x1b 0.00\n"
      "中文   [CLS] 0.50  b\\x1b 0.50  中文 0.00\n"
      "b\\x1b  b\\x1b 0.50  [CLS] 0.25  中文 0.25\n";
  CHECK(attention_text(view(), look) == lists);
  look.lists = false;
  look.columns = 11;
  CHECK(attention_text(view(), look).find("[CLS]  [CLS] 1.00\n") != std::string::npos);
}

TEST_CASE("no line of a text of any length is wider than the terminal") {
  for (const std::size_t n : {1, 5, 30, 60, 200}) {
    TracedText traced = traced_text();
    traced.encoding = {};
    for (std::size_t i = 0; i < n; ++i) {
      traced.encoding.tokens.push_back(i % 3 == 0 ? "中文中文中文中文中文中文中文" : "wonderful");
      traced.encoding.ids.push_back(0);
      traced.encoding.offsets.push_back({2 * i, 2 * i + 1});
      traced.encoding.sequences.push_back(Sequence::first);
    }
    traced.trace.attention = {std::vector<float>(n * n, 1.0F / static_cast<float>(n))};
    const AttentionView wide(kModel, traced, whole_attention(kModel, traced.encoding));
    for (const bool numbers : {false, true}) {
      AttentionLook look;
      look.numbers = numbers;
      const std::string text = attention_overview(wide, look) + attention_text(wide, look);
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        CHECK(width_of(text.substr(at, end - at)) <= 80);
        at = end + 1;
      }
    }
  }
}

TEST_CASE("the overview says what each head mostly looks at, and what is pooled") {
  const std::string text = attention_overview(view(), {});
  CHECK(text.find("layer 0, mean of its heads\n") != std::string::npos);
  // The column of [CLS] has (1 + 1/2 + 1/4) / 3; −Σ a ln a is 0, ln 2 and (3/2) ln 2.
  CHECK(text.find("layer  head  attends to  weight  entropy\n"
                  "0      0     [CLS]         0.58     0.58\n") != std::string::npos);
  CHECK(text.find("pooled (first token, rollout)  [CLS] 1.00") != std::string::npos);
}

TEST_CASE("a head that looks at its neighbours is said to") {
  TracedText traced = traced_text();
  struct Row {
    std::vector<float> weights;
    std::string text;
  };
  const Row rows[] = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}, "itself        1.00"},
                      {{0, 0, 1, 1, 0, 0, 0, 1, 0}, "the previous token    0.67"},
                      {{0, 1, 0, 0, 0, 1, 1, 0, 0}, "the next token    0.67"}};
  for (const auto& [weights, expected] : rows) {
    traced.trace.attention = {weights};
    const AttentionView some(kModel, traced, whole_attention(kModel, traced.encoding));
    CHECK(attention_overview(some, {}).find("0      0     " + expected) != std::string::npos);
  }
}

std::string statistics_json(const AttentionView& shown) {
  std::string out;
  JsonWriter json(out, false, 6);
  write_attention_statistics(json, shown);
  return out;
}

TEST_CASE("statistics have the fields of the contract, and the pooled tokens by weight") {
  const auto json = nlohmann::ordered_json::parse(statistics_json(view()));
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  CHECK(names == std::vector<std::string>{"model", "tokens", "heads", "rollout", "pooled"});
  CHECK(json["heads"].size() == 1);
  CHECK(json["heads"][0].dump().starts_with(R"({"layer":0,"head":0,"mean":0.333333,)"));
  // Without value norms.
  CHECK(json["heads"][0].dump().ends_with(R"("separator":null,"sink_value_norm":null})"));
  // (A + I) with rows of sum 1.
  CHECK(json["rollout"] ==
        nlohmann::ordered_json::parse("[[1,0,0],[0.25,0.5,0.25],[0.125,0.125,0.75]]"));
  CHECK(json["pooled"][0] ==
        nlohmann::ordered_json::parse(R"({"token":"[CLS]","position":0,"weight":1})"));
  CHECK(json["pooled"].size() == 3);
}

TEST_CASE("label attention shows each label's own tokens, and pools the best label's") {
  Description model = one_head();
  model.pooling = Pooling::label_attention;
  TracedText traced = traced_text();
  traced.trace.label_attention = {0.0F, 0.75F, 0.25F, 0.0F, 0.0F, 1.0F};
  traced.prediction.best = 1;
  const AttentionView shown(model, traced, whole_attention(model, traced.encoding));
  const auto json = nlohmann::json::parse(statistics_json(shown));
  CHECK(json["label_attention"]["no"][0]["token"] == "中文");
  CHECK(json["label_attention"]["no"][0]["weight"] == 0.75);
  CHECK(json["label_attention"]["yes"][0]["position"] == 2);
  CHECK(json["pooled"][0]["weight"] == 0.75);  // of the rollout's last row
  const std::string text = strongest_lines(shown, 80, 2);
  CHECK(text.find("label no  中文 0.75  b\\x1b 0.25") != std::string::npos);
  CHECK(text.find("pooled (label attention, rollout)  b\\x1b 0.75") != std::string::npos);
}

}  // namespace
}  // namespace headlight::attention_text_test
