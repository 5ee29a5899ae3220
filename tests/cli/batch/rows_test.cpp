// Rows in, rows out: ids, line ends, order, the same bytes however they are made.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "math/instruction_set.h"

namespace headlight::rows_test {
namespace {

using namespace std::string_literals;

const std::vector<std::string> kBatch = {"batch", "-", "-m", "toy"};
const std::vector<std::string> kJsonBatch = {"batch", "-", "-m", "toy", "--input-format", "jsonl"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string many_rows(std::size_t count) {
  const std::vector<std::string> words = {"good", "bad", "movie", "a", "plot", "strange"};
  std::string rows;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t word = 0; word <= i % 11; ++word) {
      rows += words[(i * 7 + word * word) % words.size()] + " ";
    }
    rows += "\n";
  }
  return rows;
}

TEST_CASE("an id is given back as it was spelled") {
  const ToyPlace place;
  const std::vector<std::string> ids = {"0",
                                        "7",
                                        "-7",
                                        "1.0",
                                        "12345678901234567890",
                                        "123456789012345678901234567890",
                                        "-0",
                                        "-0.0",
                                        "1e5",
                                        "1E+5",
                                        "0.10",
                                        "-9223372036854775809",
                                        "\"a\"",
                                        "\"\"",
                                        "\"1.0\"",
                                        "\"é\\n\""};
  for (const std::string& id : ids) {
    INFO("id: " << id);
    const std::string line = place.output(kJsonBatch, "{\"id\": " + id + ", \"text\": \"good\"}\n");
    CHECK(line.starts_with("{\"id\":" + id + ","));
  }
}

TEST_CASE("a row without an id has its number, from 0, errors and all") {
  const ToyPlace place;
  const Outcome outcome = place.run(
      kJsonBatch, "{\"text\":\"good\"}\nnope\n{\"id\":\"x\",\"text\":\"bad\"}\n{\"text\":\"a\"}\n");
  CHECK(outcome.status == 3);
  const auto rows = lines_of(outcome.out);
  REQUIRE(rows.size() == 4);
  CHECK(OrderedJson::parse(rows[0])["id"] == 0);
  CHECK(OrderedJson::parse(rows[1])["id"] == 1);
  CHECK(OrderedJson::parse(rows[2])["id"] == "x");
  CHECK(OrderedJson::parse(rows[3])["id"] == 3);
}

TEST_CASE("an id stays with a row that cannot be scored") {
  const ToyPlace place;
  const Outcome outcome = place.run(kJsonBatch, "{\"id\":\"x\",\"text\":5}\n");
  CHECK(outcome.status == 3);
  CHECK(outcome.out.starts_with(R"({"id":"x","error":)"));
}

TEST_CASE("fields are chosen by name, and texts joined by a blank") {
  const ToyPlace place;
  const std::string row = R"({"a":"good","b":"bad","key":3,"id":1})";
  CHECK(place.json(with(kJsonBatch, {"--text", "b", "--id", "key", "--echo-text"}), row) ==
        OrderedJson::parse(R"({"id":3,"text":"bad","label":"negative","probability":0.8807971})"));
  const OrderedJson joined =
      place.json(with(kJsonBatch, {"--text", "a", "--text", "b", "--echo-text"}), row);
  CHECK(joined["text"] == "good bad");
  CHECK(joined["probability"] == 0.5);
  const OrderedJson pair =
      place.json(with(kJsonBatch, {"--text", "a", "--pair-text", "b", "--echo-text"}), row);
  CHECK(pair["text"] == "good");
  CHECK(pair["pair"] == "bad");
}

TEST_CASE("a byte-order mark and a carriage return before the newline are not text") {
  const ToyPlace place;
  const auto texts = [&](const std::string& input) {
    std::vector<std::string> found;
    for (const auto& line : lines_of(place.output(with(kBatch, {"--echo-text"}), input))) {
      found.push_back(OrderedJson::parse(line)["text"]);
    }
    return found;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts("\xEF\xBB\xBFgood\r\nbad\r\n") == Texts{"good", "bad"});
  CHECK(texts("good\nbad") == Texts{"good", "bad"});
  CHECK(texts("good\r\rx\nbad\n") == Texts{"good\r\rx", "bad"});
  CHECK(texts("good\n\xEF\xBB\xBF"
              "bad\n") == Texts{"good", "bad"});
  CHECK(texts("good\xE2\x80\xA8"
              "bad\x0B"
              "a\x0C"
              "a\xC2\x85"
              "a\n")
            .size() == 1);
  CHECK(place.json(kJsonBatch, "\xEF\xBB\xBF{\"text\":\"good\"}\r\n")["label"] == "positive");
}

TEST_CASE("an empty line is an empty text, and an empty input is an empty output") {
  const ToyPlace place;
  place.add("pieces", use_word_pieces);
  CHECK(lines_of(place.output({"batch", "-", "-m", "pieces"}, "\n\ngood\n\n")).size() == 4);
  for (const std::string threads : {"1", "2"}) {
    CHECK(place.output(with(kBatch, {"--threads", threads}), "") == "");
    CHECK(place.output(with(kJsonBatch, {"--threads", threads}), "\xEF\xBB\xBF") == "");
  }
  place.files().write("empty.jsonl", "");
  CHECK(place.output({"batch", "empty.jsonl", "-m", "toy", "-o", "out"}) == "");
  CHECK(place.files().has("out"));
  CHECK(place.files().read("out") == "");
  CHECK_FALSE(place.files().has("out.partial"));
}

TEST_CASE("the input's format is told by the file's ending, or said") {
  const ToyPlace place;
  const std::string row = "{\"text\":\"good\"}";
  for (const std::string name : {"r.jsonl", "r.ndjson"}) {
    place.files().write(name, row);
    CHECK(place.json({"batch", name, "-m", "toy", "--echo-text"})["text"] == "good");
  }
  place.files().write("r.txt", row);
  CHECK(place.json({"batch", "r.txt", "-m", "toy", "--echo-text"})["text"] == row);
  CHECK(place.json({"batch", "r.txt", "-m", "toy", "--echo-text", "--input-format",
                    "jsonl"})["text"] == "good");
  CHECK(place.json({"batch", "r.jsonl", "-m", "toy", "--echo-text", "--input-format",
                    "text"})["text"] == row);
}

TEST_CASE("rows come out in order, the same bytes whatever the threads and however they came") {
  const ToyPlace place;
  constexpr std::size_t kRows = 3000;
  const std::string input = many_rows(kRows);
  place.files().write("many.txt", input);
  const std::vector<std::string> options = {"--echo-text", "--logits", "--probabilities"};
  const std::string whole = place.output(with({"batch", "many.txt", "-m", "toy"}, options));
  const auto rows = lines_of(whole);
  REQUIRE(rows.size() == kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    CHECK(rows[i].starts_with("{\"id\":" + std::to_string(i) + ","));
  }
  for (const std::string threads : {"1", "2", "7"}) {
    INFO("threads: " << threads);
    const bool same =
        place.output(with(kBatch, with(options, {"--threads", threads})), input) == whole;
    CHECK(same);
  }
}

TEST_CASE("a row's bytes do not depend on its neighbours") {
  const ToyPlace place;
  const auto together =
      lines_of(place.output({"classify", "-m", "toy", "--format", "jsonl"}, many_rows(40)));
  const auto texts = lines_of(many_rows(40));
  REQUIRE(together.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); i += 9) {
    CHECK(place.output({"classify", "-m", "toy", "--format", "jsonl", texts[i]}) ==
          together[i] + "\n");
  }
}

