#include "rows/word_reader.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "rows/pipe.h"

namespace headlight::word_reader_test {
namespace {

using Status = WordReader::Status;
using Words = std::vector<std::string>;

Words words_of(int descriptor) {
  ByteSource source(descriptor, "f");
  WordReader reader(source);
  Words words;
  std::string word;
  while (true) {
    switch (reader.next(word)) {
      case Status::word:
        words.push_back(word);
        break;
      case Status::too_long:
        words.emplace_back("(too long)");
        break;
      case Status::new_text:
        words.emplace_back("|");
        break;
      case Status::end:
        return words;
    }
  }
}

TEST_CASE("words are what white space separates, and a newline begins another text") {
  struct Row {
    std::string input;
    Words words;
  };
  const std::string mark = "\xEF\xBB\xBF";
  const Row rows[] = {
      {"", {}},
      {" ", {}},
      {"\n", {"|"}},
      {"a", {"a"}},
      {"a\n", {"a", "|"}},
      {"  a \t b\n\nc", {"a", "b", "|", "|", "c"}},
      {"a\r\nb\r\n", {"a", "|", "b", "|"}},
      {"caf\xC3\xA9 \xF0\x9F\x98\x80", {"caf\xC3\xA9", "\xF0\x9F\x98\x80"}},
      {"a\xC2\xA0"
       "b\xE3\x80\x80"
       "c",
       {"a", "b", "c"}},  // no-break space, ideographic space
      {mark + "a", {"a"}},
      {"a " + mark + "b", {"a", mark + "b"}},
      {"a\xFFz \xE3\x80", {"a\xFFz", "\xE3\x80"}},  // not UTF-8
      {std::string("a\0b c", 5), {std::string("a\0b", 3), "c"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.input);
    CHECK(words_of(Pipe(row.input).reader()) == row.words);
  }
}

TEST_CASE(
    "a word is there as soon as white space follows it, also where a character comes in halves") {
  Pipe pipe;
  ByteSource source(pipe.reader(), "f");
  WordReader reader(source);
  std::string word;
  CHECK_FALSE(reader.ready());
  pipe.write("one tw");
  CHECK(reader.ready());
  CHECK(reader.next(word) == Status::word);
  CHECK(word == "one");
  CHECK_FALSE(reader.ready());
  pipe.write("o\xE3\x80");  // the beginning of an ideographic space
  CHECK_FALSE(reader.ready());
  pipe.write("\x80");
  CHECK(reader.ready());
  CHECK(reader.ready());
  CHECK(reader.next(word) == Status::word);
  CHECK(word == "two");
  pipe.write("\n");
  CHECK(reader.ready());
  CHECK(reader.ready());
  CHECK(reader.next(word) == Status::new_text);
  pipe.write("end");
  CHECK_FALSE(reader.ready());
  pipe.close();
  CHECK(reader.ready());
  CHECK(reader.next(word) == Status::word);
  CHECK(word == "end");
  CHECK(reader.next(word) == Status::end);
}

}  // namespace
}  // namespace headlight::word_reader_test
