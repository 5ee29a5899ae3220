// Files of fastText, read and written.
#include <string>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::fasttext_test {
namespace {

const std::string kRows = "__label__positive good\n__label__negative bad\ngood bad\n";

TEST_CASE("a command of fastText is answered with the line of the guide") {
  const std::string guide = content_of(std::string(HEADLIGHT_SOURCE) + "/apps/fasttext.md");
  const ToyPlace place;
  for (const std::string command : {"supervised", "quantize", "test", "test-label", "predict",
                                    "predict-prob", "print-sentence-vectors", "dump"}) {
    CAPTURE(command);
    const Outcome found = place.run({command, "model.bin", "FILE", "3"});
    CHECK(found.status == 2);
    const std::string start = command + " is a command of fastText; here: headlight ";
    const std::size_t at = found.err.find(start);
    REQUIRE(at != std::string::npos);
    const std::string ours = found.err.substr(at + start.size());
    CHECK(guide.find('`' + ours.substr(0, ours.find_first_of(";\n")) + '`') != std::string::npos);
  }
}

TEST_CASE("evaluate finds the labels of fastText's lines by their look, or as told") {
  const ToyPlace place;
  place.files().write("rows.txt", kRows);
  const Outcome found = place.run({"evaluate", "rows.txt", "-m", "toy", "--format", "json"});
  CHECK(found.status == 0);
  CHECK(found.err == "headlight: rows.txt: skipped 1 line without a label\n");
  auto json = OrderedJson::parse(found.out);
  CHECK(json["rows"] == 2);
  CHECK(json["errors"] == 0);
  CHECK(json["accuracy"] == 1.0);
  auto told = OrderedJson::parse(
      place
          .run({"evaluate", "-", "--input-format", "fasttext", "-m", "toy", "--format", "json"},
               kRows)
          .out);
  for (auto* each : {&json, &told}) each->erase("provenance");
  CHECK(told == json);
}

TEST_CASE("fit and evaluate skip blank lines and lines without a label, and count them") {
  const ToyPlace place;
  place.files().write("rows.txt", kRows + "\n__label__positive good\n  \n");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"fit", "rows.txt", "-m", "toy", "-o", "made"},
           {"evaluate", "rows.txt", "-m", "./made", "--at", "1,2", "--format", "json"}}) {
    const Outcome outcome = place.run(command);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find("rows.txt: skipped 3 lines without a label") != std::string::npos);
    if (command.front() == "fit") continue;
    const auto json = OrderedJson::parse(outcome.out);
    CHECK(json["rows"] == 3);
    CHECK(json["at"] == OrderedJson::parse(R"([{"k": 1, "precision": 1, "recall": 1},
                                               {"k": 2, "precision": 0.5, "recall": 1}])"));
  }
}

TEST_CASE("labels of lines that begin with one are no text, in each command that reads lines") {
  const ToyPlace place;
  place.files().write("rows.txt", kRows);
  place.files().write("plain.txt", "good\nbad\ngood bad\n");
  const std::string note = "begins with __label__, so labels are not read as text";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"batch", "FILE", "--echo-text", "--keep", "--column-prefix", "p_"},
           {"batch", "-"},
           {"embed", "FILE", "--format", "jsonl"},
           {"embed", "-", "--format", "jsonl"},
           {"rank", "good", "FILE", "--label", "positive", "--all", "--format", "jsonl"},
           {"explain", "--input", "FILE"},
           {"explain", "--input", "-"},
           {"classify"},
           {"classify", "--format", "jsonl"},
           {"tokenize"},
       }) {
    CAPTURE(command);
    const auto run = [&](const std::string& file, const std::string& input) {
      std::vector<std::string> arguments = command;
      for (std::string& word : arguments) {
        if (word == "FILE") word = file;
      }
      arguments.insert(arguments.end(), {"-m", "toy"});
      return place.run(arguments, input);
    };
    const Outcome plain = run("plain.txt", "good\nbad\ngood bad\n");
    const Outcome found = run("rows.txt", kRows);
    CHECK(found.status == plain.status);
    CHECK(found.out != "");
    CHECK(found.out == plain.out);
    CHECK(plain.err.find(note) == std::string::npos);
    CHECK(found.err.find(note) != std::string::npos);
  }
  place.files().write("blank.txt", "\n  __label__positive good\n");
  const std::string scored = place.run({"batch", "blank.txt", "--echo-text", "-m", "toy"}).out;
  CHECK(scored.find("\"text\":\"good\"") != std::string::npos);
  CHECK(scored.find("__label__") == std::string::npos);
  const Outcome told =
      place.run({"batch", "rows.txt", "--input-format", "text", "--echo-text", "-m", "toy"});
  CHECK(told.out.find("\"text\":\"__label__positive good\"") != std::string::npos);
  CHECK(told.err.find(note) == std::string::npos);
  auto piped = place.run({"evaluate", "-", "-m", "toy", "--format", "json"}, kRows);
  CHECK(OrderedJson::parse(piped.out)["accuracy"] == 1.0);
  for (const std::string input : {"good\nbad\n", ""}) {
    check_refusal(place.run({"evaluate", "-", "-m", "toy"}, input), 2,
                  "read as text lines, which have no labels|fasttext");
  }
}

