// What the commands write, field by field and in order, for toys whose numbers can be worked out by
// hand: "good" has the logits (-1, 1), "bad" (1, -1), any other word (0, 0), and a text their mean.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::shapes_test {
namespace {

/// Equal with the same fields in the same order.
void check_json(const OrderedJson& found, const std::string& expected) {
  const OrderedJson wanted = OrderedJson::parse(expected);
  CHECK_MESSAGE(found == wanted, "found " << found.dump() << "\nexpected " << wanted.dump());
}

std::vector<std::string> names_of(const OrderedJson& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

/// One number a text: a regression or the only class there is.
void use_one_class(std::vector<Tensor>& tensors) {
  tensor_of(tensors, "classifier.weight") = float_tensor("classifier.weight", {1, 4}, {1, 0, 0, 0});
  tensor_of(tensors, "classifier.bias") = float_tensor("classifier.bias", {1}, {0});
}

std::string probabilities(const std::string& negative, const std::string& positive) {
  return R"({"negative":)" + negative + R"(,"positive":)" + positive + "}";
}

// 1 / (1 + exp(±2)) and 1 / (1 + exp(±1)), the shortest decimals of their float32.
const std::string kLow = "0.11920292";
const std::string kHigh = "0.8807971";
const std::string kLowOne = "0.26894143";
const std::string kHighOne = "0.7310586";

TEST_CASE("tokens that the model does not know are counted, and said if they are many") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"classify", "-m", "pieces"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return place.run(std::move(arguments));
  };
  const std::string note = "of the tokens are unknown to this model; is the text in its language?";
  const Outcome one = run({"--format", "jsonl", "good other good bad"});
  CHECK(one.out.find(R"("tokens":6,"unknown":1})") != std::string::npos);
  CHECK(one.err.find("headlight: 25 % " + note) != std::string::npos);
  CHECK(run({"-v", "good other"}).out.find("(1 token unknown)") != std::string::npos);
  const Outcome few = run({"good other good bad good"});
  CHECK(few.out.find("unknown") == std::string::npos);
  CHECK(few.err == "");
  place.files().write("rows.csv", "text,label\nother,positive\ngood,positive\n");
  const Outcome measured = place.run({"evaluate", "rows.csv", "-m", "pieces", "--format", "json"});
  CHECK(measured.out.find(R"("tokens":6,"unknown":1)") != std::string::npos);
  CHECK(measured.err.find("headlight: 50 % " + note) != std::string::npos);
  for (const std::string command : {"explain", "attention", "batch"}) {
    CAPTURE(command);
    place.files().write("texts.txt", "other\n");
    const std::string text = command == "batch" ? "texts.txt" : "other";
    CHECK(place.run({command, "-m", "pieces", text}).err.find("headlight: 100 % " + note) !=
          std::string::npos);
  }
}

TEST_CASE("classify has text, label, probability, probabilities, logits and tokens") {
  const ToyPlace place;
  const std::string expected = R"({"text":"good","label":"positive","probability":)" + kHigh +
                               R"(,"probabilities":)" + probabilities(kLow, kHigh) +
                               R"(,"logits":{"negative":-1,"positive":1},"tokens":1})";
  const std::string line = place.output({"classify", "-m", "toy", "--format", "jsonl", "good"});
  check_json(OrderedJson::parse(line), expected);
  CHECK(line.find(kHigh + ",") != std::string::npos);  // no digit more than needed
  check_json(place.json({"classify", "-m", "toy", "--format", "json", "good"}),
             "[" + expected + "]");
  check_json(place.json({"classify", "-m", "toy", "--format", "json"}, ""), "[]");
  CHECK(place.output({"classify", "-m", "toy", "--format", "jsonl"}, "") == "");
  CHECK(place.output({"classify", "-m", "toy"}, "") == "");
}

TEST_CASE("classify as text has a line a text with the label and the probability") {
  const ToyPlace place;
  const auto lines = lines_of(place.output({"classify", "-m", "toy", "good", "bad movie"}));
  REQUIRE(lines.size() == 2);
  for (const char* part : {"positive", "88.1", "good"}) {
    CHECK(lines[0].find(part) != std::string::npos);
  }
  for (const char* part : {"negative", "73.1", "bad movie"}) {
    CHECK(lines[1].find(part) != std::string::npos);
  }
}

