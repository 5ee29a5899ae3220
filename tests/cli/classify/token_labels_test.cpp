// Models that label tokens: entities from classify and batch, their measures from evaluate, and
// what other commands say of such a model.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::token_labels_test {
namespace {

const std::string kModel = std::string(HEADLIGHT_TEST_DATA) + "/golden/published/bert-token-labels";

/// A model of the words ada, bob, of, rome: PER, PER, O, LOC. "lovelace" continues a PER.
std::string names_model(const ToyPlace& place) {
  place.files().write("names/config.json", R"({"model_type": "headlight", "vocab_size": 5,
      "hidden_size": 4, "num_hidden_layers": 0, "num_attention_heads": 1, "pooling": "none",
      "position_embedding_type": "none", "classifier_bias": false, "max_position_embeddings": 8,
      "id2label": ["O", "B-PER", "I-PER", "B-LOC"],
      "tokenizer": {"type": "whitespace", "vocabulary": ["ada", "bob", "of", "rome", "lovelace"],
                    "unk_token": "of"}})");
  place.files().write("names/weights.json", R"({"tensors": {
      "embeddings.token.weight": [[0, 9, 0, 0], [0, 9, 0, 0], [9, 0, 0, 0], [0, 0, 0, 9],
                                  [0, 0, 9, 0]],
      "classifier.weight": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}})");
  return "names";
}

TEST_CASE("classify gives entities with code-point offsets, and logits of tokens where asked") {
  const ToyPlace place;
  const auto json = place.json({"classify", "-m", names_model(place), "--format", "json",
                                "--logits", "of ada  lovelace of rome"});
  const auto& row = json[0];
  REQUIRE(row["entities"].size() == 2);
  CHECK(row["entities"][0]["label"] == "PER");
  CHECK(row["entities"][0]["text"] == "ada  lovelace");
  CHECK(row["entities"][0]["start"] == 3);
  CHECK(row["entities"][0]["end"] == 16);
  CHECK(row["entities"][0]["probability"].get<double>() > 0.999);
  CHECK(row["entities"][1]["label"] == "LOC");
  CHECK_FALSE(row["entities"][1].contains("index"));
  CHECK(row["token_logits"].size() == 5);
  CHECK(row["token_logits"][4] == OrderedJson({0, 0, 0, 9}));
  CHECK(row["ids"] == OrderedJson({2, 0, 4, 2, 3}));
  CHECK(row["offsets"][1] == OrderedJson({3, 6}));
  CHECK(row["tokens"] == 5);
  std::vector<std::string> names;
  for (const auto& [name, value] : row.items()) names.push_back(name);
  CHECK(names == std::vector<std::string>{"text", "entities", "token_logits", "ids", "offsets",
                                          "tokens", "unknown"});
}

TEST_CASE("without aggregation, each token with another label than O is shown with its index") {
  const ToyPlace place;
  const auto json = place.json({"classify", "-m", names_model(place), "--format", "jsonl",
                                "--aggregate", "none", "ada lovelace of"});
  REQUIRE(json["entities"].size() == 2);
  CHECK(json["entities"][1]["label"] == "I-PER");
  CHECK(json["entities"][1]["index"] == 1);
  CHECK_FALSE(json.contains("token_logits"));
}

TEST_CASE("text output marks the entities in the text") {
  const ToyPlace place;
  const std::string model = names_model(place);
  CHECK(place.output({"classify", "-m", model, "of ada lovelace of rome", "of of"}) ==
        "of [ada lovelace: PER 100.0 %] of [rome: LOC 100.0 %]\nof of\n");
  CHECK(place.output({"classify", "-m", model, "--color", "always", "rome"}) ==
        "[\x1b[1mrome\x1b[0m: \x1b[36mLOC 100.0 %\x1b[0m]\n");
}

TEST_CASE("batch writes entities as JSON, and in tables as one cell of JSON") {
  const ToyPlace place;
  const std::string model = names_model(place);
  const std::string entity = R"({"label":"LOC","text":"rome","start":3,"end":7,"probability":)";
  const std::string lines = place.output({"batch", "-m", model, "-"}, "of rome\nof\n");
  CHECK(lines.starts_with(R"({"id":0,"entities":[)" + entity));
  CHECK(lines.ends_with(R"({"id":1,"entities":[]})"
                        "\n"));
  const std::string table =
      place.output({"batch", "-m", model, "-", "--format", "csv"}, "of rome\nof\n");
  CHECK(table.starts_with("id,entities,truncated,error\n0,\"[{\"\"label\"\":\"\"LOC\"\""));
  CHECK(table.ends_with("\n1,[],,\n"));
}

