#include "base/json.h"

#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/nearest_name.h"
#include "base/temporary_folder.h"

namespace headlight::json_test {
namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_CASE("an error in JSON names its place") {
  struct Row {
    std::string text;
    std::string error;
  };
  const Row rows[] = {
      {"", "f: column 1: not valid JSON here"},
      {R"({"a" 1})", "f: column 6: not valid JSON here"},
      {R"({"a": 1)", "f: column 8: not valid JSON here"},
      {R"({"a": 1} 2)", "f: column 10: not valid JSON here"},
      {R"({"a": nan})", "f: column 8: not valid JSON here"},
      {"{\n  \"a\": 1,\n  \"b\": ]\n}", "f: line 3, column 8: not valid JSON here"},
      {"[1,\n2,\n", "f: line 3, column 1: not valid JSON here"},
      {"\n]", "f: line 2, column 1: not valid JSON here"},
      {"[\"\xFF\"]", "f: not valid UTF-8 at byte 2"},
      {R"(["\ud800"])", "f: column 9: not valid JSON here"},
      {"[1e999]", "f: column 6: a number above 1.8e308, the most of a float64"},
      {"[0,\n-1e400]", "f: line 2, column 6: a number above 1.8e308, the most of a float64"},
      {R"({"a": 1, "b": 2, "a": 3})", R"(f: the name "a" occurs twice in one object)"},
      {R"([{"x": {"a": 1, "a": 1}}])", R"(f: the name "a" occurs twice in one object)"},
      {repeated("[", 65) + repeated("]", 65), "f: nested more than 64 levels deep"},
      {repeated("{\"a\":", 65), "f: nested more than 64 levels deep"},
  };
  for (const auto& [text, error] : rows) {
    CAPTURE(text);
    CHECK(error_of([&, &json = text] { parse_json(json, "f"); }) == error);
  }
}

TEST_CASE("valid JSON keeps its values") {
  struct Row {
    std::string text;
    std::string dumped;
  };
  const Row rows[] = {
      {" null ", "null"},
      {R"({"b": [1, -2, 2.5], "a": {}})", R"({"a":{},"b":[1,-2,2.5]})"},
      {R"([{"a": 1}, {"a": 2}])", R"([{"a":1},{"a":2}])"},      // the same name in two objects
      {R"({"a": {"a": {"a": 1}}})", R"({"a":{"a":{"a":1}}})"},  // and in each other
      {"18446744073709551615", "18446744073709551615"},
      {"\xEF\xBB\xBF[1]", "[1]"},
      {repeated("[", 64) + repeated("]", 64), repeated("[", 64) + repeated("]", 64)},
  };
  for (const auto& [text, dumped] : rows) CHECK(parse_json(text, "f").dump() == dumped);
}

TEST_CASE("a file that is not JSON is named by its path") {
  const TemporaryFolder folder;
  const std::string path = folder.write("config.json", "{]");
  CHECK(error_of([&] { read_json_file(path); }) == path + ": column 2: not valid JSON here");
  CHECK(read_json_file(folder.write("good.json", "[1]")).size() == 1);
}

TEST_CASE("an excerpt is short and on one line") {
  struct Row {
    std::string json;
    std::string expected;
  };
  const Row rows[] = {
      {"null", "null"},
      {"1.5", "1.5"},
      {R"("a\nb")", R"("a\nb")"},
      {"[1, 2]", "a list of 2"},
      {"{\"a\": 1}", "an object"},
      {'"' + repeated("x", 100) + '"', '"' + repeated("x", 39) + "…"},
      {'"' + repeated("é", 100) + '"', '"' + repeated("é", 19) + "…"},  // no half character
  };
  for (const auto& [json, expected] : rows) CHECK(excerpt(parse_json(json, "f")) == expected);
}

TEST_CASE("the nearest name is the one with the fewest edits, and none if all are far") {
  const std::vector<std::string> known = {"hidden_size", "hidden_act", "norm_order",
                                          "pooling",     "--output",   "batch"};
  struct Row {
    std::string name;
    std::string nearest;
  };
  const Row rows[] = {
      {"hidden_sise", "hidden_size"},
      {"hiddenact", "hidden_act"},
      {"norm_ordre", "norm_order"},
      {"poling", "pooling"},
      {"Pooling", "pooling"},
      {"--pool", "pooling"},
      {"hidden_activation", "hidden_act"},
      {"--out", "--output"},
      {"ouptut", "--output"},
      {"bacth", "batch"},
      {"", ""},
      {"--", ""},
      {"no", ""},
      {"b", ""},
      {"predict", ""},
      {"--colour", ""},
  };
  for (const auto& [name, nearest] : rows) CHECK(nearest_name(name, known) == nearest);
  CHECK(nearest_name("a", {}).empty());
  CHECK(did_you_mean("poling", known) == "did you mean pooling?");
  CHECK(did_you_mean("layers", known).empty());
}

}  // namespace
}  // namespace headlight::json_test