TEST_CASE("of labels with the same logit the lower number is the label and comes first") {
  const ToyPlace place;
  const OrderedJson tie =
      place.json({"classify", "-m", "toy", "--format", "jsonl", "-k", "2", "good bad"});
  CHECK(tie["label"] == "negative");
  check_json(tie["labels"], R"([{"label":"negative","probability":0.5},
                               {"label":"positive","probability":0.5}])");
}

TEST_CASE("--top-k and --threshold add labels, best first") {
  const ToyPlace place;
  const auto classify = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"classify", "-m", "toy", "--format", "jsonl", "good"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return place.json(arguments);
  };
  const OrderedJson both = classify({"--top-k", "5"});
  CHECK(names_of(both) == std::vector<std::string>{"text", "label", "probability", "labels",
                                                   "probabilities", "logits", "tokens"});
  check_json(both["labels"], R"([{"label":"positive","probability":0.8807971},
                                {"label":"negative","probability":0.11920292}])");
  CHECK(classify({"-k", "1"})["labels"].size() == 1);
  CHECK(classify({"--threshold", "0.5"})["labels"].size() == 1);
  CHECK(classify({"--threshold", "0"})["labels"].size() == 2);
  CHECK(classify({"--threshold", "1"})["labels"] == OrderedJson::array());
  CHECK(classify({"--threshold", "0.1", "-k", "1"})["labels"].size() == 1);
}

TEST_CASE("below --threshold a row of batch has no label, and the probability of the best") {
  struct Row {
    std::vector<std::string> options;
    std::string line;  // the last
  };
  const Row rows[] = {
      {{}, R"({"id":0,"label":"positive","probability":0.8807971})"},
      {{"--threshold", "0.88"},
       R"({"id":0,"label":"positive","probability":0.8807971,)"
       R"("labels":[{"label":"positive","probability":0.8807971}]})"},
      {{"--threshold", "0.89"}, R"({"id":0,"label":null,"probability":0.8807971,"labels":[]})"},
      {{"--threshold", "0.89", "--format", "csv"}, "0,,0.8807971,,,"},
      {{"--threshold", "0.89", "--format", "tsv"}, "0\t\t0.8807971\t\t\t"},
      {{"--threshold", "0.89", "--format", "csv", "--null", "NA"}, "0,NA,0.8807971,,NA,NA"},
      {{"--threshold", "0.88", "--format", "csv"}, "0,positive,0.8807971,positive,,"},
  };
  const ToyPlace place;
  for (const auto& [options, line] : rows) {
    std::vector<std::string> arguments = {"batch", "-", "-m", "toy"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    CHECK(lines_of(place.output(arguments, "good\n")).back() == line);
  }
}

TEST_CASE("--activation changes the probabilities, and none leaves them out") {
  const ToyPlace place;
  const auto classify = [&](const std::string& activation) {
    return place.json({"classify", "-m", "toy", "--format", "jsonl", "--activation", activation,
                       "-k", "1", "good"});
  };
  check_json(classify("sigmoid")["probabilities"], probabilities(kLowOne, kHighOne));
  check_json(classify("softmax")["probabilities"], probabilities(kLow, kHigh));
  check_json(classify("none"), R"({"text":"good","label":"positive",
    "labels":[{"label":"positive"}],"logits":{"negative":-1,"positive":1},"tokens":1})");
}

