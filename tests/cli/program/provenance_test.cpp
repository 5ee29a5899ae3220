// The last field of JSON documents: version, model, file, and options that change a result.
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/compression.h"
#include "base/hash.h"
#include "cli/arguments.h"
#include "cli/help_page.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::provenance_test {
namespace {

const std::string kRows =
    "{\"text\": \"good plot\", \"label\": \"positive\"}\n"
    "{\"text\": \"bad plot\", \"label\": \"negative\"}\n"
    "{\"text\": \"bad a\", \"label\": \"negative\"}\n"
    "{\"text\": \"good a\", \"label\": \"positive\"}\n"
    "{\"text\": \"a good\", \"label\": \"positive\"}\n"
    "{\"text\": \"a bad\", \"label\": \"negative\"}\n";

struct Document {
  Arguments arguments;         // `--format json` comes behind them, if they name no summary
  std::string options = "{}";  // as JSON
  std::string file = {};       // of its provenance
  std::string summary = {};    // the file of the document; empty: standard output
};

const std::vector<Document> kObjects = {
    {{"attention", "-m", "toy", "good bad"}},
    {{"attention", "-m", "toy", "good bad", "--stats", "--threads", "1"}, R"({"stats": true})"},
    {{"attention", "-m", "toy", "good bad", "--activations"}, R"({"activations": true})"},
    {{"attention", "-m", "toy", "good bad", "--verdicts"}, R"({"verdicts": true})"},
    {{"attention", "-m", "toy", "good bad", "--patch", "bad bad"}, R"({"patch": "bad bad"})"},
    {{"attention", "-m", "toy", "good bad", "--steps", "--head", "0.0", "--query", "good"},
     R"({"query": "good", "steps": true, "head": "0.0"})"},
    {{"explain", "-m", "toy", "good bad", "--method", "gradient", "--color", "never"},
     R"({"method": "gradient"})"},
    {{"explain", "--input", "rows.jsonl", "-m", "toy", "-o", "why.jsonl", "--summary", "s.json"},
     "{}",
     "rows.jsonl",
     "s.json"},
    {{"evaluate", "rows.jsonl", "-m", "toy", "--precision", "int8", "--errors", "wrong.jsonl",
      "--html", "page.html", "--ascii"},
     R"({"precision": "int8"})",
     "rows.jsonl"},
    {{"inspect", "-m", "toy"}},
    {{"batch", "rows.jsonl", "-m", "toy", "--logits", "--summary", "s.json", "-o", "out.jsonl"},
     R"({"logits": true})",
     "rows.jsonl",
     "s.json"},
    {{"embed", "rows.jsonl", "-m", "toy", "--pooling", "mean", "--summary", "s.json", "-o",
      "e.npy"},
     R"({"pooling": "mean"})",
     "rows.jsonl",
     "s.json"},
    {{"rank", "good", "rows.jsonl", "-m", "toy", "--label", "positive", "--summary", "s.json"},
     R"({"label": "positive"})",
     "rows.jsonl",
     "s.json"},
    {{"check", "rows.jsonl", "-m", "toy", "-o", "doubtful.csv", "--seed", "1"},
     R"({"seed": "1"})",
     "rows.jsonl"},
    {{"fit", "rows.jsonl", "-m", "toy", "-o", "made", "--dev-share", "0"},
     R"({"dev-share": "0"})",
     "rows.jsonl"},
};

/// JSON of these is an array.
const std::vector<Arguments> kArrays = {
    {"classify", "-m", "toy", "good"},
    {"tokenize", "-m", "toy", "good"},
    {"models"},
    {"attention", "-m", "toy", "good", "bad"},
    {"explain", "-m", "toy", "good", "bad"},
    {"rank", "good", "rows.jsonl", "-m", "toy", "--label", "positive"}};

OrderedJson document_of(const ToyPlace& place, const Document& asked) {
  const Outcome outcome = place.run(
      asked.summary.empty() ? with(asked.arguments, {"--format", "json"}) : asked.arguments);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return OrderedJson::parse(asked.summary.empty() ? outcome.out
                                                  : place.files().read(asked.summary));
}

TEST_CASE("a JSON document that is an object ends with its provenance") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  for (const Document& asked : kObjects) {
    INFO(asked.arguments.front());
    const OrderedJson document = document_of(place, asked);
    CHECK(std::prev(document.end()).key() == "provenance");
    const OrderedJson& found = document["provenance"];
    CHECK(found["model"] == "toy");
    CHECK(found["model_hash"].get<std::string>().size() == 32);
    CHECK(found["headlight"].get<std::string>().find('+') == std::string::npos);
    CHECK(found.value("options", OrderedJson::object()) == OrderedJson::parse(asked.options));
    CHECK(found.value("file", "") == asked.file);
    if (asked.file.empty()) continue;
    CHECK(found["file_hash"] == hash_of(kRows));
    if (document.contains("model_hash")) CHECK(document["model_hash"] == found["model_hash"]);
  }
}

