#include "model/card.h"

#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "base/temporary_folder.h"

namespace headlight::card_test {
namespace {

/// The fields as one object, in their order.
std::string fields_of(const std::string& readme) {
  const TemporaryFolder folder;
  folder.write("README.md", readme);
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const CardField& field : read_card(folder / ".")) {
    object[field.name] = nlohmann::ordered_json::parse(field.json);
  }
  return object.dump();
}

TEST_CASE("single values, lists of them and JSON are the fields of a card") {
  CHECK(
      fields_of("---\nlicense: mit\nlanguage:\n- en\n- 'de'\n# why\n\npipeline_tag:  x # y\n"
                "\"library_name\": \"a: b\"\ntags: [\"a\", \"b\"]\nurl: http://a:b\r\nnone:\n---\n"
                "later: no\n") ==
      R"({"license":"mit","language":["en","de"],"pipeline_tag":"x","library_name":"a: b",)"
      R"("tags":["a","b"],"url":"http://a:b","none":null})");
  CHECK(fields_of("---\nindex: [{\"a\": {\"b\": 1}}]\n---") == R"({"index":[{"a":{"b":1}}]})");
}

TEST_CASE("quotes, comments and lists are read as YAML reads them") {
  // PyYAML 6.0.3 gives the same
  CHECK(fields_of("---\na: 'it''s # x' # c\nb: \"x\" # c\nc: [en, 'd, e', \"f\"] # c\nd: # none\n"
                  "'k: k': v\n\"k\\\"2\": w\ne: it's # c\nf: a#b\ng: [] \n? \"long\"\n: \"x: y\"\n"
                  "---\n") ==
        R"({"a":"it's # x","b":"x","c":["en","d, e","f"],"d":null,"k: k":"v","k\"2":"w",)"
        R"("e":"it's","f":"a#b","g":[],"long":"x: y"})");
}

TEST_CASE("the figures of a card are shown with their names, and lists in one line") {
  const TemporaryFolder folder;
  folder.write(
      "README.md",
      "---\nlanguage: [\"en\", \"de\"]\nmodel-index: [{\"results\": [{\"metrics\": [{\"name\": "
      "\"accuracy\", \"value\": 0.51239}, {\"value\": 2}]}, {\"name\": \"x\"}]}, 7]\n---\n");
  const auto card = read_card(folder / ".");
  REQUIRE(card.size() == 2);
  CHECK(card[0].text == "en, de");
  CHECK(card[1].text == "accuracy 0.5124, a metric 2");
}

TEST_CASE("what is deeper is left out, and the fields after it are read") {
  CHECK(fields_of("---\na: 1\nwidget:\n- text: x\n  more: y\n- z\nmodel-index:\n  - name: b\n"
                  "    results:\n    - c\nabout: |\n  d: e\n\n  f\nlast: g\n---\n") ==
        R"({"a":"1","last":"g"})");
}

TEST_CASE("the summary of a card is its first paragraph, behind fields and headings") {
  struct Row {
    std::string card;
    std::string summary;
  };
  const Row rows[] = {
      {"---\nlanguage: en\n---\n\n# name\n\nInput: a `text`.\nOutput: a label.\n\nMore.\n",
       "Input: a text. Output: a label."},
      {"Plain.\r\n# Heading", "Plain."},
      {"# Heading\n| a | b |\n", ""},
      {"---\na: b\n", ""},
      {"", ""}};
  for (const auto& [card, summary] : rows) {
    const TemporaryFolder folder;
    folder.write("README.md", card);
    CHECK(read_card_summary(folder / ".") == summary);
  }
}

TEST_CASE("a file without such a beginning, or without its end, has no fields") {
  for (const std::string text : {"", "# A model\n---\na: b\n---\n", "---\na: b\n",
                                 "----\na: b\n---", "---\n---\n", "---\n- a\n  b\n:\nc\n---\n"}) {
    INFO(text);
    CHECK(fields_of(text) == "{}");
  }
  const TemporaryFolder folder;
  CHECK(read_card(folder / "absent").empty());
}

TEST_CASE("bad bytes of a card become escapes, and what looks like JSON but is not stays text") {
  CHECK(fields_of("---\n\xFF: \xFE\na: [1\n---\n") == R"({"\\xff":"\\xfe","a":"[1"})");
}

}  // namespace
}  // namespace headlight::card_test
