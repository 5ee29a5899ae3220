// Base64, and what is none.
#include "base/base64.h"

#include <doctest/doctest.h>

namespace headlight {

TEST_CASE("the test vectors of RFC 4648") {
  CHECK(decode_base64("") == "");
  CHECK(decode_base64("Zg==") == "f");
  CHECK(decode_base64("Zm8=") == "fo");
  CHECK(decode_base64("Zm9v") == "foo");
  CHECK(decode_base64("Zm9vYg==") == "foob");
  CHECK(decode_base64("Zm9vYmFy") == "foobar");
  CHECK(decode_base64("+/8A") == std::string("\xfb\xff\0", 3));
}

TEST_CASE("what is not base64") {
  for (const char* text : {"Z", "Zg", "Zg=", "Zm9v=", "Zg===", "====", "Z===", "Zh==", "Zm9",
                           "Zm 9", "Zm-v", "Zg==Zg==", "=Zg=", "\xc3\xa9g="}) {
    CAPTURE(text);
    CHECK_FALSE(decode_base64(text).has_value());
  }
}

}  // namespace headlight