TEST_CASE("a row is one line of valid UTF-8 whatever its text") {
  const ToyPlace place;
  const std::string text = "good\u2028\u2029\u0085\u009B\x7F\x1B[2J \"\\ é 🙂 \uFEFF";
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--echo-text"}, {"--echo-text", "--ascii"}}) {
    const std::string out = place.output(with(kBatch, options), text + "\n");
    CHECK(lines_of(out).size() == 1);
    CHECK(is_harmless(out));
    for (const char* separator : {"\u2028", "\u2029", "\u0085"}) {
      CHECK(out.find(separator) == std::string::npos);
    }
    CHECK(OrderedJson::parse(out)["text"] == text);
    if (options.size() == 2) {
      const bool is_ascii = std::all_of(out.begin(), out.end(), [](char c) { return c < 0x7F; });
      CHECK(is_ascii);
      CHECK(std::none_of(out.begin(), out.end(), [](char c) { return c < 0 || c == 0x7F; }));
    }
  }
}

TEST_CASE("--row-errors-ok leaves the status at 0, and the errors are still said") {
  const ToyPlace place;
  const Outcome outcome = place.run(with(kBatch, {"--row-errors-ok"}), "good\n\xFF\n");
  CHECK(outcome.status == 0);
  CHECK(lines_of(outcome.out).size() == 2);
  check_last_reason(outcome, 0, "1 of 2 rows|row 1|UTF-8");
}

TEST_CASE("each text of standard input is a line for classify and tokenize") {
  const ToyPlace place;
  CHECK(lines_of(place.output({"classify", "-m", "toy"}, "good\r\nbad")).size() == 2);
  const OrderedJson tokens =
      place.json({"tokenize", "-m", "toy", "--format", "json"}, "\xEF\xBB\xBFgood\nbad movie\n");
  REQUIRE(tokens.size() == 2);
  CHECK(tokens[0]["text"] == "good");
  CHECK(tokens[1]["ids"].size() == 2);
  const OrderedJson pairs =
      place.json({"classify", "-m", "toy", "--format", "json", "--pair", "bad"}, "good\ngood\n");
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[1]["pair"] == "bad");
}

TEST_CASE(
    "a verdict has the same bytes with every instruction set that multiplies and adds at once") {
  const ToyPlace place;
  place.output({"init", HEADLIGHT_SOURCE "/configs/encoder-block.json", "-o", "encoder", "-q"});
  const std::string rows = many_rows(300);
  const auto run = [&](const std::vector<std::string>& more, const std::string& set) {
    Command command = place.command(with({"batch", "-", "-m", "encoder", "--logits"}, more), rows);
    if (!set.empty()) command.environment.push_back("HEADLIGHT_INSTRUCTION_SET=" + set);
    return headlight::run(command);
  };
  const Outcome expected = run({"-q"}, "");
  REQUIRE(expected.status == 0);
  CHECK(lines_of(expected.out).size() == 300);
  for (const auto& set : instruction_sets()) {
    CAPTURE(set);
    const Outcome outcome = run({"-v"}, set);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find(set) != std::string::npos);
    const bool fused = outcome.err.find("without fused multiply-add") == std::string::npos;
    if (fused && outcome.err.find("packed kernels") != std::string::npos) {
      CHECK(outcome.out == expected.out);
    }
  }
  const Outcome unknown = run({}, "MMX");
  check_refusal(unknown, 2, "HEADLIGHT_INSTRUCTION_SET|MMX");
  CHECK(run({"-v", "--kernels", "openblas"}, "").err.find("openblas kernels") != std::string::npos);
}

}  // namespace
}  // namespace headlight::rows_test
