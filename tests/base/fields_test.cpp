#include "base/fields.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "base/json.h"

namespace headlight::fields_test {
namespace {

const Json kObject = parse_json(R"({
  "size": 3, "zero": 0, "negative": -1, "half": 0.5, "huge": 1e30, "past": 2147483648,
  "text": "post", "flag": true, "nothing": null,
  "words": ["a", "b"], "mixed": ["a", 1], "sizes": [2, 1], "bad_sizes": [2, 0], "inner": {}
})",
                                "f");

enum class Order { post, pre };

Order order_of(Fields& fields, const char* name) {
  return fields.choice_or(name, Order::pre, {{"post", Order::post}, {"pre", Order::pre}});
}

TEST_CASE("each getter gives what stands there, or its fallback") {
  Fields fields(kObject, "f");
  CHECK(fields.required_size("size", 1) == 3);
  CHECK(fields.size_or("zero", 7, 0) == 0);
  CHECK(fields.size_or("absent", 7, 0) == 7);
  CHECK(fields.number_or("half", 1.0) == 0.5);
  CHECK(fields.number_or("negative", 1.0) == -1.0);
  CHECK(fields.number_or("absent", 1.0) == 1.0);
  CHECK(fields.flag_or("flag", false));
  CHECK(fields.flag_or("absent", true));
  CHECK(fields.required_string("text") == "post");
  CHECK(fields.string_or("absent", "x") == "x");
  CHECK(fields.nullable_string_or("text", std::nullopt) == "post");
  CHECK(fields.nullable_string_or("nothing", "x") == std::nullopt);
  CHECK(fields.nullable_string_or("absent", "x") == "x");
  CHECK(fields.strings("words") == std::vector<std::string>{"a", "b"});
  CHECK(fields.sizes("sizes", 1) == std::vector<std::size_t>{2, 1});
  CHECK(order_of(fields, "text") == Order::post);
  CHECK(order_of(fields, "absent") == Order::pre);
  CHECK(fields.find("nothing") != nullptr);
  CHECK(fields.find_value("nothing") == nullptr);
  CHECK(fields.find("absent") == nullptr);
}

TEST_CASE("each getter says what was found and what was expected") {
  struct Row {
    std::function<void(Fields&)> get;
    std::string error;
  };
  const Row rows[] = {
      {[](Fields& f) { f.required("absent"); }, "absent: missing"},
      {[](Fields& f) { f.required_size("absent", 1); }, "absent: missing"},
      {[](Fields& f) { f.required_size("zero", 1); },
       "zero: found 0, expected a whole number of at least 1"},
      {[](Fields& f) { f.required_size("negative", 0); },
       "negative: found -1, expected a whole number of at least 0"},
      {[](Fields& f) { f.required_size("half", 0); },
       "half: found 0.5, expected a whole number of at least 0"},
      {[](Fields& f) { f.required_size("huge", 0); },
       "huge: found 1e+30, expected a whole number from 0 to 2147483647"},
      {[](Fields& f) { f.required_size("past", 0); },
       "past: found 2147483648, expected a whole number from 0 to 2147483647"},
      {[](Fields& f) { f.size_or("size", 1, 1, 2); },
       "size: found 3, expected a whole number from 1 to 2"},
      {[](Fields& f) { f.size_or("text", 1, 1); },
       R"(text: found "post", expected a whole number of at least 1)"},
      {[](Fields& f) { f.size_or("nothing", 1, 1); },
       "nothing: found null, expected a whole number of at least 1"},
      {[](Fields& f) { f.number_or("text", 0.0); }, R"(text: found "post", expected a number)"},
      {[](Fields& f) { f.flag_or("zero", false); }, "zero: found 0, expected true or false"},
      {[](Fields& f) { f.required_string("size"); }, "size: found 3, expected a string"},
      {[](Fields& f) { f.string_or("nothing", ""); }, "nothing: found null, expected a string"},
      {[](Fields& f) { f.nullable_string_or("size", ""); },
       "size: found 3, expected a string or null"},
      {[](Fields& f) { f.strings("text"); }, R"(text: found "post", expected a list of strings)"},
      {[](Fields& f) { f.strings("mixed"); },
       "mixed: found a list of 2, expected a list of strings"},
      {[](Fields& f) { f.sizes("inner", 1); },
       "inner: found an object, expected a list of whole numbers"},
      {[](Fields& f) { f.sizes("bad_sizes", 1); },
       "bad_sizes[1]: found 0, expected a whole number of at least 1"},
      {[](Fields& f) {
         f.choice_or("text", Order::pre, {{"before", Order::pre}, {"after", Order::post}});
       },
       R"(text: found "post", expected one of before, after)"},
      {[](Fields& f) { order_of(f, "size"); }, "size: found 3, expected a string"},
      {[](Fields& f) { f.complain("size", "is not mine"); }, "size is not mine"},
      {[](Fields& f) { f.fail("absent", "a word"); }, "absent: missing, expected a word"},
  };
  for (const auto& row : rows) {
    Fields fields(kObject, "f");
    CHECK(error_of([&] { row.get(fields); }) == "f: " + row.error);
    Fields inner(kObject, "f", "tokenizer");
    CHECK(error_of([&] { row.get(inner); }) == "f: tokenizer." + row.error);
  }
}

TEST_CASE("what is no object has no fields") {
  const Json list = parse_json("[1]", "f");
  CHECK(error_of([&] { Fields(list, "f"); }) == "f: found a list of 1, expected an object");
  CHECK(error_of([&] { Fields(list, "f", "tokenizer"); }) ==
        "f: tokenizer: found a list of 1, expected an object");
}

TEST_CASE("an unknown field is refused with the nearest of those that were asked for") {
  const Json object = parse_json(R"({"hidden_size": 1, "hiden_act": "gelu"})", "f");
  Fields fields(object, "f");
  fields.find("hidden_size");
  fields.find("hidden_act");
  CHECK(error_of([&] { fields.refuse_unknown(); }) ==
        "f: hiden_act: unknown field; did you mean hidden_act?");
  fields.find("hiden_act");
  CHECK(error_of([&] { fields.refuse_unknown(); }).empty());
}

}  // namespace
}  // namespace headlight::fields_test
