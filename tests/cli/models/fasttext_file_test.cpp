// A file of fastText as a model of each command.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/utf8.h"
#include "cli/adds_up.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "fasttext/golden_models.h"

namespace headlight::fasttext_file_test {
namespace {

/// A place with the models of tests/golden/fasttext, and "texts.txt" with those of their texts that
/// are UTF-8.
class GoldenPlace : public ToyPlace {
 public:
  GoldenPlace() {
    for (const auto& [file, answers] : golden_answers()["models"].items()) {
      files().write(file, content_of(golden_fasttext(file)));
    }
    const auto texts = golden_texts();
    std::string lines;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (find_bad_utf8(texts[i])) continue;
      numbers.push_back(i);
      lines += texts[i] + '\n';
    }
    files().write("texts.txt", lines);
  }

  std::vector<std::size_t> numbers;  // of the texts
};

TEST_CASE("batch --format fasttext prints what predict-prob prints, whatever the file's name") {
  const GoldenPlace place;
  for (const auto& [file, answers] : golden_answers()["models"].items()) {
    if (!answers.contains("best")) continue;
    CAPTURE(file);
    place.files().write("model", content_of(golden_fasttext(file)));
    const auto lines =
        lines_of(place.output({"batch", "texts.txt", "-m", "./model", "--format", "fasttext", "-k",
                               "3", "-q", "--threads", "2", "--input-format", "text"}));
    REQUIRE(lines.size() == place.numbers.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::istringstream words(lines[i]);
      for (const auto& expected : answers["best"][place.numbers[i]]) {
        std::string label;
        double probability = 0.0;
        words >> label >> probability;
        CHECK(label == expected[0].get<std::string>());
        CHECK(std::abs(probability - expected[1].get<double>()) < 5e-6);
      }
      std::string more;
      CHECK(!(words >> more));
    }
  }
}

TEST_CASE("-k above the number of labels and -k -1 give all labels, without what they begin with") {
  const GoldenPlace place;
  for (const std::string most : {"-1", "99"}) {
    const auto found = place.json(
        {"classify", "-m", "softmax-both-quantised.ftz", "-k", most, "--format", "json", "pa mi"});
    CHECK(found[0]["labels"].size() == 3);
    CHECK(found[0]["label"].get<std::string>().starts_with("größe"));
    CHECK(found[0]["tokens"] == 3);
  }
  CHECK(place.json({"classify", "-m", "toy", "-k", "-1", "--format", "json", "good"})[0]["labels"]
            .size() == 2);
  CHECK(place
            .output({"batch", "-", "-m", "softmax-both-quantised.ftz", "--format", "fasttext"},
                    "pa mi\n")
            .starts_with("LB_x_größe"));
}

TEST_CASE("a text of which the model has no row has no label") {
  const GoldenPlace place;
  // Without the row of the end, which is the first entry of the dictionary.
  std::string bytes = content_of(golden_fasttext("softmax-words.bin"));
  bytes[bytes.find("</s>")] = '#';
  place.files().write("endless.bin", bytes);
  const std::string input = "unheard\n";
  const std::vector<std::string> batch = {"batch", "-", "-m", "endless.bin"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), batch.begin(), batch.end());
    return place.output(more, input);
  };
  CHECK(with({"--logits", "--probabilities"}) == "{\"id\":0,\"label\":null}\n");
  CHECK(with({"--format", "fasttext"}) == "\n");
  CHECK(with({"-k", "2"}) == "{\"id\":0,\"label\":null,\"labels\":[]}\n");
  CHECK(with({"--format", "csv", "--probabilities"}).ends_with("\n0,,,,,,,\n"));
  CHECK(place.output({"classify", "-m", "endless.bin", "unheard"}).starts_with("(no label)"));
  const auto found = place.run(
      {"evaluate", "-", "-m", "endless.bin", "--format", "json"},
      "__label__größe0 unheard\n__label__größe1 " + golden_texts()[place.numbers[0]] + "\n");
  CHECK(found.status == 3);
  CHECK(OrderedJson::parse(found.out)["errors"] == 1);
}