TEST_CASE("an array has no provenance, and each command that writes JSON is tested here") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  std::set<std::string> tested;
  for (const Document& asked : kObjects) tested.insert(asked.arguments.front());
  for (const Arguments& arguments : kArrays) {
    tested.insert(arguments.front());
    const Outcome outcome = place.run(with(arguments, {"--format", "json"}));
    CHECK(outcome.out.starts_with('['));
    CHECK(outcome.out.find("provenance") == std::string::npos);
  }
  for (const std::string& command : listed_commands()) {
    const std::string help = place.output({command, "--help"});
    if (help.find(", json") == std::string::npos && help.find("as JSON") == std::string::npos) {
      continue;
    }
    INFO(command);
    CHECK((command == "stream" || tested.contains(command)));
  }
}

TEST_CASE("rows of JSONL have no provenance") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  for (const Arguments& arguments :
       {Arguments{"batch", "rows.jsonl", "-m", "toy", "-q"},
        Arguments{"explain", "--input", "rows.jsonl", "-m", "toy"},
        Arguments{"attention", "--input", "rows.jsonl", "-m", "toy", "--stats"},
        Arguments{"explain", "-m", "toy", "--format", "jsonl", "a"}}) {
    CHECK(place.run(arguments).out.find("provenance") == std::string::npos);
  }
}

TEST_CASE("the hash of a file is that of its bytes, and only if all were read") {
  const ToyPlace place;
  const auto found = [&](Arguments more, const std::string& input = "") {
    more.insert(more.begin() + 1, {"-m", "toy", "--format", "json"});
    return OrderedJson::parse(place.run(more, input).out)["provenance"];
  };
  const std::string zipped = compressed_member(Compression::gzip, kRows);
  place.files().write("rows.jsonl", kRows);
  place.files().write("rows.jsonl.gz", zipped);
  CHECK(found({"evaluate", "rows.jsonl.gz"})["file_hash"] == hash_of(zipped));
  CHECK(!found({"evaluate", "rows.jsonl", "--limit", "2"}).contains("file_hash"));
  const OrderedJson piped = found({"evaluate", "-", "--input-format", "jsonl"}, kRows);
  CHECK(piped["file"] == "-");
  CHECK(piped["file_hash"] == hash_of(kRows));
}

TEST_CASE("fit's card says what the model was made from") {
  const ToyPlace place;
  place.files().write("rows.jsonl", kRows);
  const OrderedJson found = document_of(place, kObjects.back())["provenance"];
  const std::string card = place.files().read("made/README.md");
  const auto row = [](const std::string& name, const std::string& value) {
    return "| " + name + " | " + value + " |\n";
  };
  CHECK(card.find(row("hash of the training file", hash_of(kRows))) != std::string::npos);
  CHECK(card.find(row("hash of the start", found["model_hash"])) != std::string::npos);
  CHECK(card.find(row("made with", "headlight " + found["headlight"].get<std::string>())) !=
        std::string::npos);
}

TEST_CASE("inspect --cite prints BibTeX of the program and of the model's card") {
  const ToyPlace place;
  place.files().write("toy/README.md",
                      "---\nlicense: mit\ndatasets:\n- a_b\nauthor: \"A {B}\"\n---\n");
  const std::string text = place.output({"inspect", "-m", "toy", "--cite"});
  CHECK(text.starts_with("@software{headlight,\n"));
  CHECK(text.find("@misc{toy,\n  title   = {toy},\n  author  = {A \\{B\\}},\n"
                  "  note    = {text model, data sets: a\\_b, license: mit;\n             hash of "
                  "its files: ") != std::string::npos);
}

}  // namespace
}  // namespace headlight::provenance_test