TEST_CASE(
    "rows that cannot be read are error rows, shards keep their ids, a resumed run is equal") {
  const ToyPlace place;
  const std::string model = names_model(place);
  place.files().write("rows.jsonl", "{\"text\": \"rome\"}\n{\"text\": 1}\n{\"text\": \"ada\"}\n");
  const Outcome outcome = place.run({"batch", "-m", model, "rows.jsonl"});
  CHECK(outcome.status == 3);
  CHECK(lines_of(outcome.out)[1] == R"({"id":1,"error":"field \"text\" is not a string"})");
  const Outcome shard = place.run({"batch", "-m", model, "rows.jsonl", "--shard", "0/2"});
  CHECK(shard.status == 0);
  CHECK(lines_of(shard.out) ==
        std::vector<std::string>{lines_of(outcome.out)[0], lines_of(outcome.out)[2]});
  place.run({"batch", "-m", model, "rows.jsonl", "-o", "out.jsonl", "--summary", "sum.json"});
  CHECK(place.files().read("out.jsonl") == outcome.out);
  CHECK(place.run({"batch", "-m", model, "rows.jsonl", "-o", "out.jsonl", "--resume"}).status == 3);
}

TEST_CASE("only entities from a probability on are given") {
  const ToyPlace place;
  const std::string model = names_model(place);
  const auto all =
      place.json({"classify", "-m", model, "--format", "jsonl", "--threshold", "0.99", "rome"});
  CHECK(all["entities"].size() == 1);
  const auto none =
      place.json({"classify", "-m", model, "--format", "jsonl", "--threshold", "1", "rome"});
  CHECK(none["entities"].empty());
}