TEST_CASE("rows with several labels are measured as fastText's test does, also by a model of one") {
  const GoldenPlace place;
  const std::string text = golden_texts()[place.numbers[0]] + "\n";
  for (const std::string file : {"softmax-words.bin", "hs-both.bin"}) {
    CAPTURE(file);
    std::istringstream words(place.output(
        {"batch", "-", "-m", file, "-k", "3", "--format", "fasttext", "--input-format", "text"},
        text));
    std::vector<std::string> best;
    std::string score;
    for (std::string label; words >> label >> score;) best.push_back(label + " ");
    REQUIRE(best.size() == 3);
    const auto measured = [&](const std::string& labels) {
      return OrderedJson::parse(place.output(
          {"evaluate", "-", "-m", file, "--at", "1,2", "--format", "json"}, labels + text));
    };
    const auto found = measured(best[2] + best[1] + best[0]);
    CHECK(found["accuracy"] == 1.0);
    CHECK(found["at"][0]["precision"] == 1.0);
    CHECK(found["at"][0]["recall"] == doctest::Approx(1.0 / 3.0));
    CHECK(found["at"][1]["recall"] == doctest::Approx(2.0 / 3.0));
    const auto missed = measured(best[2] + best[1]);
    CHECK(missed["accuracy"] == 0.0);
    CHECK(missed["at"][1]["precision"] == 0.5);
    CHECK(missed["notes"].dump().find("1 row with several labels") != std::string::npos);
  }
}

TEST_CASE("a model of one label for each text passes rows on, and is passed rows") {
  const GoldenPlace place;
  const auto run = [&](const std::string& small, const std::string& large) {
    return lines_of(place.output({"batch", "texts.txt", "-m", small, "--then", large,
                                  "--keep-above", "0.6", "-q", "--input-format", "text"}));
  };
  place.files().write("other.bin", content_of(golden_fasttext("hs-both.bin")));
  std::size_t answered = 0;
  for (const std::string& line : run("hs-both.bin", "hs-both-cut.ftz")) {
    if (line.find("\"model\":\"hs-both.bin\"") != std::string::npos) ++answered;
  }
  CHECK(answered > 0);
  CHECK(answered < place.numbers.size());
  check_refusal(place.run({"batch", "texts.txt", "-m", "ns-pairs.bin", "--then", "hs-both.bin",
                           "--keep-above", "0.6"}),
                1, "labels");
}

TEST_CASE("what words add and the rest add up to the logit") {
  const GoldenPlace place;
  for (const std::string file :
       {"softmax-both-quantised.ftz", "ns-pairs.bin", "ova-characters.bin", "softmax-words.bin"}) {
    CAPTURE(file);
    for (const std::size_t number : place.numbers) {
      const std::string text = golden_texts()[number];
      if (text.starts_with('-')) continue;
      const auto found = place.bare_json({"explain", "-m", file, "--format", "json", text});
      check_adds_up(found, "rest");
    }
  }
  const auto tree = place.bare_json(
      {"explain", "-m", "hs-both.bin", "--format", "json", golden_texts()[place.numbers[0]]});
  CHECK(tree["method"] == "occlusion");
  check_refusal(place.run({"explain", "-m", "hs-both.bin", "--method", "exact", "a"}), 1,
                "--method exact|occlusion");
  check_refusal(place.run({"explain", "-m", "softmax-words.bin", "--method", "lrp", "a"}), 1,
                "--method lrp|occlusion");
}

TEST_CASE("tokenize shows words, n-grams, and which of them the model has") {
  const GoldenPlace place;
  const auto found = place.json(
      {"tokenize", "-m", "hs-both-cut.ftz", "--format", "json", "ab __label__größe1 é"})[0];
  const std::vector<std::string> tokens = found["tokens"];
  const std::vector<std::string> expected = {"ab",  "<ab",  "<ab>", "ab>",       "é",
                                             "<é>", "</s>", "ab é", "ab é </s>", "é </s>"};
  CHECK(tokens == expected);
  CHECK(found["offsets"][0] == OrderedJson::array({0, 2}));
  CHECK(found["offsets"][4] == OrderedJson::array({19, 20}));
  CHECK(found["offsets"][6] == OrderedJson::array({0, 0}));
  CHECK(found["ids"][0] == nullptr);
  CHECK(found["ids"][6] == 0);
}

