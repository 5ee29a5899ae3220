// The vocabulary is taken out of a tokenizer.json only where the JSON reader would give the same.
#include "text/files/plain_vocabulary.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "text/files/json_vocabulary.h"
#include "text/files/tokenizer_json.h"

namespace headlight::plain_vocabulary_test {
namespace {

/// A tokenizer.json whose vocabulary is this text.
std::string file_with(const std::string& vocabulary) {
  return R"({"added_tokens": [{"vocab": "\"}"}], "a": -1.5e3, "model": {"type": "WordLevel",)"
         R"( "unk_token": "u", "vocab" :)" +
         vocabulary + R"( , "rest": [1, {"vocab": {}}]}, "end": null})";
}

TEST_CASE("a plain vocabulary is the same as that of the JSON reader, and the rest is left") {
  const std::string vocabularies[] = {
      R"({"u":0})",
      R"({"b":1,"a":0})",
      "{ \"a\" : 0 ,\n\t\"b\" : 1\r\n}",
      R"({"a": 7, "b": 2147483647, "": 3})",
      R"({"\"": 0, "\\": 1, "\u00e9\n\/": 2, "\ud83d\ude00": 3, "é😀": 4, "{}],:": 5})",
  };
  for (const std::string& text : vocabularies) {
    CAPTURE(text);
    const auto taken = take_vocabulary(file_with(text));
    REQUIRE(taken);
    CHECK(taken->rest == file_with("{}"));
    const Vocabulary expected = read_token_ids(parse_json(text, ""), "", "");
    REQUIRE(taken->vocabulary.entries().size() == expected.entries().size());
    for (const Vocabulary::Entry& entry : expected.entries()) {
      CHECK(taken->vocabulary.id(entry.token) == entry.id);
      REQUIRE(taken->vocabulary.token(entry.id) != nullptr);
      CHECK(*taken->vocabulary.token(entry.id) == entry.token);
    }
  }
}

TEST_CASE("what is not a plain vocabulary is left to the JSON reader") {
  const std::string vocabularies[] = {
      "{}",
      "[]",
      "null",
      R"({"a": 0, "a": 1})",
      R"({"a": 0, "\u0061": 1})",
      R"({"a": 0, "b": 0})",
      R"({"a": 0,})",
      R"({"a": 0 "b": 1})",
      R"({"a": -1})",
      R"({"a": 1.0})",
      R"({"a": 1e3})",
      R"({"a": 01})",
      R"({"a": 2147483648})",
      R"({"a": 99999999999999999999})",
      R"({"a": "0"})",
      R"({"a": })",
      R"({"\ud83d": 0})",
      R"({"\x": 0})",
      "{\"\n\": 0}",
      "{\"\xFF\": 0}",
      R"({"a": 0)",
  };
  for (const std::string& text : vocabularies) {
    CAPTURE(text);
    CHECK_FALSE(take_vocabulary(file_with(text)));
  }
  for (const std::string file :
       {"", "{", "[]", R"({"model")", R"({"model": {"vocab")", R"({"vocab": {"a": 0}})",
        R"({"model": [{"vocab": {"a": 0}}]})", R"({"model": {"inside": {"vocab": {"a": 0}}}})"}) {
    CAPTURE(file);
    CHECK_FALSE(take_vocabulary(file));
  }
}

TEST_CASE("an error beside a plain vocabulary has its place in the whole file") {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& text) {
    const std::string path = folder.write("tokenizer.json", text);
    return error_of([&] { read_tokenizer_json(path); }).substr(path.size() + 2);
  };
  CHECK(complaint(R"({"model": {"vocab": {"a": 0, "b": 1}}, ?})") ==
        "column 40: not valid JSON here");
  CHECK(complaint(R"({"model": {"vocab": {"a": 0}, "vocab": {"a": 0}}})") ==
        "the name \"vocab\" occurs twice in one object");
  CHECK(complaint(R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}})") ==
        "model.merges[0]: \"b\" is not in the vocabulary");
}

}  // namespace
}  // namespace headlight::plain_vocabulary_test