TEST_CASE("options and commands that need a label of the text refuse a model that labels tokens") {
  const ToyPlace place;
  const std::string labels = "needs a model that labels texts; bert-token-labels labels each token";
  const std::vector<std::vector<std::string>> options = {
      {"--top-k", "2"}, {"--pair", "b"}, {"--activation", "sigmoid"}, {"--zero-shot", "x,y"}};
  for (const auto& option : options) {
    CAPTURE(option[0]);
    std::vector<std::string> arguments = {"classify", "-m", kModel, "a"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    check_refusal(place.run(arguments), 2, option[0] + " " + labels);
  }
  check_refusal(place.run({"batch", "-m", kModel, "--probabilities", "-"}), 2,
                "--probabilities " + labels);
  check_refusal(place.run({"classify", "-m", kModel, "--ids", "--aggregate", "first", "2 5 3"}), 2,
                "--ids, which give no words");
  for (const char* command : {"explain", "stream"}) {
    check_refusal(place.run({command, "-m", kModel}, "a\n"), 1,
                  std::string("labels each token, not the text|") + command);
  }
  check_refusal(place.run({"classify", "--aggregate", "max", "good"}), 2,
                "--aggregate needs a model that labels tokens");
}

TEST_CASE("attention and inspect take a model that labels tokens") {
  const ToyPlace place;
  const auto attention = place.json({"attention", "-m", kModel, "--format", "json", "a b"});
  CHECK(attention["attention"].size() == 2);
  CHECK_FALSE(attention.contains("label"));
  const auto model = place.json({"inspect", "-m", kModel, "--format", "json"});
  CHECK(model["problem_type"] == "token_classification");
  CHECK(model["pooling"] == "none");
}

TEST_CASE("evaluate compares entities with tags of words and with spans") {
  const ToyPlace place;
  const std::string model = names_model(place);
  place.files().write("tags.jsonl",
                      R"({"tokens": ["ada", "lovelace", "of", "rome"], "tags": [1, 2, 0, 3]})"
                      "\n"
                      R"({"text": "bob of rome", "tags": ["B-PER", "O", "B-ORG"]})"
                      "\n");
  const std::vector<std::string> by_name = {"evaluate",   "-m",       model,
                                            "tags.jsonl", "--format", "json"};
  check_refusal(place.run(by_name), 1, "tags.jsonl: its tags are numbers|O, B-PER|--label-numbers");
  std::vector<std::string> by_number = by_name;
  by_number.insert(by_number.end(), {"--label-numbers", "--quiet"});
  const auto tags = place.json(by_number);
  CHECK(tags["rows"] == 2);
  CHECK(tags["accuracy"].get<double>() == doctest::Approx(6.0 / 7.0));
  CHECK(tags["precision"].get<double>() == doctest::Approx(0.75));
  CHECK(tags["recall"].get<double>() == doctest::Approx(0.75));
  CHECK(tags["micro_f1"].get<double>() == doctest::Approx(0.75));
  CHECK(tags["macro_f1"].get<double>() == doctest::Approx((2.0 / 3.0 + 0.0 + 1.0) / 3.0));
  REQUIRE(tags["labels"].size() == 3);
  CHECK(tags["labels"][0]["label"] == "LOC");
  CHECK(tags["labels"][0]["precision"].get<double>() == doctest::Approx(0.5));
  CHECK(tags["labels"][2]["support"] == 2);
  place.files().write("spans.jsonl",
                      "{\"text\": \"of ada lovelace\", \"entities\": [{\"label\": \"PER\", "
                      "\"start\": 3, \"end\": 15}]}\n{\"text\": \"rome\", \"entities\": []}\n");
  const auto spans = place.json({"evaluate", "-m", model, "spans.jsonl", "--format", "json"});
  CHECK(spans["recall"] == 1.0);
  CHECK(spans["precision"] == 0.5);
  CHECK_FALSE(spans.contains("accuracy"));
  struct Written {
    const char* file;
    const char* rows;
    std::vector<std::string> options;
  };
  const Written same[] = {
      {"lists.jsonl",
       "{\"text\": \"of ada lovelace\", \"label\": [[3, 15, \"PER\"]]}\n"
       "{\"text\": \"rome\", \"label\": []}\n",
       {}},
      {"objects.jsonl",
       "{\"text\": \"of ada lovelace\", \"spans\": [{\"labels\": [\"PER\"], \"start\": 3, "
       "\"end\": 15}]}\n{\"text\": \"rome\", \"spans\": []}\n",
       {}},
      {"doccano.jsonl",
       "{\"text\": \"of ada lovelace\", \"entities\": [{\"id\": 1, \"label\": \"PER\", "
       "\"start_offset\": 3, \"end_offset\": 15}]}\n{\"text\": \"rome\", \"entities\": []}\n",
       {}},
      {"hf.jsonl",
       "{\"tokens\": [\"of\", \"ada\", \"lovelace\"], \"ner_tags\": [0, 7, 8]}\n"
       "{\"tokens\": [\"rome\"], \"ner_tags\": [0]}\n",
       {"--label-names", "O,1,2,3,4,5,6,B-PER,I-PER"}},
      {"rows.conll",
       "-DOCSTART- -X- O O\n\n# id 7\nof IN B-PP O\nada NNP B-NP B-PER\n"
       "lovelace NNP I-NP I-PER\n\n\nrome NNP B-NP O",
       {}},
      {"rows.txt",
       "of\tO\r\nada\tB-PER\r\nlovelace\tI-PER\r\n\r\nrome\tO\r\n",
       {"--input-format", "conll"}},
  };
  for (const Written& one : same) {
    CAPTURE(one.file);
    place.files().write(one.file, one.rows);
    std::vector<std::string> arguments = {"evaluate", "-m", model, one.file, "--format", "json"};
    arguments.insert(arguments.end(), one.options.begin(), one.options.end());
    const auto found = place.json(arguments);
    CHECK(found["rows"] == 2);
    CHECK(found["recall"] == 1.0);
    CHECK(found["precision"] == 0.5);
  }
  check_refusal(place.run({"evaluate", "-m", "toy", "rows.conll"}), 2,
                "rows.conll has a label for each word");
  place.files().write("rows.conll", "of O\nada\n");
  check_last_reason(place.run({"evaluate", "-m", model, "rows.conll"}), 3,
                    "the word \"ada\" has no tag in a second column");
  const std::string text = place.output({"evaluate", "-m", model, "spans.jsonl"});
  CHECK(text.find("micro F1                0.6667") != std::string::npos);
}

TEST_CASE("evaluate names rows whose tags do not fit, and refuses what has no entities") {
  const ToyPlace place;
  const std::string model = names_model(place);
  place.files().write("bad.jsonl", "{\"text\": \"ada of\", \"tags\": [\"O\"]}\n");
  const Outcome outcome = place.run({"evaluate", "-m", model, "bad.jsonl"});
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("has 1 tags, but the text has 2 words") != std::string::npos);
  for (const std::string words : {R"([["ada", 1e999]])", R"({"a": "ada"})", R"(["ada", 1])"}) {
    CAPTURE(words);
    place.files().write("words.jsonl", R"({"tokens": )" + words +
                                           R"(, "tags": ["O"]})"
                                           "\n" +
                                           R"({"tokens": ["ada"], "tags": ["O"]})"
                                           "\n");
    const Outcome other = place.run({"evaluate", "-m", model, "words.jsonl"});
    CHECK(other.status == 3);
    CHECK(other.err.find("field \"tokens\" is not a list of words") != std::string::npos);
  }
  place.files().write("none.jsonl", "{\"text\": \"ada\"}\n");
  check_refusal(place.run({"evaluate", "-m", model, "none.jsonl"}), 1,
                "none.jsonl: has no field \"entities\"|--label NAME");
  place.files().write("rows.csv", "text,label\nada,O\n");
  check_refusal(place.run({"evaluate", "-m", model, "rows.csv"}), 2, "read from JSONL");
  check_refusal(place.run({"evaluate", "-m", model, "none.jsonl", "--fit-temperature"}), 2,
                "--fit-temperature needs a model that labels texts");
}

}  // namespace
}  // namespace headlight::token_labels_test