TEST_CASE("--among decides between some labels, in all three commands that score rows") {
  const ToyPlace place;
  const Arguments among = {"-m", "intent", "--among", "timer,balance"};
  const auto found = place.json(with({"classify", "--format", "jsonl", "my balance"}, among));
  CHECK(found["label"] == "balance");
  CHECK(found["probabilities"].size() == 2);
  CHECK(found["probabilities"]["timer"] < 0.01);
  CHECK(found["logits"].size() == 2);
  CHECK(place.output(with({"batch", "-"}, among), "set a timer\n").find("\"timer\"") !=
        std::string::npos);
  const Outcome measured = place.run(with({"evaluate", "-", "--input-format", "csv"}, among),
                                     "text,label\nset a timer,timer\nmy balance,balance\n");
  CHECK(measured.out.find("accuracy                100.0 %") != std::string::npos);
  const std::pair<Arguments, std::string> cases[] = {
      {{"--among", "timer"}, "--among takes two or more labels, found 1"},
      {{"--among", "timer,timer"}, "--among has the label \"timer\" twice"},
      {{"--among", "timer,balance", "--activation", "softmax"}, "--among|--activation"},
  };
  for (const auto& [arguments, reason] : cases) {
    check_refusal(place.run(with({"classify", "-m", "intent", "x"}, arguments)), 2, reason);
  }
}

TEST_CASE("a multi-label model lists the labels from one half on") {
  const ToyPlace place;
  place.add("many",
            [](OrderedJson& config) { config["problem_type"] = "multi_label_classification"; });
  const auto labels = [&](const std::string& text) {
    return place.json({"classify", "-m", "many", "--format", "jsonl", text})["labels"];
  };
  check_json(labels("good"), R"([{"label":"positive","probability":0.7310586}])");
  CHECK(labels("movie").size() == 2);  // exactly one half
  const auto rows = lines_of(place.output({"batch", "-m", "many", "rows.txt"}));
  check_json(OrderedJson::parse(rows.at(0)), R"({"id":0,"label":"positive","probability":0.7310586,
    "labels":[{"label":"positive","probability":0.7310586}]})");
}

TEST_CASE("a regression has a value, or values by label") {
  const ToyPlace place;
  const auto regression = [](OrderedJson& config) { config["problem_type"] = "regression"; };
  place.add("two", regression);
  place.add(
      "one",
      [&](OrderedJson& config) {
        regression(config);
        config["id2label"] = {"stars"};
      },
      use_one_class);
  check_json(place.json({"classify", "-m", "one", "--format", "jsonl", "good"}),
             R"({"text":"good","logits":{"stars":1},"value":1,"tokens":1})");
  check_json(place.json({"classify", "-m", "two", "--format", "jsonl", "good"}),
             R"({"text":"good","logits":{"negative":-1,"positive":1},
                 "values":{"negative":-1,"positive":1},"tokens":1})");
  check_json(OrderedJson::parse(lines_of(place.output({"batch", "-m", "one", "rows.txt"})).at(1)),
             R"({"id":1,"value":-1})");
}

TEST_CASE("a single class alone is judged by the sigmoid") {
  const ToyPlace place;
  place.add(
      "one", [](OrderedJson& config) { config.erase("id2label"); }, use_one_class);
  check_json(place.json({"classify", "-m", "one", "--format", "jsonl", "good"}),
             R"({"text":"good","label":"LABEL_0","probability":0.7310586,
                 "probabilities":{"LABEL_0":0.7310586},"logits":{"LABEL_0":1},"tokens":1})");
}

TEST_CASE("batch has id, label and probability, and what options ask for in its place") {
  const ToyPlace place;
  const auto first = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"batch", "-m", "toy", "rows.txt"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return OrderedJson::parse(lines_of(place.output(arguments)).at(0));
  };
  check_json(first({}), R"({"id":0,"label":"positive","probability":0.8807971})");
  check_json(first({"--echo-text", "--logits", "--probabilities", "--top-k", "1"}),
             R"({"id":0,"text":"good","label":"positive","probability":0.8807971,
                 "labels":[{"label":"positive","probability":0.8807971}],
                 "probabilities":{"negative":0.11920292,"positive":0.8807971},
                 "logits":{"negative":-1,"positive":1}})");
}

