// The ending of an output's name selects its format and compression.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/compression.h"
#include "cli/arguments.h"
#include "cli/refusal.h"
#include "cli/toy_place.h"

namespace headlight::output_endings_test {
namespace {

std::string decompressed(const std::string& name, const std::string& bytes) {
  Decompressor decompressor(compression_of(name), name);
  std::string_view left = bytes;
  std::string all;
  std::vector<char> part(10'000);
  while (const std::size_t made = decompressor.read(left, part)) all.append(part.data(), made);
  decompressor.finish();
  return all;
}

const Arguments kClassify = {"classify", "-m", "toy", "good", "bad"};
const Arguments kBatch = {"batch", "rows.txt", "-m", "toy"};
const Arguments kAttention = {"attention", "-m", "toy", "good"};
const Arguments kExplain = {"explain", "-m", "toy", "good plot"};
const Arguments kTokenize = {"tokenize", "-m", "toy", "good"};
const Arguments kMask = {"inspect", "-m", "toy", "--mask"};
const Arguments kEvaluate = {"evaluate", "rows.jsonl", "-m", "toy"};

struct Ending {
  Arguments arguments;
  std::string ending;
  std::string format;
};

const std::vector<Ending> kEndings = {
    {kClassify, "csv", "csv"},    {kClassify, "tsv", "tsv"},         {kClassify, "jsonl", "jsonl"},
    {kClassify, "json", "json"},  {kClassify, "txt", "text"},        {kBatch, "csv", "csv"},
    {kBatch, "tsv", "tsv"},       {kBatch, "ndjson", "jsonl"},       {kBatch, "out", "jsonl"},
    {kAttention, "json", "json"}, {kAttention, "html", "html"},      {kAttention, "svg", "svg"},
    {kAttention, "npy", "npy"},   {kAttention, "npz", "npz"},        {kExplain, "json", "json"},
    {kExplain, "htm", "html"},    {kTokenize, "tsv", "tsv"},         {kTokenize, "jsonl", "jsonl"},
    {kMask, "svg", "svg"},        {kMask, "html", "html"},           {kMask, "npy", "npy"},
    {kEvaluate, "json", "json"},  {{"models"}, "json", "json"},      {kBatch, "CSV", "csv"},
    {kBatch, "log", "jsonl"},     {kClassify, "out", "text"},        {kExplain, "svg", "svg"},
    {kExplain, "v2", "text"},     {kEvaluate, "2026.01.02", "text"}, {kBatch, "pngs", "jsonl"},
};

TEST_CASE("without --format the ending of -o decides, compressed or not") {
  const ToyPlace place;
  place.files().write("rows.jsonl", "{\"text\": \"good\", \"label\": \"positive\"}\n");
  for (const auto& [arguments, ending, format] : kEndings) {
    INFO(arguments.front() << " ." << ending);
    const std::string expected = place.output(with(arguments, {"--format", format}));
    for (const std::string compressed : {"", ".gz", ".zst"}) {
      const std::string name = arguments.front() + "-out." + ending + compressed;
      CHECK(place.output(with(arguments, {"-o", name})) == "");
      const std::string bytes = place.files().read(name);
      CHECK((compressed.empty() ? bytes : decompressed(name, bytes)) == expected);
      CHECK(place.output(with(arguments, {"-f", "-o", name, "--format", format})) == "");
      CHECK(place.files().read(name) == bytes);
    }
  }
}

TEST_CASE("stream and the files beside a result follow their endings too") {
  const ToyPlace place;
  place.add("causal", [](OrderedJson& config) { config["attention_mask"] = "causal"; });
  place.output({"stream", "-m", "causal", "-o", "words.jsonl.gz"}, "good bad\n");
  CHECK(lines_of(decompressed("words.jsonl.gz", place.files().read("words.jsonl.gz"))).size() == 2);
  place.files().write("rows.jsonl", "{\"text\": \"good\", \"label\": \"negative\"}\n");
  place.output(with(kEvaluate, {"--errors", "wrong.jsonl.zst", "--html", "page.html"}));
  CHECK(decompressed("wrong.jsonl.zst", place.files().read("wrong.jsonl.zst"))
            .starts_with(R"({"id":0,"line":1,)"));
  place.output(with(kBatch, {"-o", "out", "--summary", "counts.json.gz"}));
  CHECK(OrderedJson::parse(
            decompressed("counts.json.gz", place.files().read("counts.json.gz")))["rows"] == 2);
}

TEST_CASE("an ending that contradicts the format, or that the command does not write, is refused") {
  struct Case {
    Arguments arguments;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {with(kBatch, {"-o", "a.csv", "--format", "jsonl"}), "-o|a.csv|.csv|--format is jsonl"},
      {with(kBatch, {"-o", "a.json"}), "-o|.json|jsonl, csv, tsv"},
      {with(kBatch, {"-o", "a.csv.gz", "--format", "tsv"}), "-o|.csv|--format is tsv"},
      {with(kClassify, {"-o", "a.json", "--format", "text"}), "-o|.json|--format is text"},
      {with(kClassify, {"-o", "a.svg"}), "-o|.svg|text, json, jsonl, csv, tsv"},
      {with(kAttention, {"-o", "a.npz", "--format", "npy"}), "-o|.npz|--format is npy"},
      {with(kExplain, {"-o", "a.npy"}), "-o|.npy|text, json, html, svg"},
      {with(kAttention, {"--hidden", "a.npz"}), "--hidden|.npz|npy"},
      {{"evaluate", "rows.txt", "-m", "toy", "--html", "a.json"}, "--html|.json|html"},
      {{"evaluate", "rows.txt", "-m", "toy", "--errors", "a.csv"}, "--errors|.csv|jsonl"},
      {with(kBatch, {"--summary", "a.csv"}), "--summary|.csv|json"},
      {{"stream", "-m", "toy", "-o", "a.csv"}, "-o|.csv|text, jsonl"},
      {{"fit", "rows.txt", "--log", "a.csv", "-o", "new"}, "--log|.csv|jsonl"},
      {{"inspect", "-m", "toy", "-o", "a.svg"}, "--format svg needs --positions or --mask"},
  };
  const ToyPlace place;
  for (const auto& [arguments, reason] : cases) {
    check_refusal(place.run(arguments), 2, reason);
    for (const std::string name : {"a.csv", "a.json", "a.svg", "a.npz", "a.csv.gz"}) {
      CHECK_FALSE(place.files().has(name));
    }
  }
}

TEST_CASE(
    "the ending of a format that no command writes is refused by each, whatever --format says") {
  struct Case {
    Arguments arguments;  // up to the name of the output
    std::string formats;
  };
  const std::vector<Case> cases = {
      {with(kClassify, {"-o"}), "-o|text, json, jsonl, csv, tsv"},
      {with(kBatch, {"-o"}), "-o|jsonl, csv, tsv"},
      {with(kBatch, {"--format", "csv", "-o"}), "-o|csv"},
      {with(kBatch, {"--summary"}), "--summary|json"},
      {{"embed", "rows.txt", "-m", "toy", "-o"}, "-o|npy, jsonl"},
      {with(kAttention, {"-o"}), "-o|text, json"},
      {with(kAttention, {"--hidden"}), "--hidden|npy"},
      {with(kExplain, {"-o"}), "-o|text, json, html, svg"},
      {{"explain", "-m", "toy", "--input", "rows.txt", "-o", "new", "--summary"},
       "--summary|text, json"},
      {with(kTokenize, {"-o"}), "-o|text, json, jsonl, csv, tsv"},
      {{"stream", "-m", "toy", "-o"}, "-o|text, jsonl"},
      {{"inspect", "-m", "toy", "-o"}, "-o|text, json"},
      {{"models", "-o"}, "-o|text, json"},
      {with(kEvaluate, {"-o"}), "-o|text, json"},
      {with(kEvaluate, {"--errors"}), "--errors|jsonl"},
      {with(kEvaluate, {"--html"}), "--html|html"},
      {{"fit", "rows.txt", "-o", "new", "--log"}, "--log|jsonl"},
  };
  const ToyPlace place;
  for (const std::string ending : {".parquet", ".XLSX", ".bz2", ".png.gz", ".tar"}) {
    const std::string said = ending.substr(0, ending.rfind(".gz"));
    for (const auto& [arguments, formats] : cases) {
      CAPTURE(ending);
      const std::string reason = "a" + ending + "|" + (said == ".XLSX" ? ".xlsx" : said);
      check_refusal(place.run(with(arguments, {"a" + ending})), 2, reason + "|" + formats);
      CHECK_FALSE(place.files().has("a" + ending));
    }
  }
}

TEST_CASE("binary output is not written to a terminal") {
  const ToyPlace place;
  struct Case {
    Arguments arguments;
    std::string reason;
  };
  const std::vector<Case> cases = {
      {with(kAttention, {"--format", "npy"}), "npy is binary|-o FILE.npy"},
      {with(kAttention, {"--format", "npz"}), "npz is binary|-o FILE.npz"},
      {with(kMask, {"--format", "npy"}), "npy is binary|-o FILE.npy"},
      {with(kAttention, {"--format", "npy", "-o", "/dev/stdout"}), "npy is binary"},
      {with(kAttention, {"--format", "json", "--hidden", "/dev/stdout"}), "npy is binary"},
      {with(kClassify, {"-o", "screen.gz"}), "compressed text is binary"},
  };
  REQUIRE(::symlink("/dev/stdout", (place.files() / "screen.gz").c_str()) == 0);
  for (const auto& [arguments, reason] : cases) {
    Command command = place.command(arguments);
    command.out = Channel::terminal;
    check_refusal(run(command), 2, reason);
  }
  Command text = place.command(kAttention);
  text.out = Channel::terminal;
  CHECK(run(text).status == 0);
  CHECK(place.output(with(kAttention, {"--format", "npy"})).starts_with("\x93NUMPY"));
}

}  // namespace
}  // namespace headlight::output_endings_test
