// Files that are not text, by their first bytes.
#include <string>

#include <doctest/doctest.h>

#include "base/error_of.h"
#include "rows/byte_source.h"
#include "rows/pipe.h"

namespace headlight::binary_input_test {
namespace {

using namespace std::string_literals;

std::string kind(const std::string& beginning) {
  const auto found = binary_kind(beginning);
  return found ? found->what : "";
}

TEST_CASE("binary files are named by their first bytes") {
  struct Row {
    std::string beginning;
    std::string what;
  };
  const std::string zip = "PK\x03\x04"s + std::string(26, '\0');
  const Row rows[] = {
      {"\x89PNG\r\n\x1A\n", "a PNG image"},
      {zip + "[Content_Types].xml", "an Excel or Word file (.xlsx, .docx)"},
      {zip + "mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file (.ods)"},
      {zip + "archive/data.pkl", "a PyTorch checkpoint"},
      {zip + "a.npy", "an archive of NumPy arrays (.npz)"},
      {zip + "b", "a ZIP archive"},
      {"\x40\x01\0\0\0\0\0\0{\"a\""s, "a safetensors file"},
      {"\x1F\x8B\x08", "gzip data"},
      {"\xFF\xFEg\0o\0"s, "UTF-16 text"},
      {"\xFF\xFE\0\0g\0\0\0"s, "UTF-32 text"},
      {"\0\0\xFE\xFF\0\0\0g"s, "UTF-32 text"},
      {"g\0o\0o\0d\0"s, "UTF-16 text without a byte-order mark"},
      {"\0g\0o\0o\0d\0\n"s, "UTF-16 text without a byte-order mark"},
      {"g\0\0\0o\0\0\0"s, "binary data"},
      {std::string(64, '\0'), "binary data"},
  };
  for (const auto& [beginning, what] : rows) CHECK(kind(beginning) == what);
}

TEST_CASE("texts with odd bytes are not binary") {
  for (const std::string& text :
       {""s, "good\0bad\n"s, "\xFF\n"s, "\xE9t\xE9\n"s, "PK\n"s, "\xEF\xBB\xBFtext,label\n"s,
        "\x1B[31mred\n"s, "{\"text\": \"good\"}\0 more"s, std::string(60, 'a') + "\0\0\0"s}) {
    CAPTURE(text);
    CHECK(kind(text) == "");
  }
}

TEST_CASE("a beginning that arrives in pieces is recognized before its first line is returned") {
  Pipe pipe;
  ByteSource source(pipe.reader(), "f");
  std::string bytes;
  pipe.write("\x89P");
  CHECK(source.read(bytes));
  pipe.write("NG");
  CHECK(error_of([&] { source.read(bytes); }) ==
        "f: looks like a PNG image; expected text lines, JSONL, CSV or TSV");
}

}  // namespace
}  // namespace headlight::binary_input_test