TEST_CASE("a text that was cut says how many tokens, and standard error says it once") {
  const ToyPlace place;
  const Outcome outcome =
      place.run({"batch", "-", "-m", "toy", "--format", "jsonl"}, "good a a a a a a a a a\na a\n");
  CHECK(outcome.status == 0);
  const auto rows = lines_of(outcome.out);
  REQUIRE(rows.size() == 2);
  CHECK(OrderedJson::parse(rows[0])["truncated"] == 2);
  CHECK_FALSE(OrderedJson::parse(rows[1]).contains("truncated"));
  CHECK(outcome.err.find("--long error") != std::string::npos);
  const OrderedJson text =
      place.json({"classify", "-m", "toy", "--max-length", "2", "--format", "jsonl", "good a a a"});
  CHECK(text["tokens"] == 2);
  CHECK(text["truncated"] == 2);
  check_json(text["logits"], R"({"negative":-0.5,"positive":0.5})");
  CHECK(names_of(text).back() == "truncated");
}

TEST_CASE("tokenize has tokens, ids, types, offsets in code points and the text of each token") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  const auto tokenize = [&](const std::vector<std::string>& texts) {
    std::vector<std::string> arguments = {"tokenize", "-m", "pieces", "--format", "json"};
    arguments.insert(arguments.end(), texts.begin(), texts.end());
    return place.json(arguments);
  };
  check_json(tokenize({"goodness bad"}), R"([{"text":"goodness bad",
    "tokens":["[CLS]","good","##ness","bad","[SEP]"],"ids":[1,3,4,5,2],"type_ids":[0,0,0,0,0],
    "offsets":[[0,0],[0,4],[4,8],[9,12],[0,0]],"sequence":[null,0,0,0,null]}])");
  check_json(tokenize({"--pair", "bad", "good"}), R"([{"text":"good","pair":"bad",
    "tokens":["[CLS]","good","[SEP]","bad","[SEP]"],"ids":[1,3,2,5,2],"type_ids":[0,0,0,1,1],
    "offsets":[[0,0],[0,4],[0,0],[0,3],[0,0]],"sequence":[null,0,null,1,null]}])");
  check_json(tokenize({"é🙂 bad"})[0]["offsets"], "[[0,0],[0,2],[3,6],[0,0]]");
  check_json(tokenize({""})[0]["tokens"], R"(["[CLS]","[SEP]"])");
  CHECK(tokenize({"good", "bad"}).size() == 2);
  CHECK(lines_of(place.output({"tokenize", "-m", "toy", "good bad"})).at(1).starts_with("bad"));
  CHECK(tokenize({"good bad good bad good bad good bad"})[0]["ids"].size() == 10);  // not cut
  CHECK(tokenize({"--max-length", "4", "good bad good bad"})[0]["ids"].size() == 4);
}

TEST_CASE("[SEP] typed in a text is special, and with --plain-text it is text") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  const auto ids = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"tokenize", "-m", "pieces", "--format", "jsonl"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return place.json(arguments)["ids"];
  };
  check_json(ids({"good [SEP] bad"}), "[1,3,2,5,2]");
  const OrderedJson plain = ids({"--plain-text", "good [SEP] bad"});
  CHECK(plain.size() == 7);  // "[", "SEP" and "]" are words of their own, and unknown
  CHECK(plain[2] == 0);
}

TEST_CASE("--ids takes numbers for tokens, with or without a vocabulary") {
  const ToyPlace place;
  place.add("numbers", [](OrderedJson& config) { config.erase("tokenizer"); });
  for (const std::string text : {"1 2", "1,2", " 1 , 2 "}) {
    const OrderedJson json =
        place.json({"classify", "-m", "numbers", "--ids", "--format", "jsonl", text});
    CHECK(json["tokens"] == 2);
    check_json(json["logits"], R"({"negative":0,"positive":0})");
  }
  check_json(
      place.json({"tokenize", "-m", "numbers", "--ids", "--format", "jsonl", "1 5"})["tokens"],
      R"(["1","5"])");
  check_json(place.json({"tokenize", "-m", "toy", "--ids", "--format", "jsonl", "1 5"})["tokens"],
             R"(["good","plot"])");
}

