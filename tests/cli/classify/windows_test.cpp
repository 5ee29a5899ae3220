// headlight --long window: texts of the toy that are longer than its eight words.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::windows_test {
namespace {

constexpr int kWrongUsage = 2;
constexpr int kSomeErrors = 3;

// Windows of eight words, two of them shared: six good of eight, then two bad of four.
const std::string kLong = "good good good good good good movie movie bad bad";

TEST_CASE("a long text has its windows in the row, and nothing is cut") {
  const ToyPlace place;
  const Arguments classify = {"classify", "-m", "toy", "--long", "window"};
  CHECK(place.output(with(classify, {"--format", "jsonl", kLong, "good"})) ==
        "{\"text\":\"" + kLong +
            R"(","label":"positive","probability":0.5621765,)"
            R"("probabilities":{"negative":0.4378235,"positive":0.5621765},)"
            R"("logits":{"negative":-0.125,"positive":0.125},"tokens":10,"windows":2})"
            "\n"
            R"({"text":"good","label":"positive","probability":0.8807971,)"
            R"("probabilities":{"negative":0.11920292,"positive":0.8807971},)"
            R"("logits":{"negative":-1,"positive":1},"tokens":1})"
            "\n");
  CHECK(place.output(with(classify, {kLong})) == "positive 56.2 %   " + kLong + "   (2 windows)\n");
  CHECK(place.output(with(classify, {"--format", "csv", kLong, "good"})) ==
        "text,label,probability,logit.negative,logit.positive,probability.negative,"
        "probability.positive,tokens,truncated,windows,error\n" +
            kLong + ",positive,0.5621765,-0.125,0.125,0.4378235,0.5621765,10,,2,\n" +
            "good,positive,0.8807971,-1,1,0.11920292,0.8807971,1,,,\n");
  // Without a stride eight words and the two bad ones alone: (3/4 - 1) / 2.
  CHECK(place.json(with(classify, {"--format", "jsonl", "--stride", "0", kLong}))["logits"] ==
        OrderedJson::parse(R"({"negative":0.125,"positive":-0.125})"));
  CHECK(place.json(with(classify, {"--format", "jsonl", "--max-length", "1", kLong}))["windows"] ==
        10);
}

TEST_CASE("rows in windows have the same bytes whatever the threads, and evaluate reads them") {
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < 200; ++i) {
    std::string text = kLong;
    for (int more = 0; more < i % 7; ++more) text += more % 2 == 0 ? " bad plot" : " good a a a";
    rows += R"({"text":")" + (i % 3 == 0 ? "good" : text) + R"(","label":"positive"})" + "\n";
  }
  place.files().write("rows.jsonl", rows);
  const Arguments batch = {"batch",  "rows.jsonl", "-m",       "toy",
                           "--long", "window",     "--logits", "--threads"};
  const std::string one = place.output(with(batch, {"1"}));
  CHECK(one.find(R"("windows":2})") != std::string::npos);
  CHECK(one.find("truncated") == std::string::npos);
  CHECK(place.output(with(batch, {"4"})) == one);
  const OrderedJson measured =
      place.json({"evaluate", "rows.jsonl", "-m", "toy", "--long", "window", "--format", "json"});
  CHECK(measured["rows"] == 200);
  CHECK(measured["errors"] == 0);
}

TEST_CASE("typed ids that are too long for one pass are an error of their row") {
  const ToyPlace place;
  const Outcome outcome = place.run({"classify", "-m", "toy", "--long", "window", "--ids",
                                     "--format", "jsonl", "1 1 1 1 1 1 1 1 1", "1"});
  CHECK(outcome.status == kSomeErrors);
  CHECK(outcome.out.find("has 9 tokens, more than the 8 that can be read; windows are not "
                         "supported for token ids") != std::string::npos);
}

TEST_CASE("where windows make no sense the command line says so") {
  struct Row {
    Arguments arguments;
    std::string reason;
  };
  const Row rows[] = {
      {{"classify", "--stride", "2", "good"}, "--stride|--long window"},
      {{"classify", "--long", "truncate", "--stride", "2", "good"}, "--stride|--long window"},
      {{"classify", "--long", "window", "--stride", "-1", "good"}, "--stride|-1"},
      {{"classify", "--long", "window", "--stride", "8", "good"}, "--stride 8|8 tokens"},
      {{"batch", "rows.txt", "--long", "window", "--stride", "4", "--max-length", "4"},
       "--stride 4|4 tokens"},
      {{"attention", "--long", "window", "good"}, "--long|window|attention"},
      {{"tokenize", "--long", "window", "good"}, "--long of tokenize"},
      {{"evaluate", "rows.jsonl", "--long", "window", "--attention-stats"},
       "--attention-stats|--long window"},
  };
  for (const auto& [arguments, reason] : rows) {
    const ToyPlace place;
    place.files().write("rows.jsonl", "{\"text\":\"good\",\"label\":\"positive\"}\n");
    check_refusal(place.run(with(arguments, {"-m", "toy"})), kWrongUsage, reason);
  }
}

}  // namespace
}  // namespace headlight::windows_test
