// The words of a command line.
#pragma once

#include <string>
#include <vector>

namespace headlight {

using Arguments = std::vector<std::string>;

inline Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace headlight
