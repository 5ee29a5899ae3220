// What is put around texts, and their segments.
#include "text/pipeline/post_processor.h"

#include <doctest/doctest.h>

namespace headlight::post_processor_test {
namespace {

const SpecialToken kCls{"[CLS]", 2};
const SpecialToken kSep{"[SEP]", 3};

}  // namespace

TEST_CASE("BERT's templates") {
  const PostProcessor both = bert_post_processor(kCls, kSep);
  CHECK(to_string(both.single) == "[CLS] A [SEP]");
  CHECK(to_string(both.pair) == "[CLS] A [SEP] B [SEP]");
  CHECK(count_special_tokens(both.single) == 2);
  CHECK(count_special_tokens(both.pair) == 3);
  CHECK(both.largest_id() == 3);
  REQUIRE(both.pair.size() == 5);
  const TokenId types[] = {0, 0, 0, 1, 1};
  for (std::size_t i = 0; i < 5; ++i) CHECK(both.pair[i].type_id == types[i]);
}

TEST_CASE("tokens that are not put in") {
  CHECK(to_string(bert_post_processor(kCls, std::nullopt).pair) == "[CLS] A B");
  CHECK(to_string(bert_post_processor(std::nullopt, kSep).pair) == "A [SEP] B [SEP]");
  const PostProcessor plain = plain_post_processor();
  CHECK(to_string(plain.single) == "A");
  CHECK(to_string(plain.pair) == "A B");
  CHECK(plain.pair.back().type_id == 1);
  CHECK_FALSE(plain.largest_id().has_value());
}

TEST_CASE("RoBERTa's templates are all of segment 0") {
  const PostProcessor roberta = roberta_post_processor(kCls, kSep);
  CHECK(to_string(roberta.single) == "[CLS] A [SEP]");
  CHECK(to_string(roberta.pair) == "[CLS] A [SEP] [SEP] B [SEP]");
  for (const TemplatePart& part : roberta.pair) CHECK(part.type_id == 0);
}

TEST_CASE("blanks are trimmed from offsets") {
  struct Row {
    const char* token;
    bool has_prefix_space;
    bool is_first;
    Offset offset;
    Offset trimmed;
  };
  const Row rows[] = {
      {"a", true, true, {0, 1}, {0, 1}},
      {"Ġa", true, true, {0, 1}, {0, 1}},   // our blank covers nothing
      {"Ġa", false, true, {0, 2}, {1, 2}},  // the text's own
      {"Ġa", true, false, {0, 1}, {0, 1}},  // at 0 it counts as the first
      {"Ġa", true, false, {3, 5}, {4, 5}},
      {"Ġa", true, true, {3, 4}, {3, 4}},
      {"ĠĠa", true, true, {0, 2}, {2, 2}},  // two: none of them is ours
      {"aĠĠ", true, true, {2, 5}, {2, 3}},
      {"ĠĠ", false, false, {4, 6}, {6, 6}},
      {"Ġ", true, true, {0, 1}, {0, 0}},
      {" \u3000<mask> ", true, false, {4, 13}, {6, 12}},
      {"ĠĠĠ", true, false, {0, 1}, {1, 1}},
      {"", true, true, {0, 0}, {0, 0}},
  };
  for (const auto& [token, has_prefix_space, is_first, offset, trimmed] : rows) {
    CAPTURE(token);
    Offset found = offset;
    trim_offset({has_prefix_space}, token, is_first, found);
    CHECK(found.begin == trimmed.begin);
    CHECK(found.end == trimmed.end);
  }
}

}  // namespace headlight::post_processor_test
