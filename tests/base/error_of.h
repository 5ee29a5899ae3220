// What a call complains about, as a string that a table of tests can hold.
#pragma once

#include <string>

#include "base/error.h"

namespace headlight {

/// The message of the Error that `call` throws, or "" where it throws none.
template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace headlight
