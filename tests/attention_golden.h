// What NumPy makes of attention: golden/attention.json, which scripts/make attention_golden makes.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace headlight {

inline const Json& attention_golden() {
  static const Json all =
      read_json_file(std::string(HEADLIGHT_TEST_DATA) + "/golden/attention.json");
  return all;
}

/// The numbers of nested lists, in order.
inline std::vector<double> numbers_of(const Json& lists) {
  if (!lists.is_array()) return {lists.get<double>()};
  std::vector<double> numbers;
  for (const Json& item : lists) {
    const auto some = numbers_of(item);
    numbers.insert(numbers.end(), some.begin(), some.end());
  }
  return numbers;
}

}  // namespace headlight
