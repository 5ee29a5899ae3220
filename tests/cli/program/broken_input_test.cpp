// Texts and rows that cannot be scored: each is an error of its own, the others are scored, and the
// status says so (3).
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/refusal.h"
#include "cli/toy_place.h"
#include "model/model_files.h"

namespace headlight::broken_input_test {
namespace {

using namespace std::string_literals;

constexpr int kTextErrors = 3;

/// Toys that differ in what they make of words they do not know.
///
/// toy: "[UNK]" · skips: leaves them out · lost: an unknown token that is itself unknown ·
/// numbers: no vocabulary · segments: two types · big: no longer finite
class Toys : public ToyPlace {
 public:
  Toys() {
    add("skips", [](OrderedJson& config) { config["tokenizer"]["unk_token"] = nullptr; });
    add("lost", [](OrderedJson& config) { config["tokenizer"]["unk_token"] = "<unk>"; });
    add("numbers", [](OrderedJson& config) { config.erase("tokenizer"); });
    add(
        "segments", [](OrderedJson& config) { config["type_vocab_size"] = 2; },
        [](std::vector<Tensor>& tensors) {
          tensors.push_back(
              float_tensor("embeddings.token_type.weight", {2, 4}, std::vector<float>(8)));
        });
    add("big", {}, [](std::vector<Tensor>& tensors) {
      tensor_of(tensors, "classifier.weight") =
          float_tensor("classifier.weight", {2, 4}, {3e38F, 0, 0, 0, 1, 0, 0, 0});
      tensor_of(tensors, "classifier.bias") = float_tensor("classifier.bias", {2}, {3e38F, 0});
    });
  }
};

struct TextCase {
  std::string name;
  std::vector<std::string> arguments;
  std::string reason;
};

const std::vector<TextCase> kTexts = {
    {"an empty text", {"-m", "toy", ""}, "text 0|no tokens"},
    {"blanks", {"-m", "toy", " \t "}, "text 0|no tokens"},
    {"no word that is known", {"-m", "skips", "nonsense"}, "text 0|no tokens"},
    {"an unknown word without an unknown token", {"-m", "lost", "nonsense"}, "text 0|<unk>"},
    {"no UTF-8", {"-m", "toy", "good \xFF"}, "text 0|not valid UTF-8 at byte 5"},
    {"an overlong form", {"-m", "toy", "\xC0\xAF"}, "text 0|not valid UTF-8 at byte 0"},
    {"a surrogate in UTF-8", {"-m", "toy", "a\xED\xA0\x80"}, "text 0|not valid UTF-8 at byte 1"},
    {"past U+10FFFF", {"-m", "toy", "\xF4\x90\x80\x80"}, "text 0|not valid UTF-8 at byte 0"},
    {"a cut character", {"-m", "toy", "good\xE2\x82"}, "text 0|not valid UTF-8 at byte 4"},
    {"a pair that is no UTF-8",
     {"-m", "toy", "--pair", "\x80", "good"},
     "text 0|not valid UTF-8 at byte 0"},
    {"too long", {"-m", "toy", "--long", "error", "a a a a a a a a a"}, "text 0|9 tokens|8"},
    {"longer than asked for",
     {"-m", "toy", "--long", "error", "--max-length", "2", "a a a"},
     "text 0|3 tokens|2"},
    {"cut to nothing", {"-m", "toy", "--max-length", "0", "good"}, "text 0|no tokens"},
    {"ids that are words", {"-m", "toy", "--ids", "good"}, "text 0|good|token ids"},
    {"ids of control characters", {"-m", "toy", "--ids", "\x1B[31m"}, "text 0|\\x1b[31m|token ids"},
    {"a negative id", {"-m", "toy", "--ids", "1 -1"}, "text 0|-1"},
    {"an id with a fraction", {"-m", "toy", "--ids", "1.0"}, "text 0|1.0"},
    {"an id past the vocabulary", {"-m", "toy", "--ids", "1 6"}, "text 0|6|vocab_size 6"},
    {"an id past 32 bits", {"-m", "toy", "--ids", "4294967296"}, "text 0|4294967296"},
    {"an id past 64 bits",
     {"-m", "toy", "--ids", "18446744073709551617"},
     "text 0|18446744073709551617"},
    {"no ids", {"-m", "toy", "--ids", " , "}, "text 0|no tokens"},
    {"ids past the vocabulary of a model without words",
     {"-m", "numbers", "--ids", "7"},
     "text 0|7|vocab_size 6"},
    {"fewer types than ids",
     {"-m", "segments", "--ids", "--type-ids", "0", "1 2"},
     "text 0|2 token ids|1 type"},
    {"more types than ids",
     {"-m", "segments", "--ids", "--type-ids", "0 1 0", "1 2"},
     "text 0|2 token ids|3 type"},
    {"a type past the table",
     {"-m", "segments", "--ids", "--type-ids", "0 2", "1 2"},
     "text 0|type id 2|2 types"},
    {"types that are words", {"-m", "segments", "--ids", "--type-ids", "a b", "1 2"}, "text 0|a"},
    {"a type of a model that has none",
     {"-m", "toy", "--ids", "--type-ids", "0 1", "1 2"},
     "text 0|type id 1"},
    {"numbers that are no longer finite", {"-m", "big", "good"}, "text 0|not finite"},
};

struct RowCase {
  std::string name;
  std::string line;
  std::string reason;
};

const std::vector<RowCase> kRows = {
    {"empty line", "", "the line is empty"},
    {"blanks", "   ", "the line is empty"},
    {"no JSON", "good", "JSON"},
    {"single quotes", "{'text': 'good'}", "JSON"},
    {"cut", R"({"text": "good)", "JSON"},
    {"two objects", R"({"text": "good"} {"text": "bad"})", "JSON"},
    {"a NUL and more after the object", "{\"text\": \"good\"}\0 more"s, "JSON"},
    {"a raw control character", "{\"text\": \"a\x01\"}", "JSON"},
    {"a list", R"(["good"])", "not a JSON object"},
    {"a string", R"("good")", "not a JSON object"},
    {"a number", "7", "not a JSON object"},
    {"null", "null", "not a JSON object"},
    {"text is a number", R"({"text": 5})", "\"text\"|not a string"},
    {"text is a list", R"({"text": ["good"]})", "\"text\"|not a string"},
    {"text is an object", R"({"text": {"a": "good"}})", "\"text\"|not a string"},
    {"text twice", R"({"text": "good", "text": "bad"})", "\"text\"|twice"},
    {"id twice", R"({"id": 1, "id": 2, "text": "good"})", "\"id\"|twice"},
    {"id is a list", R"({"id": [1], "text": "good"})", "\"id\""},
    {"id is an object", R"({"id": {}, "text": "good"})", "\"id\""},
    {"a lone high surrogate", R"({"text": "\ud800"})", "JSON"},
    {"a lone low surrogate", R"({"text": "\udc00 good"})", "JSON"},
    {"surrogates in the wrong order", R"({"text": "\udc00\ud800"})", "JSON"},
    {"an unknown escape", R"({"text": "\x41"})", "JSON"},
    {"NaN", R"({"text": "good", "scores": [NaN]})", "JSON"},
    {"no UTF-8", "{\"text\": \"good \xFF\"}", "not valid UTF-8 at byte 15"},
    {"nested more than 64 levels deep",
     "{\"text\": \"good\", \"more\": " + std::string(100'000, '[') + std::string(100'000, ']') +
         "}",
     "nested"},
    {"nested without an end", std::string(100'000, '{'), "JSON"},
    {"a field's name of control characters twice", R"({"\u001b[2J": 1, "\u001b[2J": 2})", "twice"},
    {"no tokens", R"({"text": ""})", "no tokens"},
};

void check_error_object(const OrderedJson& object) {
  CHECK(object.contains("error"));
  for (const char* claim : {"label", "probability", "logits", "probabilities", "tokens"}) {
    CHECK_FALSE(object.contains(claim));
  }
}

TEST_CASE("a text that cannot be scored is said, in text and in JSON") {
  const Toys toys;
  for (const TextCase& broken : kTexts) {
    INFO("case: " << broken.name);
    std::vector<std::string> arguments = {"classify"};
    arguments.insert(arguments.end(), broken.arguments.begin(), broken.arguments.end());
    const Outcome text = toys.run(arguments);
    check_last_reason(text, kTextErrors, "1 of 1 text|" + broken.reason);
    CHECK(lines_of(text.err).size() == 1);
    CHECK(lines_of(text.out).size() == 1);
    CHECK(text.out.starts_with("error: "));
    CHECK(is_harmless(text.out));

    arguments.insert(arguments.begin() + 1, {"--format", "json"});
    const Outcome json = toys.run(arguments);
    check_last_reason(json, kTextErrors, broken.reason);
    CHECK(is_harmless(json.out));
    const OrderedJson array = OrderedJson::parse(json.out);
    REQUIRE(array.size() == 1);
    check_error_object(array[0]);
  }
}

TEST_CASE("attention refuses a text that cannot be scored, and writes nothing") {
  const Toys toys;
  for (const TextCase& broken : kTexts) {
    INFO("case: " << broken.name);
    std::vector<std::string> arguments = {"attention", "--format", "json", "-o", "a.json"};
    arguments.insert(arguments.end(), broken.arguments.begin(), broken.arguments.end());
    const Outcome outcome = toys.run(arguments);
    check_refusal(outcome, kTextErrors,
                  "text|" + broken.reason.substr(broken.reason.find('|') + 1));
    CHECK_FALSE(toys.files().has("a.json"));
    CHECK_FALSE(toys.files().has("a.json.partial"));
  }
}

TEST_CASE("a row that cannot be read is a row with an error, and the others are scored") {
  const Toys toys;
  for (const RowCase& broken : kRows) {
    INFO("case: " << broken.name);
    const std::string good = "{\"text\": \"good\"}\n";
    const Outcome outcome = toys.run({"batch", "-", "-m", "toy", "--input-format", "jsonl"},
                                     good + broken.line + "\n" + good);
    check_last_reason(outcome, kTextErrors, "1 of 3 rows|row 1|" + broken.reason);
    CHECK(is_harmless(outcome.out));
    const auto lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 3);
    CHECK(OrderedJson::parse(lines[0])["label"] == "positive");
    check_error_object(OrderedJson::parse(lines[1]));
    CHECK(lines[2] == R"({"id":2,)" + lines[0].substr(lines[0].find("\"label\"")));
  }
}

TEST_CASE("a row without the fields that were named is a row with an error") {
  const Toys toys;
  const auto check = [&](const std::vector<std::string>& options, const std::string& line,
                         const std::string& reason) {
    INFO("case: " << line);
    std::vector<std::string> arguments = {"batch", "-", "-m", "toy", "--input-format", "jsonl"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = toys.run(arguments, line + "\n");
    check_last_reason(outcome, kTextErrors, "1 of 1 row|" + reason);
    check_error_object(OrderedJson::parse(outcome.out));
  };
  check({"--text", "text", "--text", "more"}, R"({"text": "good", "more": 3})", "\"more\"");
  check({"--pair-text", "b"}, R"({"text": "good", "b": false})", "\"b\"|not a string");
  check({"--id", "key"}, R"({"text": "good", "id": 1})", "\"key\"");
  check({"--id", "\x1B[2J"}, R"({"text": "good"})", "\\x1b[2J");
  check({"--long", "error"}, R"({"text": "a a a a a a a a a"})", "9 tokens");
}

TEST_CASE("a line past 16 MiB is a row with an error, and the run goes on") {
  const Toys toys;
  const std::string input =
      "good\n" + std::string((16U << 20U) + 1, 'x') + "\nbad\n" + std::string((17U << 20U), 'y');
  for (const std::string threads : {"1", "2"}) {
    const Outcome outcome = toys.run({"batch", "-", "-m", "toy", "--threads", threads}, input);
    check_last_reason(outcome, kTextErrors, "2 of 4 rows|row 1|16777216");
    const auto lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].starts_with(R"({"id":0,"label":"positive")"));
    CHECK(lines[1].starts_with(R"({"id":1,"error":)"));
    CHECK(lines[2].starts_with(R"({"id":2,"label":"negative")"));
    CHECK(lines[3].starts_with(R"({"id":3,"error":)"));
  }
}

TEST_CASE("a line of exactly 16 MiB is a line") {
  const Toys toys;
  std::string line = "good";
  line.resize(16U << 20U, ' ');
  const Outcome outcome = toys.run({"batch", "-", "-m", "toy"}, line + "\n" + line);
  CHECK(outcome.complaint() == "");
  CHECK(outcome.status == 0);
  CHECK(lines_of(outcome.out).size() == 2);
}

TEST_CASE("a row of a hundred thousand fields") {
  const Toys toys;
  std::string line = R"({"text": "good")";
  for (int i = 0; i < 100'000; ++i) line += ",\"field" + std::to_string(i) + "\":1";
  // Comparing each field with all others would take minutes.
  const Outcome outcome =
      toys.run({"batch", "-", "-m", "toy", "--input-format", "jsonl"}, line + "}\n");
  check_sane(outcome);
  CHECK(outcome.status == 0);
}

TEST_CASE("tokenize says what it cannot read") {
  const Toys toys;
  for (const auto& [model, text, reason] : std::vector<std::array<std::string, 3>>{
           {"lost", "nonsense", "<unk>"}, {"toy", "\xFF", "not valid UTF-8"}}) {
    const Outcome outcome = toys.run({"tokenize", "-m", model, "--format", "jsonl", text, "good"});
    check_last_reason(outcome, kTextErrors, "1 of 2 text|text 0|" + reason);
    const auto lines = lines_of(outcome.out);
    REQUIRE(lines.size() == 2);
    check_error_object(OrderedJson::parse(lines[0]));
    CHECK(OrderedJson::parse(lines[1])["tokens"] == OrderedJson{"good"});
  }
}

TEST_CASE("characters that are unusual but valid are text") {
  const Toys toys;
  const Outcome outcome =
      toys.run({"batch", "-", "-m", "toy", "--echo-text"}, "good\0bad\x1B[2J\x7F\r\n"s);
  check_sane(outcome);
  CHECK(outcome.status == 0);
  CHECK(is_harmless(outcome.out));
  CHECK(OrderedJson::parse(outcome.out)["text"] == "good\0bad\x1B[2J\x7F"s);
}

}  // namespace
}  // namespace headlight::broken_input_test
