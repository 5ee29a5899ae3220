#include "classifier/text_reader.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/temporary_folder.h"
#include "classifier/small_models.h"

namespace headlight::text_reader_test {
namespace {

TEST_CASE("typed ids are cut with their type ids and offsets") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder);
  ReadingOptions two;
  two.max_length = 2;
  const TextInput typed = typed_ids("2 1 0", "0,0,1");
  const Encoding cut = TextReader(model, two).encode_whole(typed);
  CHECK(cut.ids == std::vector<TokenId>{2, 1});
  CHECK(cut.type_ids == std::vector<TokenId>{0, 0});
  CHECK(cut.offsets == std::vector<Offset>{{0, 1}, {2, 3}});
  CHECK(cut.tokens == std::vector<std::string>{"dull", "bad"});
  CHECK(cut.sequences == std::vector<Sequence>(2, Sequence::first));
  CHECK(cut.truncated == 1);
  const Encoding whole = TextReader(model, {}).encode_whole(typed);
  CHECK(whole.ids == typed.ids->ids);
  CHECK(whole.type_ids == typed.ids->type_ids);
  CHECK(whole.truncated == 0);
}

TEST_CASE("an id is shown as the vocabulary's token if it has one, else as its number") {
  const TemporaryFolder folder;
  Model model = lexicon_model(folder);
  const TextInput typed = typed_ids("1 0 9");
  ReadingOptions ids;
  ids.ids = true;
  CHECK(TextReader(model, ids).encode_whole(typed).tokens ==
        std::vector<std::string>{"bad", "good", "9"});
  model.tokenizer.reset();
  CHECK(TextReader(model, ids).encode_whole(typed).tokens ==
        std::vector<std::string>{"1", "0", "9"});
}

TEST_CASE("one pass and batches read the same tokens of a text, filled and cut") {
  const TemporaryFolder folder;
  const Model model = lexicon_model(folder, R"(, "pad_to_length": 4)");
  const TextReader reader(model, {});
  for (const std::string text : {"good", "good bad", "good bad dull good bad"}) {
    CAPTURE(text);
    const ReadText read = reader.read({text, {}, {}});
    const Encoding encoding = reader.encode({text, {}, {}});
    REQUIRE(read.windows.size() == 1);
    CHECK(read.windows.front().ids == encoding.ids);
    CHECK(read.size.tokens == 4);
    CHECK(read.size.truncated == encoding.truncated);
    CHECK(encoding.tokens.size() == 4);
  }
}

}  // namespace
}  // namespace headlight::text_reader_test
