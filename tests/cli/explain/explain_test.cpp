// What each word does to the logits, on toys where one can count it: "good" has the logits (-1, 1),
// "bad" (1, -1), any other word (0, 0), and a text their mean.
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "sanitized.h"

namespace headlight::explain_test {
namespace {

std::string many_words(std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += i % 3 == 0 ? "good " : "movie ";
  return text;
}

TEST_CASE("explain says what the logits lose without each word") {
  const ToyPlace place;
  const OrderedJson expected = OrderedJson::parse(R"({"text":" good  movie","label":"positive",
      "logits":{"negative":-0.5,"positive":0.5},
      "probabilities":{"negative":0.26894143,"positive":0.7310586},
      "words":[{"word":"good","offset":[1,5],"effect":{"negative":-0.5,"positive":0.5}},
               {"word":"movie","offset":[7,12],"effect":{"negative":0.5,"positive":-0.5}}],
      "method":"occlusion"})");
  const std::vector<std::string> json = {"explain", "-m", "toy", "--format", "json"};
  auto typed = json;
  typed.emplace_back(" good  movie");
  CHECK(place.bare_json(typed) == expected);
  CHECK(place.bare_json(json, " good  movie\n") == expected);
}

/// Chinese, of which a token is a character, two of them known.
void use_chinese(OrderedJson& config) {
  config["tokenizer"] = {{"type", "wordpiece"},
                         {"vocabulary", {"[UNK]", "[CLS]", "[SEP]", "好", "##x", "看"}}};
}

TEST_CASE("where a script has no blanks, words are what the tokenizer separates") {
  const ToyPlace place;
  place.add("chinese", use_chinese);
  const std::vector<std::string> json = {"explain", "-m", "chinese", "--format", "json"};
  const auto words_of = [&](std::vector<std::string> more) {
    more.insert(more.begin(), json.begin(), json.end());
    return place.bare_json(more)["words"];
  };
  for (const std::string method : {"occlusion", "shapley", "gradient", "lrp"}) {
    CAPTURE(method);
    const OrderedJson apart = words_of({"--method", method, "好 看 好x"});
    const OrderedJson together = words_of({"--method", method, "好看 好x"});
    REQUIRE(together.size() == 4);
    CHECK(together[1]["word"] == "看");
    CHECK(together[1]["offset"] == OrderedJson::parse("[1,2]"));
    CHECK(together[3]["word"] == "x");
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(together[i]["effect"] == words_of({"--method", method, "好 看 好 x"})[i]["effect"]);
    }
    CHECK(apart[0]["effect"] == together[0]["effect"]);
  }
}

TEST_CASE("words of a script without blanks are separated in all windows of a long text") {
  const ToyPlace place;
  place.add("chinese", [](OrderedJson& config) {
    use_chinese(config);
    config["long"] = "window";
  });
  const OrderedJson words = place.bare_json({"explain", "-m", "chinese", "--format", "json",
                                             "--max-length", "6", "好看好看好看好看好看"})["words"];
  REQUIRE(words.size() == 10);
  CHECK(words[9]["word"] == "看");
}

TEST_CASE("explain --unit token has an effect for each token") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  const std::vector<std::string> json = {"explain",  "-m",   "pieces",
                                         "--format", "json", "goodness bad"};
  CHECK(place.bare_json(json)["words"].size() == 2);
  auto tokens = json;
  tokens.insert(tokens.begin() + 1, {"--unit", "token"});
  const OrderedJson found = place.bare_json(tokens)["words"];
  REQUIRE(found.size() == 3);
  CHECK(found[1]["word"] == "ness");
  CHECK(found[1]["offset"] == OrderedJson::parse("[4,8]"));
}