TEST_CASE("attention has one square a layer and head, rows that sum to 1") {
  const ToyPlace place;
  check_json(place.bare_json({"attention", "-m", "toy", "--format", "json", "good bad"}),
             R"({"model":"toy","text":"good bad","tokens":["good","bad"],"ids":[1,2],
      "type_ids":[0,0],"offsets":[[0,4],[5,8]],"sequence":[0,0],"label":"negative",
      "logits":{"negative":0,"positive":0},"probabilities":{"negative":0.5,"positive":0.5},
      "layers":[0],"heads":[0,1],
      "attention":[[[[0.5,0.5],[0.5,0.5]],[[0.5,0.5],[0.5,0.5]]]]})");
  place.add("causal", [](OrderedJson& config) { config["attention_mask"] = "causal"; });
  check_json(
      place.json({"attention", "-m", "causal", "--format", "json"}, "good bad\n")["attention"],
      "[[[[1,0],[0.5,0.5]],[[1,0],[0.5,0.5]]]]");
}

TEST_CASE("attention of a model with label attention has the weights of each class") {
  const ToyPlace place;
  place.add(
      "labels", [](OrderedJson& config) { config["pooling"] = "label_attention"; },
      [](std::vector<Tensor>& tensors) {
        tensors.push_back(
            float_tensor("label_attention.queries", {2, 4}, {1, 0, 0, 0, 0, 1, 0, 0}));
        for (const std::string name : {"query", "key", "value", "output"}) {
          const std::string full = "label_attention." + name;
          tensors.push_back(float_tensor(full + ".weight", {4, 4}, std::vector<float>(16)));
          tensors.push_back(float_tensor(full + ".bias", {4}, std::vector<float>(4)));
        }
      });
  const OrderedJson json =
      place.bare_json({"attention", "-m", "labels", "--format", "json", "a a a a"});
  CHECK(names_of(json).back() == "label_attention");
  check_json(json["label_attention"],
             "[[[0.25,0.25,0.25,0.25],[0.25,0.25,0.25,0.25]],"
             "[[0.25,0.25,0.25,0.25],[0.25,0.25,0.25,0.25]]]");
}

TEST_CASE("a model that was trained with fillers shows them as tokens") {
  const ToyPlace place;
  place.add("padded", [](OrderedJson& config) {
    config["pad_to_length"] = 4;
    config["pad_token_id"] = 5;
  });
  const OrderedJson json = place.json({"attention", "-m", "padded", "--format", "json", "good"});
  check_json(json["tokens"], R"(["good","plot","plot","plot"])");
  check_json(json["offsets"], "[[0,4],[0,0],[0,0],[0,0]]");
  check_json(json["sequence"], "[0,null,null,null]");
  check_json(json["logits"], R"({"negative":-0.25,"positive":0.25})");
  CHECK(place.json({"classify", "-m", "padded", "--format", "jsonl", "a"})["tokens"] == 4);
}

TEST_CASE("inspect says what the model is, in the order of the contract") {
  const ToyPlace place;
  const OrderedJson json = place.json({"inspect", "-m", "toy", "--format", "json"});
  CHECK(names_of(json) ==
        std::vector<std::string>{
            "model",           "path",       "family",         "layers",
            "hidden_size",     "heads",      "head_sizes",     "intermediate_size",
            "vocab_size",      "max_tokens", "labels",         "problem_type",
            "activation",      "pooling",    "parameters",     "bytes",
            "flops_per_token", "tokenizer",  "contradictions", "provenance"});
  CHECK(json["parameters"] == 24 + 4 * 20 + 10);
  CHECK(json["bytes"] == place.files().read("toy/model.safetensors").size());
  check_json(json["head_sizes"], "[2,2]");
  check_json(json["labels"], R"(["negative","positive"])");
  check_json(json["contradictions"], "[]");
  const std::string text = place.output({"inspect", "-m", "toy"});
  for (const char* part : {"toy", "headlight", "negative, positive", "114"}) {
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("inspect says what in a folder contradicts what") {
  const ToyPlace place;
  place.files().write("toy/vocab.txt", "good\nbad\n");
  const OrderedJson json = place.json({"inspect", "-m", "toy", "--format", "json"});
  CHECK(json["contradictions"].size() == 2);  // other words, and fewer than vocab_size
  CHECK(json["contradictions"].dump().find("vocab.txt") != std::string::npos);
}

}  // namespace
}  // namespace headlight::shapes_test