TEST_CASE("inspect, models and embed read the file too") {
  const GoldenPlace place;
  const auto found = place.bare_json({"inspect", "-m", "hs-both-cut.ftz", "--format", "json"});
  CHECK(found["family"] == "fasttext");
  CHECK(found["labels"].size() == 5);
  CHECK(found["arguments"]["loss"] == "hs");
  CHECK(found["arguments"]["maxn"] == 5);
  CHECK(found["quantised"] == true);
  CHECK(found["qout"] == false);
  CHECK(place.output({"inspect", "-m", "skipgram.bin"}).find("none (vectors of words)") !=
        std::string::npos);
  Command listing = place.command({"models", "--format", "json"});
  listing.environment.push_back("HEADLIGHT_MODELS=" + place.files().path());
  std::vector<std::string> names;
  for (const auto& model : OrderedJson::parse(Process(listing).finish().out)) {
    names.push_back(model["name"]);
  }
  CHECK(std::ranges::count(names, "hs-both.bin") == 1);
  CHECK(std::ranges::count(names, "texts.txt") == 0);
  for (const std::string file : {"skipgram.bin", "softmax-words.bin"}) {
    const auto lines = lines_of(
        place.run({"embed", "texts.txt", "-m", file, "--format", "jsonl", "--input-format", "text"})
            .out);
    REQUIRE(lines.size() == place.numbers.size());
    const auto vector = OrderedJson::parse(lines[1])["vector"];
    const auto& expected = golden_answers()["models"][file]["vectors"][place.numbers[1]];
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(std::abs(vector[i].get<double>() - expected[i].get<double>()) < 1e-4);
    }
  }
}

TEST_CASE("what needs layers, pairs or other files refuses a file of fastText in a line") {
  const GoldenPlace place;
  place.files().write("words.vec", "2 2\nab 1 2\ncd 3 4\n");
  place.files().write("short.bin", content_of(golden_fasttext("hs-both.bin")).substr(0, 999));
  const std::string m = "hs-both.bin";
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  const Case cases[] = {
      {{"attention", "-m", m, "a"}, "hs-both.bin|without layers|attention"},
      {{"attention", "--difference", "--format", "svg", "-m", "toy", "--compare", m, "a"},
       "without layers|--compare"},
      {{"stream", "-m", m}, "without layers|stream"},
      {{"rank", "-m", m, "a", "texts.txt"}, "without layers|rank"},
      {{"attention", "-m", "skipgram.bin", "a"},
       "without layers|; embed, tokenize and inspect read"},
      {{"export", "-m", m, "--layout", "bert", "-o", "out"}, "without layers|export"},
      {{"fit", "texts.txt", "-m", m, "-o", "out", "--input-format", "fasttext"},
       "without layers|fit"},
      {{"inspect", "-m", m, "--mask", "--format", "svg"}, "without layers|--mask"},
      {{"explain", "-m", m, "--rows", "texts.txt", "--input-format", "fasttext", "a"},
       "without layers|--rows"},
      {{"classify", "-m", m, "--zero-shot", "a,b", "a"}, "without layers|--zero-shot"},
      {{"classify", "-m", "skipgram.bin", "a"},
       "skipgram.bin|no labels|embed, tokenize and inspect read"},
      {{"classify", "-m", m, "--weights", m, "a"}, "--weights"},
      {{"embed", "texts.txt", "-m", m, "--pooling", "max", "--format", "jsonl"}, "--pooling"},
      {{"classify", "-m", "words.vec", "a"}, "words.vec|.vec|.bin"},
      {{"classify", "-m", "short.bin", "a"}, "short.bin|ends inside"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.reason);
    check_refusal(place.run(one.arguments), 1, one.reason);
  }
  const Outcome pair = place.run({"classify", "-m", m, "a", "--pair", "b"});
  CHECK(pair.status == 3);
  CHECK(pair.out.find("error: is a pair") == 0);
  const Outcome cut = place.run({"classify", "-m", m, "--max-length", "2", "a b c d"});
  CHECK(cut.status == 0);
  CHECK(lines_of(cut.err).size() == 1);
  CHECK(cut.err.find("do not apply") != std::string::npos);
}

TEST_CASE("a stopped run with a file of fastText goes on, and another file is refused") {
  const GoldenPlace place;
  const std::vector<std::string> batch = {"batch",          "texts.txt", "-m",      "hs-both.bin",
                                          "--input-format", "text",      "-o",      "out.jsonl",
                                          "--limit",        "9",         "--resume"};
  CHECK(place.run(batch).status == 0);
  const std::string whole = place.files().read("out.jsonl");
  CHECK(place.run(batch).err.find("already complete") != std::string::npos);
  place.files().write("hs-both.bin", content_of(golden_fasttext("hs-both-cut.ftz")));
  check_refusal(place.run(batch), 1, "out.jsonl|hs-both.bin");
  CHECK(place.files().read("out.jsonl") == whole);
}

}  // namespace
}  // namespace headlight::fasttext_file_test