TEST_CASE("explain --method takes gradients instead of leaving out words") {
  const ToyPlace place;
  for (const std::string method : {"gradient", "integrated-gradients", "lrp"}) {
    CAPTURE(method);
    const auto json = place.json(
        {"explain", "-m", "toy", "--format", "json", "--method", method, "good bad movie good"});
    CHECK(json["method"] == method);
    CHECK(json["logits"]["positive"] == 0.25);
    CHECK(json["words"][0]["effect"] ==
          OrderedJson::parse(R"({"negative":-0.25,"positive":0.25})"));
    CHECK(json["words"][1]["effect"]["positive"] == -0.25);
    CHECK(json["words"][2]["effect"]["positive"] == 0.0);
    CHECK(json.contains("completeness_gap") == (method == "integrated-gradients"));
    CHECK(json.contains("bias_share") == (method == "lrp"));
    if (method == "lrp") CHECK(json["bias_share"]["positive"] == 0.0);
  }
  check_refusal(place.run({"explain", "-m", "toy", "--method", "gradient", "--order", "2", "good"}),
                2, "--order 2 needs --method occlusion, because it leaves out pairs of words");
  check_refusal(
      place.run({"explain", "-m", "toy", "--method", "gradient", "--zero-shot", "a,b", "good"}), 2,
      "--zero-shot needs --method occlusion or shapley");
}

TEST_CASE("explain --order 2 says what words do together") {
  const ToyPlace place;
  const auto json =
      place.json({"explain", "-m", "toy", "--format", "json", "--order", "2", "good bad movie"});
  // 0; without good -1/2, without bad 1/2, without movie 0; movie 0, bad -1, good 1.
  CHECK(json["words"][0]["effect"]["positive"] == 0.5);
  CHECK(json["words"][1]["effect"]["positive"] == -0.5);
  CHECK(json["words"][2]["effect"]["positive"] == 0.0);
  CHECK(json["pairs"] == OrderedJson::parse(R"([
      {"words":[0,1],"effect":{"negative":0,"positive":0},
       "interaction":{"negative":0,"positive":0}},
      {"words":[0,2],"effect":{"negative":-1,"positive":1},
       "interaction":{"negative":-0.5,"positive":0.5}},
      {"words":[1,2],"effect":{"negative":1,"positive":-1},
       "interaction":{"negative":0.5,"positive":-0.5}}])"));
}

TEST_CASE("explain shows a text with its words marked, and how many is asked for") {
  const ToyPlace place;
  CHECK(place.output({"explain", "-m", "toy", "-k", "1", "good movie"}) ==
        "positive 73.1 %   negative -0.50  positive 0.50\n\n"
        "[+++good] [---movie]\n\n"
        "word  offset  positive                 negative\n"
        "good     0-4     +0.50        │██████     -0.50  ██████│\n"
        "and 1 weaker; -k shows more\n");
  const auto coloured = place.output({"explain", "-m", "toy", "--color", "always", "good movie"});
  CHECK(coloured.find("\x1b[48;5;153;38;5;16m+++good\x1b[0m") != std::string::npos);
  const auto page = place.output({"explain", "-m", "toy", "--format", "html", "good movie"});
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("good<sup>+++</sup>") != std::string::npos);
}

TEST_CASE("explain takes pairs, and labels of zero-shot") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  const auto pair = place.json({"explain", "-m", model, "--format", "json", "--pair", "b ab", "a"});
  CHECK(pair["pair"] == "b ab");
  REQUIRE(pair["words"].size() == 3);
  CHECK(pair["words"][0]["sequence"] == 0);
  CHECK(pair["words"][2]["sequence"] == 1);
  CHECK(pair["words"][2]["offset"] == OrderedJson({2, 4}));
  const auto zero_shot = place.json({"explain", "-m", model, "--format", "json", "--zero-shot",
                                     "x,y", "--entailment", "yes", "a b"});
  CHECK(zero_shot["logits"].contains("x"));
  CHECK(zero_shot["words"][1]["effect"].contains("y"));
}

TEST_CASE("explain says that tokens were cut") {
  const ToyPlace place;
  const Outcome outcome = place.run({"explain", "-m", "toy", "--format", "json"},
                                    "good good good good bad bad bad bad bad bad");
  check_sane(outcome);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.find("2 tokens of the text were cut") != std::string::npos);
  const auto json = OrderedJson::parse(outcome.out);
  CHECK(json["truncated"] == 2);
  CHECK(json["words"][0]["effect"]["positive"] == 0.25);
  CHECK(json["words"][9]["effect"]["positive"] == 0.0);
}

