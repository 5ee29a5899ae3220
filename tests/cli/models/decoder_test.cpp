// The program on published decoders: word by word, without tokens, and without a head.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::decoder_test {
namespace {

std::string published(const std::string& name) {
  return std::string(HEADLIGHT_TEST_DATA) + "/golden/published/" + name;
}

TEST_CASE("stream gives after each word what classify gives the words so far") {
  const ToyPlace place;
  const std::vector<std::string> beginnings = {"ab", "ab a,b", "ab a,b b"};
  for (const char* name :
       {"gpt2-three-labels", "llama-three-labels", "qwen2-three-labels", "gemma3-text-three-labels",
        "mistral-three-labels", "gemma-three-labels"}) {
    CAPTURE(name);
    const auto lines = lines_of(place.output({"stream", "-m", published(name)}, "ab a,b b\n"));
    REQUIRE(lines.size() == beginnings.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto line = OrderedJson::parse(lines[i]);
      const auto expected =
          place.json({"classify", "-m", published(name), "--format", "json", beginnings[i]});
      CHECK(line["tokens"] == expected[0]["tokens"]);
      CHECK(line["logits"] == expected[0]["logits"]);
    }
  }
}

TEST_CASE("stream leaves out the tokens that end a whole text") {
  const ToyPlace place;
  for (const char* name : {"qwen3-three-labels", "modernbert-decoder-three-labels"}) {
    CAPTURE(name);
    const auto lines = lines_of(place.output({"stream", "-m", published(name)}, "ab a\n"));
    REQUIRE(lines.size() == 2);
    const auto whole = place.json({"classify", "-m", published(name), "--format", "json", "ab a"});
    CHECK(OrderedJson::parse(lines[1])["tokens"].get<int>() == whole[0]["tokens"].get<int>() - 1);
  }
}

TEST_CASE("a text without tokens is an error of that text") {
  const ToyPlace place;
  const Outcome outcome =
      place.run({"classify", "-m", published("gpt2-three-labels"), "--format", "jsonl", "ab", "q"});
  CHECK(outcome.status == 3);
  const auto lines = lines_of(outcome.out);
  REQUIRE(lines.size() == 2);
  CHECK(OrderedJson::parse(lines[0]).contains("logits"));
  CHECK(OrderedJson::parse(lines[1])["error"].get<std::string>().find("no tokens") !=
        std::string::npos);
}

TEST_CASE("a language model has no classification head, and its vectors") {
  const ToyPlace place;
  for (const char* name :
       {"llama-language-model", "gpt2-old-language-model", "modernbert-masked-lm"}) {
    CAPTURE(name);
    check_refusal(place.run({"classify", "-m", published(name), "--ids", "7"}), 1,
                  std::string(name) + ": has no classification head (architecture ");
    const auto json =
        place.json({"attention", "-m", published(name), "--ids", "7 8", "--format", "json"});
    CHECK(json["attention"].size() == 2);
  }
}

TEST_CASE("a position that the window leaves out has no weight") {
  const ToyPlace place;
  const auto json = place.json({"attention", "-m", published("modernbert-decoder-sliding-window"),
                                "--ids", "7 8 9 10", "--format", "json"});
  const auto& local = json["attention"][1][0];
  CHECK(local[3][0] == 0.0);
  CHECK(local[3][1] == 0.0);
  CHECK(local[3][2] > 0.0);
  CHECK(json["attention"][0][0][3][0] > 0.0);
}

}  // namespace
}  // namespace headlight::decoder_test
