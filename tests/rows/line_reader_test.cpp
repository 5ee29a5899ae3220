#include "rows/line_reader.h"

#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "rows/pipe.h"

namespace headlight::line_reader_test {
namespace {

using Status = LineReader::Status;
using Lines = std::vector<std::string>;

Lines lines_of(int descriptor) {
  ByteSource source(descriptor, "f");
  LineReader reader(source);
  Lines lines;
  std::string line;
  while (true) {
    const Status status = reader.next(line);
    if (status == Status::end) return lines;
    lines.push_back(status == Status::line ? line : "(too long)");
  }
}

TEST_CASE("lines end at LF, and neither a CR before it nor a mark at its beginning is text") {
  struct Row {
    std::string input;
    Lines lines;
  };
  const std::string mark = "\xEF\xBB\xBF";
  const Row rows[] = {
      {"", {}},
      {"\n", {""}},
      {"a", {"a"}},
      {"a\n", {"a"}},
      {"a\nb", {"a", "b"}},
      {"a\n\nb\n\n", {"a", "", "b", ""}},
      {"a\r\nb\r\n", {"a", "b"}},
      {"\r\n\r\n", {"", ""}},
      {"a\rb\r\r\n", {"a\rb\r"}},
      {"a\r", {"a"}},  // no LF is there
      {"a\rb", {"a", "b"}},
      {"a\r\rb\r", {"a", "", "b"}},
      {mark + "a\rb\r", {"a", "b"}},
      {mark, {}},
      {mark + "\n", {""}},
      {mark + "a\nb", {"a", "b"}},
      {mark + mark + "a", {"a"}},
      {"a\n" + mark + "b", {"a", "b"}},
      {" " + mark, {" " + mark}},
      {"\n" + mark, {""}},
      {"\xEF\xBB", {"\xEF\xBB"}},
      {std::string("a\0b\n", 4), {std::string("a\0b", 3)}},
  };
  const TemporaryFolder folder;
  for (const auto& [input, lines] : rows) {
    CAPTURE(input);
    const Pipe whole(input);
    CHECK(lines_of(whole.reader()) == lines);

    const int file = ::open(folder.write("f", input).c_str(), O_RDONLY);
    CHECK(lines_of(file) == lines);
    ::close(file);

    // Byte by byte, each read before the next is there.
    Pipe slow;
    ByteSource source(slow.reader(), "f");
    LineReader reader(source);
    Lines found;
    std::string line;
    for (const char byte : input) {
      slow.write({&byte, 1});
      while (reader.ready() && reader.next(line) == Status::line) found.push_back(line);
    }
    slow.close();
    while (reader.next(line) == Status::line) found.push_back(line);
    CHECK(found == lines);
  }
}

TEST_CASE("CR ends a record of CSV where it is not quoted and no LF ends one") {
  const std::string long_cell = '"' + std::string(std::size_t{3} << 20U, '\r') + '"';
  struct Case {
    std::string input;
    Lines records;
  };
  for (const auto& [input, records] : std::vector<Case>{
           {"a,b\r\"c\rd\",e\r", {"a,b", "\"c\rd\",e"}},
           {"a,b\r\"c\nd\",e\r", {"a,b", "\"c\nd\",e"}},
           {"\"a\rb\"\nc\rd\n", {"\"a\rb\"", "c\rd"}},
           {long_cell + "\nc\rd\n", {long_cell, "c\rd"}},
       }) {
    const TemporaryFolder folder;
    const int file = ::open(folder.write("f", input).c_str(), O_RDONLY);
    ByteSource source(file, "f");
    LineReader reader(source, CsvDialect());
    Lines found;
    std::string line;
    while (reader.next(line) == Status::line) found.push_back(line);
    CHECK((found == records));
    ::close(file);
  }
}

TEST_CASE("the line of a record is where it begins") {
  const std::string long_cell(LineReader::kLongestLine + 1, 'x');
  const std::string input = "\xEF\xBB\xBFh\r\n\"a\nb\n\"\n\n\"" + long_cell + "\n\"\nlast";
  std::thread writer;
  Pipe pipe;
  writer = std::thread([&] {
    pipe.write(input);
    pipe.close();
  });
  ByteSource source(pipe.reader(), "f");
  LineReader reader(source, CsvDialect());
  std::vector<std::size_t> lines;
  std::string line;
  while (reader.next(line) != Status::end) lines.push_back(reader.line());
  writer.join();
  CHECK(lines == std::vector<std::size_t>{1, 2, 5, 6, 8});
}

TEST_CASE("a line is ready once its LF is there, or the end") {
  Pipe pipe;
  ByteSource source(pipe.reader(), "f");
  LineReader reader(source);
  std::string line;
  CHECK_FALSE(reader.ready());
  pipe.write("half");
  CHECK_FALSE(reader.ready());
  pipe.write(" and half\nnext\nthe la");
  CHECK(reader.ready());
  CHECK(reader.ready());
  CHECK(reader.next(line) == Status::line);
  CHECK(line == "half and half");
  CHECK(reader.ready());
  CHECK(reader.next(line) == Status::line);
  CHECK_FALSE(reader.ready());
  pipe.write("st");
  CHECK_FALSE(reader.ready());
  pipe.close();
  CHECK(reader.ready());
  CHECK(reader.next(line) == Status::line);
  CHECK(line == "the last");
  CHECK(reader.ready());
  CHECK(reader.next(line) == Status::end);
  CHECK(reader.next(line) == Status::end);
}

TEST_CASE("a line over 16 MiB is passed over and said, and those around it are kept") {
  const std::string longest(LineReader::kLongestLine, 'x');
  Pipe pipe;
  std::thread writer([&] {
    pipe.write("before\n" + longest + "\n");
    pipe.write(longest + "y\nbetween\n");
    pipe.write(longest + longest + longest + "\n");
    pipe.write(longest + "z");
    pipe.close();
  });
  ByteSource source(pipe.reader(), "f");
  LineReader reader(source);
  std::vector<std::pair<Status, std::size_t>> found;
  std::string line;
  for (Status status = reader.next(line); status != Status::end; status = reader.next(line)) {
    found.emplace_back(status, status == Status::line ? line.size() : 0);
  }
  writer.join();
  const std::vector<std::pair<Status, std::size_t>> expected = {
      {Status::line, 6}, {Status::line, longest.size()}, {Status::too_long, 0},
      {Status::line, 7}, {Status::too_long, 0},          {Status::too_long, 0},
  };
  CHECK(found == expected);
}

TEST_CASE("an input that cannot be read is named") {
  const TemporaryFolder folder;
  const int descriptor = ::open(folder.path().c_str(), O_RDONLY);
  ByteSource source(descriptor, "the folder");
  LineReader reader(source);
  std::string line;
  CHECK(error_of([&] { reader.next(line); }) == "the folder: cannot read: Is a directory");
  ::close(descriptor);
}

}  // namespace
}  // namespace headlight::line_reader_test
