// headlight explain --input: a row in, an explanation out, and what the words of a file come to.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "sanitized.h"

namespace headlight::explain_rows_test {
namespace {

const std::string kRows =
    "{\"id\": \"a\", \"text\": \"Good, movie\"}\n"
    "{\"id\": \"b\", \"text\": \"good plot\"}\n"
    "{\"id\": \"c\", \"text\": \"bad \\\"movie\\\"\"}\n"
    "{\"id\": \"d\", \"text\": \"good\"}\n"
    "nothing\n";

/// The toy with words without punctuation.
void write_rows(const ToyPlace& place) {
  place.files().write("rows.jsonl", kRows);
  place.files().write("plain.jsonl",
                      "{\"id\": 1, \"text\": \"good movie\"}\n{\"id\": 2, \"text\": \"bad plot\"}\n"
                      "{\"id\": 3, \"text\": \"good plot\"}\n");
}

std::vector<std::string> explain(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"explain", "-m", "toy"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_CASE("each row has its explanation, in order, the same for any number of threads") {
  const ToyPlace place;
  write_rows(place);
  const std::string one =
      place.run(explain({"--input", "rows.jsonl", "--threads", "1", "--row-errors-ok"})).out;
  const auto lines = lines_of(one);
  REQUIRE(lines.size() == 5);
  const OrderedJson second = OrderedJson::parse(lines[1]);
  CHECK(second["id"] == "b");
  const OrderedJson alone =
      OrderedJson::parse(place.output(explain({"--format", "json", "good plot"})));
  CHECK(second["words"] == alone["words"]);
  CHECK(second["method"] == "occlusion");
  CHECK(OrderedJson::parse(lines[3])["error"] ==
        "without \"good\" the text gives no tokens, so there is nothing to score");
  CHECK(OrderedJson::parse(lines[4])["id"] == 4);
  CHECK(place.run(explain({"--input", "rows.jsonl", "--threads", "3", "--row-errors-ok"})).out ==
        one);
  CHECK(place.run(explain({"--input", "rows.jsonl"})).status == 3);
}

TEST_CASE("a text that needs more memory than there is gives an error row, and the others go on") {
  if (kSanitized) return;  // a sanitizer reserves more address space than any limit
  const ToyPlace place;
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "a ";
  place.files().write("rows.jsonl", "{\"text\":\"good movie\"}\n{\"text\":\"" + text +
                                        "\"}\n{\"text\":\"bad movie\"}\n");
  for (const std::string method : {"occlusion", "integrated-gradients"}) {
    CAPTURE(method);
    Command command = place.command(
        explain({"--input", "rows.jsonl", "--method", method, "--threads", "1", "-q"}));
    command.most_memory = 150L << 20;
    const Outcome outcome = run(command);
    CHECK(outcome.complaint() == "");
    CHECK(outcome.status == 3);
    const auto lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 3);
    CHECK(OrderedJson::parse(lines[0]).contains("words"));
    CHECK(lines[1] == R"({"id":1,"error":"needs more memory than there is"})");
    CHECK(OrderedJson::parse(lines[2]).contains("words"));
  }
}

TEST_CASE("rows of CSV have their options, and no others are taken without --input") {
  const ToyPlace place;
  place.files().write("rows.csv", "key,body\nx,good movie\ny,bad movie\n");
  const std::string out = place
                              .run(explain({"--input", "rows.csv", "--text", "body", "--id", "key",
                                            "--skip", "1", "--quiet"}))
                              .out;
  REQUIRE(lines_of(out).size() == 1);
  CHECK(OrderedJson::parse(out)["id"] == "y");
  for (const std::string option : {"--skip", "--limit"}) {
    check_last_reason(place.run(explain({option, "1", "good movie"})), 2, option + "|--input");
  }
  check_last_reason(place.run(explain({"--resume", "-o", "new.jsonl", "good movie"})), 2,
                    "--resume|--input");
}

TEST_CASE("a stopped run goes on, and ends with the same bytes") {
  const ToyPlace place;
  write_rows(place);
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--input", "plain.jsonl", "-o", "out.jsonl"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.run(explain(arguments));
  };
  CHECK(run({}).status == 0);
  const std::string whole = place.files().read("out.jsonl");
  CHECK(lines_of(whole).size() == 3);
  CHECK(run({}).status == 1);  // the file exists
  const Outcome again = run({"--resume"});
  CHECK(again.status == 0);
  CHECK(again.err.find("already complete") != std::string::npos);
  // A run that ends at an error keeps the rows before it.
  place.files().write("bad.jsonl", "{\"text\": \"good movie\"}\n{\"text\": \"good\"}\n");
  const std::vector<std::string> strict = {"--input",    "bad.jsonl",  "-o",
                                           "part.jsonl", "--on-error", "stop"};
  CHECK(place.run(explain(strict)).status == 1);
  CHECK(lines_of(place.files().read("part.jsonl.partial")).size() == 1);
  auto onward = strict;
  onward.back() = "continue";
  onward.emplace_back("--resume");
  const Outcome finished = place.run(explain(onward));
  CHECK(finished.status == 3);
  CHECK(finished.err.find("resuming after 1 row") != std::string::npos);
  CHECK(lines_of(place.files().read("part.jsonl")).size() == 2);
}

TEST_CASE("--summary has the words that push each label, also of rows of an earlier run") {
  const ToyPlace place;
  write_rows(place);
  const std::vector<std::string> arguments = {"--input", "plain.jsonl", "-o", "out.jsonl",
                                              "--summary"};
  auto text = arguments;
  text.emplace_back("-");
  const std::string table = place.run(explain(text)).out;
  CHECK(table.find("\nwords for positive  times  mean effect") != std::string::npos);
  auto json = arguments;
  json.insert(json.end(), {"words.json", "--resume"});
  CHECK(place.run(explain(json)).status == 0);
  const OrderedJson found = OrderedJson::parse(place.files().read("words.json"));
  CHECK(found["rows"] == 3);
  CHECK(found["errors"] == 0);
  const OrderedJson& best = found["words"]["positive"][0];
  CHECK(best["word"] == "good");  // 0.5 − 0 twice
  CHECK(best["count"] == 2);
  CHECK(best["mean_effect"] == 0.5);
  CHECK(best["total_effect"] == 1.0);
  CHECK(found["words"]["negative"][0]["word"] == "bad");
  // plot: +0.5 beside "bad", −0.5 beside "good"
  CHECK(found["words"]["positive"][1]["word"] == "plot");
  CHECK(found["words"]["positive"][1]["total_effect"] == 0.0);
}

TEST_CASE("a signal leaves a whole summary or none, and --resume writes it") {
  const ToyPlace place;
  std::string rows;
  for (int i = 0; i < (kSanitized ? 1'000 : 20'000); ++i)
    rows += i % 2 == 0 ? "good movie\n" : "bad a\n";
  place.files().write("rows.txt", rows);
  const std::vector<std::string> arguments =
      explain({"--input", "rows.txt", "-o", "out.jsonl", "--summary", "words.json"});
  REQUIRE(place.run(arguments).status == 0);
  const std::string expected = place.files().read("words.json");
  auto resumed = arguments;
  resumed.emplace_back("--resume");
  int stopped = 0;
  for (const int number : {SIGINT, SIGTERM, SIGKILL}) {
    for (int milliseconds = 0; milliseconds < 40; milliseconds += 4) {
      CAPTURE(milliseconds);
      std::filesystem::remove(place.files() / "words.json");
      Process process(place.command(resumed));
      REQUIRE(process.says("already complete"));
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      process.send(number);
      const Outcome outcome = process.finish();
      if (outcome.status == 0 || place.files().has("words.json")) {
        CHECK((place.files().read("words.json") == expected));
      } else if (number != SIGKILL) {
        check_last_reason(outcome, 128 + number, "before the summary was written|--resume");
        ++stopped;
      }
    }
  }
  CHECK(stopped > 0);
  check_last_reason(place.run(resumed), 0, "out.jsonl is already complete");
  CHECK((place.files().read("words.json") == expected));
  place.files().write("words.json", "mine");
  check_last_reason(place.run(resumed), 1, "words.json: exists already and is not a summary");
  CHECK(place.files().read("words.json") == "mine");
}

TEST_CASE("--summary joins spellings of a word, and has the mean faithfulness") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  place.files().write("rows.jsonl", "{\"text\": \"a b AB,\"}\n{\"text\": \"B. \\\"ab\\\" a\"}\n");
  const Outcome outcome = place.run({"explain", "-m", model, "--input", "rows.jsonl", "-o",
                                     "out.jsonl", "--summary", "all.json", "--faithfulness"});
  REQUIRE(outcome.status == 0);
  const OrderedJson found = OrderedJson::parse(place.files().read("all.json"));
  for (const auto& [label, words] : found["words"].items()) {
    CHECK(words.size() == 3);
    for (const auto& word : words) CHECK(word["count"] == 2);
  }
  REQUIRE(found["faithfulness"].size() == 6);  // five methods, and words in random order
  CHECK(found["faithfulness"][0]["method"] == "occlusion");
  double sum = 0.0;
  for (const auto& line : lines_of(place.files().read("out.jsonl"))) {
    sum += OrderedJson::parse(line)["faithfulness"]["comprehensiveness"].get<double>();
  }
  CHECK(found["faithfulness"][0]["comprehensiveness"].get<double>() == doctest::Approx(sum / 2));
  CHECK_FALSE(found["faithfulness"][0].contains("comprehensiveness_interval"));  // of two rows
}