TEST_CASE("explain --method shapley shares the effect of words that replace each other") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  const std::vector<std::string> begin = {"explain", "-m", model, "--method", "shapley"};
  const auto with = [&](const std::vector<std::string>& more) {
    auto arguments = begin;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  const auto exact = place.json(with({"--format", "json", "a b ab"}));
  CHECK(exact["method"] == "shapley");
  CHECK_FALSE(exact.contains("samples"));
  REQUIRE(exact["words"].size() == 3);
  CHECK(exact["words"][0]["standard_error"].begin().value() == 0.0);
  const std::vector<std::string> sampled = {"--format", "json", "--samples", "4", "a b ab a b a"};
  const auto found = place.json(with(sampled));
  CHECK(found["samples"] == 4);
  CHECK(found == place.json(with(sampled)));
  auto seeded = sampled;
  seeded.insert(seeded.begin(), {"--seed", "7"});
  CHECK(found["words"] != place.json(with(seeded))["words"]);
  CHECK(place.output(with({"a b ab"})).ends_with("\neffects: Shapley values, exact\n"));
  const auto text = place.output(with({"--samples", "4", "a b ab a b a"}));
  CHECK(text.find("\neffects: Shapley values from 4 sampled orders, largest standard error ") !=
        std::string::npos);
  const auto page = place.output(with({"--format", "html", "a b ab"}));
  CHECK(page.find("Shapley values, exact") != std::string::npos);
}

TEST_CASE("explain --faithfulness judges all methods, the chosen one first") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  const std::vector<std::string> arguments = {
      "explain", "-m", model, "--faithfulness", "--method", "shapley", "a b ab [MASK] b"};
  auto json = arguments;
  json.insert(json.end() - 1, {"--format", "json"});
  const auto found = place.json(json)["faithfulness"];
  CHECK(found["comprehensiveness"].is_number());
  CHECK(found["methods"][0]["comprehensiveness"] == found["comprehensiveness"]);
  std::vector<std::string> names;
  for (const auto& method : found["methods"]) names.push_back(method["method"]);
  CHECK(names == std::vector<std::string>{"shapley", "occlusion", "gradient",
                                          "integrated-gradients", "lrp", "random"});
  for (const auto& method : found["methods"]) {
    CHECK(method["normalized_sufficiency"] >= 0.0);
    CHECK(method["normalized_sufficiency"] <= 1.0);
  }
  CHECK(place.output(arguments).find(
            "\nmethod                comprehensiveness  of best  sufficiency") !=
        std::string::npos);
  auto page = arguments;
  page.insert(page.end() - 1, {"--format", "html"});
  CHECK(place.output(page).find("<h2>Faithfulness</h2>") != std::string::npos);
  auto one = arguments;
  one.back() = "a";
  CHECK(place.output(one).find("comprehensiveness") == std::string::npos);
}

