// What is put around texts, and their segments.
#include "text/post_processor.h"

#include <doctest/doctest.h>

namespace headlight {
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

}  // namespace headlight