TEST_CASE("a labelled line gets its answer before the next one is written") {
  const ToyPlace place;
  Process process(place.command({"batch", "-", "-m", "toy", "-q"}));
  for (const std::string line : {"__label__positive good\n", "bad\n"}) {
    REQUIRE(process.write(line));
    CHECK(process.read_line());
  }
  CHECK(process.finish().status == 0);
}

TEST_CASE("batch reads lines with labels, and writes labels as fastText prints them") {
  const ToyPlace place;
  const std::vector<std::string> batch = {"batch", "-", "-m", "toy", "--input-format", "fasttext"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), batch.begin(), batch.end());
    return more;
  };
  const std::string plain = place.output({"batch", "-", "-m", "toy"}, "good\nbad\ngood bad\n");
  CHECK(place.output(batch, kRows) == plain);
  const std::string lines = place.output(with({"--format", "fasttext"}), kRows);
  CHECK(lines_of(lines).size() == 3);
  CHECK(lines.starts_with("__label__positive 0."));
  const std::string renamed =
      place.output(with({"--format", "fasttext", "--label-map", "positive=1"}), kRows);
  CHECK(renamed.starts_with("__label__1 0."));
  CHECK(place
            .output(with({"--format", "fasttext", "--label-map", " negative = 0, positive = 1"}),
                    kRows)
            .starts_with("__label__1 0."));
  CHECK(place.output(with({"--keep"}), "__label__a good\n").starts_with("{\"text\":\"good\","));
}

TEST_CASE("what fastText's lines cannot hold is refused") {
  const ToyPlace place;
  place.files().write("rows.txt", kRows);
  place.add("blank", [](OrderedJson& config) { config["id2label"] = {"all good", "bad"}; });
  place.add("value", [](OrderedJson& config) {
    config["problem_type"] = "regression";
    config["id2label"] = {"mood", "tone"};
  });
  place.add_token_labels("names");
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  const Case cases[] = {
      {{"-m", "blank"}, "\"all good\" has a blank|--label-map"},
      {{"-m", "value"}, "labels of texts"},
      {{"-m", "names"}, "fasttext|labels"},
      {{"-m", "toy", "--logits"}, "--format fasttext|--logits"},
      {{"-m", "toy", "--label-map", "positive=negative"}, "two labels would be \"negative\""},
      {{"-m", "toy", "--label-map", "good=negative"}, "\"good\" is not one of the model's labels"},
      {{"-m", "toy", "--input-format", "fasttext", "--text", "a"}, "--text"},
      {{"-m", "toy", "-o", "out.jsonl"}, "fasttext"},
  };
  for (const Case& one : cases) {
    std::vector<std::string> arguments = {"batch", "rows.txt", "--format", "fasttext"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    check_refusal(place.run(arguments), 2, one.reason);
  }
  check_refusal(place.run({"rank", "--queries", "rows.txt", "-m", "toy", "--label", "positive"}), 2,
                "rows.txt|no queries");
}

}  // namespace
}  // namespace headlight::fasttext_test
