// What words do to a verdict, as JSON, as text and as a page.
#include "report/explanation/explanation_report.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "report/formats/text_table.h"

namespace headlight::explanation_report_test {
namespace {

/// U+202E turns the direction of what follows.
const std::string kOverride = {'\xE2', '\x80', '\xAE'};

const LabelSet kTwo = {{"no", "yes"}, ProblemType::single_label, true, {}};

Explanation small_explanation() {
  Explanation explanation;
  explanation.input = {"not bad film", {}, {}};
  explanation.prediction.logits = {-1.0F, 1.0F};
  explanation.prediction.scores = {0.125F, 0.875F};
  explanation.prediction.best = 1;
  explanation.words = {{"not", {1, 4}, Sequence::first, {-2.5F, 2.0F}},
                       {"bad", {5, 8}, Sequence::first, {0.5F, -1.0F}},
                       {"film", {9, 13}, Sequence::first, {0.0F, -0.001F}}};
  return explanation;
}

std::string json_of(const LabelSet& labels, const TextInput& given,
                    const Explanation& explanation) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  write_explanation_fields(json, labels, given, explanation,
                           labels_written(labels, explanation, /*few=*/false));
  json.end_object();
  return out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("an explanation has its fields in the order of the contract") {
  CHECK(json_of(kTwo, {" not bad film", {}, {}}, small_explanation()) ==
        R"({"text":" not bad film","label":"yes","logits":{"no":-1,"yes":1},)"
        R"("probabilities":{"no":0.125,"yes":0.875},"words":[)"
        R"({"word":"not","offset":[1,4],"effect":{"no":-2.5,"yes":2}},)"
        R"({"word":"bad","offset":[5,8],"effect":{"no":0.5,"yes":-1}},)"
        R"({"word":"film","offset":[9,13],"effect":{"no":0,"yes":-0.001}}],"method":"occlusion"})");
}

TEST_CASE("pairs of texts, cut tokens and pairs of words have fields of their own") {
  Explanation explanation = small_explanation();
  explanation.order = ExplanationOrder::pairs;
  explanation.input.pair = "film";
  explanation.prediction.scores.clear();
  explanation.prediction.truncated = 4;
  explanation.words.erase(explanation.words.begin());
  explanation.words[1].sequence = Sequence::second;
  explanation.pairs = {{0, 1, {0.5F, 1.0F}, {0.25F, -4.0F}}};
  CHECK(json_of(kTwo, {"bad", "film", {}}, explanation) ==
        R"({"text":"bad","pair":"film","label":"yes","logits":{"no":-1,"yes":1},"truncated":4,)"
        R"("words":[{"word":"bad","offset":[5,8],"sequence":0,"effect":{"no":0.5,"yes":-1}},)"
        R"({"word":"film","offset":[9,13],"sequence":1,"effect":{"no":0,"yes":-0.001}}],)"
        R"("pairs":[{"words":[0,1],"effect":{"no":0.5,"yes":1},)"
        R"("interaction":{"no":0.25,"yes":-4}}],"method":"occlusion"})");
}

TEST_CASE("a regression has a value instead of a label") {
  const LabelSet stars = {{"stars"}, ProblemType::regression, true, {}};
  Explanation explanation;
  explanation.prediction.logits = {2.5F};
  explanation.prediction.scores = {2.5F};
  explanation.words = {{"good", {0, 4}, Sequence::first, {2.0F}}};
  CHECK(json_of(stars, {"good", {}, {}}, explanation) ==
        R"({"text":"good","logits":{"stars":2.5},"value":2.5,)"
        R"("words":[{"word":"good","offset":[0,4],"effect":{"stars":2}}],"method":"occlusion"})");
  CHECK(explanation_text(stars, explanation, {}) ==
        "stars 2.50\n\n[+++good]\n\n"
        "word  offset  stars\n"
        "good     0-4  +2.00              │████████████\n");
}

TEST_CASE("explanations by gradients say how they were computed") {
  Explanation explanation = small_explanation();
  explanation.method = ExplanationMethod::gradient;
  CHECK(json_of(kTwo, {"x", {}, {}}, explanation).ends_with(R"(}],"method":"gradient"})"));
  CHECK(explanation_text(kTwo, explanation, {})
            .ends_with("\neffects: gradient times input, summed over tokens\n"));
  explanation.method = ExplanationMethod::lrp;
  explanation.bias_share = {0.5F, -0.25F};
  CHECK(json_of(kTwo, {"x", {}, {}}, explanation)
            .ends_with(R"(}],"method":"lrp","bias_share":{"no":0.5,"yes":-0.25}})"));
  CHECK(explanation_text(kTwo, explanation, {}).find("\n(biases)") != std::string::npos);
  CHECK(explanation_page("t", kTwo, explanation, {})
            .find("<p>Biases and special tokens: -0.25.</p>") != std::string::npos);
  explanation.bias_share.clear();
  explanation.method = ExplanationMethod::integrated_gradients;
  explanation.completeness = Completeness{0.0078125, 2.5, 16};
  CHECK(json_of(kTwo, {"x", {}, {}}, explanation)
            .ends_with(R"(}],"method":"integrated-gradients","completeness_gap":0.0078125,)"
                       R"("steps":16})"));
  const std::string said =
      "integrated gradients, 16 steps, completeness gap 0.0078 of a change in "
      "logits of 2.50";
  CHECK(explanation_text(kTwo, explanation, {}).ends_with("\neffects: " + said + "\n"));
  CHECK(has(explanation_page("why", kTwo, explanation, {}), said));
  CHECK(!has(explanation_page("why", kTwo, explanation, {}), "Without a blue word"));
}

TEST_CASE("the smallest change has its words, and the verdict of the text without them") {
  Explanation explanation = small_explanation();
  explanation.words[2].text = "bad";  // twice in the text
  explanation.flip.emplace();
  explanation.flip->exhaustive = true;
  explanation.flip->tried = 3;
  CHECK(json_of(kTwo, {"x", {}, {}}, explanation).ends_with(R"("occlusion","flip":null})"));
  const std::string none = "smallest change: none, no set of words changes the label";
  CHECK(explanation_text(kTwo, explanation, {}).ends_with("\n\n" + none + "\n"));
  CHECK(has(explanation_page("why", kTwo, explanation, {}), none));
  explanation.flip->exhaustive = false;
  CHECK(explanation_text(kTwo, explanation, {})
            .ends_with("change: none found by all sets of up to 3 words, then a search\n"));
  explanation.flip->words = {0, 2};
  explanation.flip->input.text = "bad";
  explanation.flip->prediction.logits = {1.0F, -2.0F};
  explanation.flip->prediction.scores = {0.75F, 0.25F};
  CHECK(explanation_text(kTwo, explanation, {})
            .ends_with("\n\nsmall change, by a search after all sets of up to 3 words:\n"
                       "without \"not\", \"bad\" (9-13)\nno 75.0 %   no 1.00  yes -2.00\n"));
  explanation.flip->exhaustive = true;
  CHECK(has(explanation_text(kTwo, explanation, {}),
            "\n\nsmallest change: without \"not\", \"bad\" (9-13)\n"));
  CHECK(json_of(kTwo, {"x", {}, {}}, explanation)
            .ends_with(R"("flip":{"words":[{"word":"not","offset":[1,4]},)"
                       R"({"word":"bad","offset":[9,13]}],"text":"bad","label":"no",)"
                       R"("probability":0.75,"logits":{"no":1,"yes":-2},"exhaustive":true}})"));
  const std::string page = explanation_page("why", kTwo, explanation, {});
  CHECK(has(page, "<del>not</del> bad <del>bad</del></p>"));
  CHECK(has(page, ">no 75.0 %   no 1.00  yes -2.00</p>"));
  explanation.input.pair = explanation.flip->input.pair = "film";
  CHECK(has(json_of(kTwo, {"x", "y", {}}, explanation),
            R"({"word":"not","offset":[1,4],"sequence":0})"));
  CHECK(has(json_of(kTwo, {"x", "y", {}}, explanation), R"("text":"bad","pair":"film",)"));
}

TEST_CASE("the text marks words by sign and strength and lists the strongest first") {
  const Explanation explanation = small_explanation();
  CHECK(explanation_text(kTwo, explanation, {}) ==
        "yes 87.5 %   no -1.00  yes 1.00\n\n"
        "[+++not] [--bad] film\n\n"
        "word  offset    yes                    no\n"
        "not      1-4  +2.00        │█████   -2.50  ██████│\n"
        "bad      5-8  -1.00     ▐██│        +0.50        │█\n"
        "film    9-13   0.00        │         0.00        │\n");
  CHECK(has(explanation_text(kTwo, explanation, {1, false, {}}),
            "██████│\nand 2 weaker; -k shows more\n"));
  const std::string coloured = explanation_text(kTwo, explanation, {20, true, {}});
  CHECK(has(coloured, "\x1b[48;5;153;38;5;16m+++not\x1b[0m"));
  CHECK(has(coloured, "--bad\x1b[0m film\n"));
}

TEST_CASE("the text lists pairs by their interaction") {
  Explanation explanation = small_explanation();
  explanation.order = ExplanationOrder::pairs;
  explanation.pairs = {{0, 1, {0.0F, 1.0F}, {0.0F, -4.0F}}, {1, 2, {0.0F, 2.0F}, {0.0F, 2.0F}}};
  CHECK(has(explanation_text(kTwo, explanation, {}),
            "\n\nword pair     offsets    yes  interaction\n"
            "not … bad    1-4, 5-8  +1.00        -4.00  ████████████│\n"
            "bad … film  5-8, 9-13  +2.00        +2.00              │██████\n"));
}

TEST_CASE("of many labels the best ones are shown") {
  LabelSet labels;
  Explanation explanation;
  for (int i = 0; i < 150; ++i) {
    labels.names.push_back("label" + std::to_string(i));
    explanation.prediction.logits.push_back(static_cast<float>(i % 100));
  }
  explanation.prediction.best = 99;
  explanation.words = {{"word", {0, 4}, Sequence::first, explanation.prediction.logits}};
  CHECK(has(explanation_text(labels, explanation, {}),
            "word  offset  label99                 label98\n"));
  const std::string page = explanation_page("page", labels, explanation, {});
  CHECK(has(page, "<h2>label95</h2>"));
  CHECK_FALSE(has(page, "<h2>label94</h2>"));
  CHECK(has(page, "And 145 other labels."));
}

TEST_CASE("all bars have the same scale") {
  // The largest effect, -2.50 of "not" on "no", is as long as half a track.
  const std::string page = explanation_page("page", kTwo, small_explanation(), {});
  struct Row {
    const char* title;
    const char* bar;
  };
  const Row rows[] = {
      {"not (1-4): +2.00", R"(<b class="red"></b><b class="blue"><i style="width:80.0%">)"},
      {"bad (5-8): -1.00", R"(<b class="red"><i style="width:40.0%"></i></b><b class="blue"></b>)"},
      {"not (1-4): -2.50", R"(<b class="red"><i style="width:100.0%"></i></b>)"},
      {"bad (5-8): +0.50", R"(<b class="blue"><i style="width:20.0%"></i></b>)"},
      {"film (9-13): 0.00", R"(<b class="red"><i style="width:0.0%"></i></b>)"}};
  for (const auto& [title, bar] : rows) {
    INFO(title);
    const std::size_t at = page.find("<tr title=\"" + std::string(title));
    REQUIRE(at != std::string::npos);
    CHECK(has(page.substr(at, page.find("</tr>", at) - at), bar));
  }
}

TEST_CASE("words and labels of others are harmless in text and on a page") {
  const std::string evil = "<script>alert('\"')</script>\x1b[31m" + kOverride;
  const LabelSet labels = {{evil, "b"}, ProblemType::single_label, true, {}};
  Explanation explanation = small_explanation();
  explanation.order = ExplanationOrder::pairs;
  explanation.prediction.best = 0;
  explanation.prediction.logits = {2.0F, 1.0F};
  explanation.words[0].text = evil;
  explanation.words[2].text = evil;
  explanation.pairs = {{0, 2, {0.0F, 1.0F}, {0.0F, -4.0F}}};
  const std::string text = explanation_text(labels, explanation, {});
  CHECK(has(text, "\\x1b[31m\\u202e"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, kOverride));
  const std::string page = explanation_page(evil, labels, explanation, {});
  CHECK(has(page, "&lt;script&gt;alert(&#39;&quot;&#39;)&lt;/script&gt;"));
  for (const std::string& bad : {std::string("<script"), std::string("\x1b"), kOverride}) {
    CHECK_FALSE(has(page, bad));
  }
}

TEST_CASE("a page marks words by colour and sign, and needs nothing else") {
  const std::string page = explanation_page("page", kTwo, small_explanation(), {});
  CHECK(has(page, "not<sup>+++</sup></mark>"));
  CHECK(has(page, "bad<sup>−−</sup></mark>"));
  CHECK(has(page, ">film</span>"));
  CHECK(has(page, "not (1-4): +2.00"));
  for (const char* outside : {"http", "src=", "url(", "@import"}) CHECK_FALSE(has(page, outside));
  Explanation empty = small_explanation();
  empty.words.clear();
  CHECK(has(explanation_page("page", kTwo, empty, {}), "A text without words."));
  CHECK(explanation_text(kTwo, empty, {}) == "yes 87.5 %   no -1.00  yes 1.00\n");
}

TEST_CASE("bars are drawn in halves of a column") {
  struct Row {
    double share;
    const char* bar;
    const char* signed_bar;
  };
  const Row rows[] = {{0.0, "    ", "    │    "},  {0.1, "▌   ", "    │▌   "},
                      {0.5, "██  ", "    │██  "},  {1.0, "████", "    │████"},
                      {7.0, "████", "    │████"},  {-0.125, "    ", "   ▐│    "},
                      {-0.5, "    ", "  ██│    "}, {-9.0, "    ", "████│    "}};
  for (const auto& [share, bar, signed_bar] : rows) {
    CAPTURE(share);
    CHECK(text_bar(share, 4) == bar);
    CHECK(signed_text_bar(share, 4) == signed_bar);
  }
}

}  // namespace
}  // namespace headlight::explanation_report_test