TEST_CASE("with --label, a row that is predicted wrongly says why it is not its true label") {
  const ToyPlace place;
  place.files().write("rows.jsonl",
                      "{\"text\": \"good movie\", \"gold\": \"positive\"}\n"
                      "{\"text\": \"good plot\", \"gold\": \"negative\"}\n"
                      "{\"text\": \"good plot\", \"gold\": \"another\"}\n");
  const auto lines =
      lines_of(place.run(explain({"--input", "rows.jsonl", "--label", "gold", "-q"})).out);
  REQUIRE(lines.size() == 3);
  CHECK(!OrderedJson::parse(lines[0]).contains("towards"));
  const OrderedJson wrong = OrderedJson::parse(lines[1]);
  CHECK(wrong["towards"] == "negative");
  for (const OrderedJson& word : wrong["words"]) {
    CHECK(word["difference"] ==
          word["effect"]["positive"].get<float>() - word["effect"]["negative"].get<float>());
  }
  CHECK(!OrderedJson::parse(lines[2]).contains("towards"));
  place.files().write("numbers.jsonl", "{\"text\": \"good plot\", \"label\": 0}\n");
  CHECK(OrderedJson::parse(place
                               .run(explain({"--input", "numbers.jsonl", "--label", "label",
                                             "--label-map", "0=negative", "-q"}))
                               .out)["towards"] == "negative");
  check_last_reason(place.run(explain({"--input", "rows.jsonl", "--label", "none"})), 1,
                    "has no field \"none\"");
  check_last_reason(
      place.run(explain({"--input", "rows.jsonl", "--label", "gold", "--towards", "negative"})), 2,
      "--towards cannot be combined with --label");
}

