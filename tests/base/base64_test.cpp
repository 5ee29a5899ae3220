// Base64, and what is none.
#include "base/base64.h"

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace headlight::base64_test {

TEST_CASE("the test vectors of RFC 4648, there and back") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", ""},
      {"Zg==", "f"},
      {"Zm8=", "fo"},
      {"Zm9v", "foo"},
      {"Zm9vYg==", "foob"},
      {"Zm9vYmFy", "foobar"},
      {"+/8A", std::string("\xfb\xff\0", 3)},
  };
  for (const auto& [text, bytes] : rows) {
    CAPTURE(text);
    CHECK(decode_base64(text) == bytes);
    CHECK(encode_base64(bytes) == text);
  }
}

TEST_CASE("what is not base64") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zm9v=", "Zg===", "====", "Z===", "Zh==", "Zm9",
                           "Zm 9", "Zm-v", "Zg==Zg==", "=Zg=", "\xc3\xa9g="}) {
    CAPTURE(text);
    CHECK_FALSE(decode_base64(text).has_value());
  }
}

}  // namespace headlight::base64_test