TEST_CASE("explain --flip finds the fewest words whose removal changes the verdict") {
  const ToyPlace place;
  const std::vector<std::string> json = {"explain", "-m", "toy", "--flip", "--format", "json"};
  const auto flip_of = [&](const std::vector<std::string>& more) {
    auto arguments = json;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.json(arguments)["flip"];
  };
  // Without one "good", 1 and 1: the lower label. Equal ones: the first.
  CHECK(flip_of({"good movie bad good"}) ==
        OrderedJson::parse(R"({"words":[{"word":"good","offset":[0,4]}],"text":"movie bad good",
            "label":"negative","probability":0.5,"logits":{"negative":0,"positive":0},
            "exhaustive":true})"));
  CHECK(flip_of({"bad good good good"})["words"].size() == 2);
  CHECK(flip_of({"good good"}).is_null());
  CHECK(flip_of({"--method", "gradient", "good bad good"})["words"][0]["offset"][0] == 0);
  const std::string text = place.output({"explain", "-m", "toy", "--flip", "good movie bad good"});
  CHECK(
      text.ends_with("\n\nsmallest change: without \"good\" (0-4)\n"
                     "negative 50.0 %   negative 0.00  positive 0.00\n"));
  // With one "good" less, both labels reach 0.5.
  place.add("several",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  auto several = json;
  several[2] = "several";
  several.emplace_back("good good bad");
  const auto of_several = place.json(several)["flip"];
  CHECK(of_several["words"] == OrderedJson::parse(R"([{"word":"good","offset":[0,4]}])"));
  CHECK(of_several["labels"].size() == 2);
}

TEST_CASE("explain --flip takes pairs, labels of zero-shot and rows, and says what it scores") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  const std::vector<std::string> begin = {"explain", "-m", model, "--flip", "--format", "json"};
  auto pair = begin;
  pair.insert(pair.end(), {"--pair", "É [MASK] b", "a"});
  const auto of_pair = place.json(pair)["flip"];
  CHECK(of_pair["words"] == OrderedJson::parse(R"([{"word":"a","offset":[0,1],"sequence":0},
            {"word":"[MASK]","offset":[2,8],"sequence":1},
            {"word":"b","offset":[9,10],"sequence":1}])"));
  CHECK(of_pair["text"] == "");
  CHECK(of_pair["pair"] == "É");
  CHECK(of_pair["label"] == "maybe");
  auto zero_shot = begin;
  zero_shot.insert(zero_shot.end(), {"--zero-shot", "x,y", "--entailment", "yes", "a b"});
  CHECK(place.json(zero_shot).contains("flip"));
  place.files().write("rows.txt", "good bad good\ngood good\nbad good bad bad movie\n");
  const std::vector<std::string> rows = {"explain", "-m", "toy", "--flip", "--input", "rows.txt"};
  const auto with_threads = [&](const std::string& threads) {
    auto arguments = rows;
    arguments.insert(arguments.end(), {"--threads", threads});
    return place.output(arguments);
  };
  const std::string one = with_threads("1");
  CHECK(one == with_threads("3"));
  CHECK(OrderedJson::parse(lines_of(one)[1])["flip"].is_null());
  CHECK(OrderedJson::parse(lines_of(one)[2])["flip"]["words"].size() == 3);
  place.add("long", [](OrderedJson& config) { config["max_position_embeddings"] = 100; });
  const Outcome outcome = place.run({"explain", "-m", "long", "--flip", many_words(14)});
  // 15, 14 + 91 + 364 + 1001 + 2002 sets of up to 5 words, 5000 of the search, the answer again.
  CHECK(outcome.err.find("scoring 8488 texts: each whole text, and without each of its words, and "
                         "without sets of words, at most, 14 words in all") != std::string::npos);
  const Outcome cut = place.run({"explain", "-m", "toy", "--flip", "--method", "gradient"},
                                "good good good good bad bad bad bad bad bad");
  CHECK(cut.err.find("lets some of them in") != std::string::npos);
}