TEST_CASE("of many labels, a row has the predicted and the true one, and the summary these") {
  const ToyPlace place;
  std::vector<float> weights(28, 0.0F);
  weights[8] = 1.0F;    // good: L2
  weights[20] = -1.0F;  // bad: L5
  place.add(
      "many",
      [](OrderedJson& config) {
        config["id2label"] = OrderedJson::object();
        for (int i = 0; i < 7; ++i) {
          config["id2label"][std::to_string(i)] = "L" + std::to_string(i);
        }
      },
      [&](std::vector<Tensor>& tensors) {
        tensor_of(tensors, "classifier.weight") =
            float_tensor("classifier.weight", {7, 4}, weights);
        std::erase_if(tensors, [](const Tensor& one) { return one.name == "classifier.bias"; });
        tensors.push_back(float_tensor("classifier.bias", {7}, std::vector<float>(7, 0.0F)));
      });
  place.files().write("rows.jsonl",
                      "{\"text\": \"good movie\", \"label\": \"L4\"}\n"
                      "{\"text\": \"bad plot\", \"label\": \"L5\"}\n");
  const Outcome outcome =
      place.run({"explain", "-m", "many", "--input", "rows.jsonl", "--label", "label", "-o",
                 "why.jsonl", "--summary", "words.json", "-k", "1"});
  CHECK(outcome.status == 0);
  const auto lines = lines_of(place.files().read("why.jsonl"));
  REQUIRE(lines.size() == 2);
  const auto keys = [](const OrderedJson& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
  };
  const OrderedJson first = OrderedJson::parse(lines[0]);
  CHECK(keys(first["logits"]) == std::vector<std::string>{"L2", "L4"});
  CHECK(keys(first["words"][0]["effect"]) == std::vector<std::string>{"L2", "L4"});
  CHECK(keys(OrderedJson::parse(lines[1])["words"][0]["effect"]) == std::vector<std::string>{"L5"});
  const OrderedJson found = OrderedJson::parse(place.files().read("words.json"));
  CHECK(keys(found["words"]) == std::vector<std::string>{"L2", "L4", "L5"});
  CHECK(found["words"]["L2"].size() == 1);
  CHECK(found["words"]["L2"][0]["word"] == "good");
  CHECK(keys(place.json(
                 {"explain", "-m", "many", "--format", "json", "good movie"})["words"][0]["effect"])
            .size() == 7);
}

TEST_CASE("what does not go with --input is refused") {
  const ToyPlace place;
  write_rows(place);
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  const Case cases[] = {
      {{"--input", "rows.jsonl", "--format", "html"},
       "--input cannot be combined with --format html|a line of JSONL per row"},
      {{"--input", "rows.jsonl", "good"}, "--input cannot be combined with TEXT"},
      {{"--input", "rows.jsonl", "-k", "3"}, "--top-k|--summary"},
      {{"--input", "rows.jsonl", "--summary", "-"}, "--summary needs -o FILE"},
  };
  for (const auto& [arguments, reason] : cases) {
    check_last_reason(place.run(explain(arguments)), 2, reason);
  }
}

TEST_CASE("texts of the command line can be JSONL too") {
  const ToyPlace place;
  const auto lines =
      lines_of(place.output(explain({"--format", "jsonl", "good movie", "bad plot"})));
  REQUIRE(lines.size() == 2);
  CHECK(OrderedJson::parse(lines[1])["text"] == "bad plot");
}

}  // namespace
}  // namespace headlight::explain_rows_test