TEST_CASE("explain --flip refuses labels that cannot change") {
  const ToyPlace place;
  place.add("stars", [](OrderedJson& config) { config["problem_type"] = "regression"; });
  place.add("several",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  const std::string bert = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  struct Row {
    std::vector<std::string> arguments;
    std::string reason;
  };
  const Row rows[] = {{{"-m", "stars", "good"},
                       "--flip needs labels that can change, but the model predicts a value"},
                      {{"-m", bert, "--zero-shot", "x", "--entailment", "yes", "a"},
                       "--flip needs labels that can change, but there is only one"},
                      {{"-m", "several", "--activation", "none", "good"},
                       "but without probabilities all are given"},
                      {{"-m", "stars", "--input", "rows.txt"}, "but the model predicts a value"}};
  for (const Row& row : rows) {
    std::vector<std::string> arguments = {"explain", "--flip"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    check_refusal(place.run(arguments), 2, row.reason);
  }
}

TEST_CASE("explain refuses what has no words to leave out") {
  struct Row {
    std::vector<std::string> arguments;
    int status;
    std::string reason;
  };
  const Row rows[] = {
      {{"--ids", "1 2"}, 2, "--ids of explain"},
      {{"--long", "window", "good movie"}, 2, "--long|window|explain"},
      {{"--format", "json", "-k", "2", "good movie"},
       2,
       "--top-k|--format text, html or svg, --rows or --summary"},
      {{"--order", "3", "good movie"}, 2, "--order|3"},
      {{"--order", "2", "--method", "shapley", "good movie"}, 2, "--order 2|--method occlusion"},
      {{"--samples", "9", "good movie"}, 2, "--samples|--method shapley"},
      {{"--method", "shapley", "good"}, 3, "with 0 of its 1 words the text gives no tokens"},
      {{"good"}, 3, "without \"good\" the text gives no tokens"},
      {{"--order", "2", "good bad"}, 3, "without \"good\" and \"bad\" the text gives no tokens"},
      {{"good \xFF"}, 3, "not valid UTF-8 at byte 5"},
  };
  const ToyPlace place;
  for (const Row& row : rows) {
    INFO("reason: " << row.reason);
    std::vector<std::string> arguments = {"explain", "-m", "toy"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    check_refusal(place.run(arguments), row.status, row.reason);
  }
}

TEST_CASE("explain needs memory and time for the text, not for all words with all others") {
  const ToyPlace place;
  const std::string text = many_words(40000);
  const std::vector<std::vector<std::string>> cases = {{},
                                                       {"--order", "2"},
                                                       {"--method", "gradient"},
                                                       {"--method", "integrated-gradients"},
                                                       {"--method", "lrp"}};
  for (const auto& options : cases) {
    std::vector<std::string> arguments = {"explain", "-m", "toy", "--format", "json", "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    CAPTURE(arguments.back());
    const Outcome outcome = place.run(arguments, text);
    REQUIRE(outcome.complaint() == "");
    const auto json = OrderedJson::parse(outcome.out);
    REQUIRE(json["words"].size() == 40000);
    for (std::size_t word = 8; word < 40000; ++word) {
      REQUIRE(json["words"][word]["effect"]["positive"] == 0.0);
    }
    if (json.contains("pairs")) CHECK(json["pairs"].size() == 28);
    if (!kSanitized) CHECK(outcome.peak_kilobytes < 150'000);
  }
}

TEST_CASE("explain refuses more words together than it can hold") {
  const ToyPlace place;
  place.add("long", [](OrderedJson& config) { config["max_position_embeddings"] = 10000; });
  check_refusal(place.run({"explain", "-q", "-m", "long", "--order", "2"}, many_words(3000)), 3,
                "has 3000 words that are read|4498500 pairs|8000000|--max-length");
  check_refusal(place.run({"explain", "-q", "-m", "long", "--method", "shapley"}, many_words(9000)),
                3, "has 9000 words that are read, more than the 8192|--max-length");
}

TEST_CASE("a signal ends explain, and leaves no file") {
  const ToyPlace place;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += i % 2 == 0 ? "good " : "bad ";
  place.add("long", [](OrderedJson& config) { config["max_position_embeddings"] = 10000; });
  Process process(place.command(
      {"explain", "-m", "long", "--order", "2", "--format", "json", "-o", "out", text}));
  REQUIRE(process.says("500501 texts"));
  process.send(SIGTERM);
  const Outcome outcome = process.finish();
  CHECK(outcome.complaint() == "");
  CHECK(outcome.status == 143);
  CHECK_FALSE(place.files().has("out"));
  CHECK_FALSE(place.files().has("out.partial"));
}

TEST_CASE("explain --method ig is integrated-gradients") {
  const ToyPlace place;
  const auto by = [&](const std::string& method) {
    return place.output({"explain", "-m", "toy", "--method", method, "--format", "json", "good a"});
  };
  CHECK(by("ig") == by("integrated-gradients"));
}

/// "third" is a toy of three labels whose first logit is the difference of the second and the third
/// one of "three".
void add_three_labels(const ToyPlace& place) {
  const auto three = [](OrderedJson& config) {
    config["id2label"] = {{"0", "none"}, {"1", "praise"}, {"2", "blame"}};
  };
  const auto weights = [](std::vector<float> rows) {
    return [rows = std::move(rows)](std::vector<Tensor>& tensors) {
      tensor_of(tensors, "classifier.weight") = float_tensor("classifier.weight", {3, 4}, rows);
      std::erase_if(tensors, [](const Tensor& one) { return one.name == "classifier.bias"; });
      tensors.push_back(float_tensor("classifier.bias", {3}, {0, 0, 0}));
    };
  };
  place.add("three", three, weights({0, 0, 0, 0, 1, 0.5F, 0, 0, -1, 0.25F, 0, 0}));
  place.add("third", three, weights({2, 0.25F, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0}));
}

TEST_CASE("--towards gives the effects on the difference of two logits, by each method") {
  const ToyPlace place;
  add_three_labels(place);
  for (const std::string method : {"occlusion", "gradient", "integrated-gradients", "lrp"}) {
    CAPTURE(method);
    const auto explained = [&](const std::string& model, const Arguments& more) {
      return place.json(with({"explain", "-m", model, "--method", method, "--format", "json"},
                             with(more, {"good bad good movie"})));
    };
    const OrderedJson found = explained("three", {"--towards", "blame"});
    const OrderedJson plain = explained("third", {});
    CHECK(found["label"] == "praise");
    CHECK(found["towards"] == "blame");
    REQUIRE(found["words"].size() == 4);
    for (std::size_t i = 0; i < found["words"].size(); ++i) {
      const double difference = found["words"][i]["difference"];
      CHECK(difference == doctest::Approx(plain["words"][i]["effect"]["none"].get<double>()));
    }
    CHECK(!explained("three", {"--towards", "praise", "-q"}).contains("towards"));
  }
}

TEST_CASE("Shapley values towards a label add up to the change of the difference of the logits") {
  const ToyPlace place;
  const std::string model =
      std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-three-labels";
  const auto logits = [&](const std::string& text) {
    return place.json({"classify", "-m", model, "--format", "json", text})[0]["logits"];
  };
  const OrderedJson whole = logits("a b ab");
  const OrderedJson none = logits("");
  for (const auto& [label, logit] : whole.items()) {
    const OrderedJson found = place.json({"explain", "-m", model, "--method", "shapley",
                                          "--towards", label, "--format", "json", "-q", "a b ab"});
    if (!found.contains("towards")) continue;
    const std::string best = found["label"];
    double sum = 0.0;
    for (const OrderedJson& word : found["words"]) sum += word["difference"].get<double>();
    const auto gap = [&](const OrderedJson& of) {
      return of[best].get<double>() - of[label].get<double>();
    };
    CHECK(sum == doctest::Approx(gap(whole) - gap(none)).epsilon(1e-4));
  }
}

TEST_CASE("--towards in text and page, and what it is refused for") {
  const ToyPlace place;
  add_three_labels(place);
  const Arguments asked = {"explain", "-m", "three", "--towards", "blame", "good a movie"};
  const std::string text = place.output(asked);
  CHECK(text.find("\nwhy not blame: its logit is ") != std::string::npos);
  CHECK(text.find(" below that of praise\n") != std::string::npos);
  CHECK(text.find("word   offset  difference") != std::string::npos);
  const std::string page = place.output(with(asked, {"--format", "html"}));
  CHECK(page.find("<h2>praise rather than blame</h2>") != std::string::npos);
  check_last_reason(place.run({"explain", "-m", "toy", "--towards", "positiv", "good a"}), 2,
                    "--towards|\"positiv\"|did you mean positive?");
  place.add("several",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  check_last_reason(place.run({"explain", "-m", "several", "--towards", "positive", "good a"}), 2,
                    "--towards needs a model that gives each text one label");
}

}  // namespace
}  // namespace headlight::explain_test
