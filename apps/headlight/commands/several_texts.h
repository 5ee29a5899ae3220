// Commands that show texts one after another.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "options/options.h"
#include "rows/row.h"

namespace headlight {

/// Calls `show` for each text, and `show_error` for each that cannot be read or scored (`show`
/// throws TextError). The error of an only text is thrown on. Stops after a signal. Returns the
/// exit status.
struct SeveralTexts {
  std::function<void(const TextInput& input)> show;
  std::function<void(const TextInput& input, const std::string& error)> show_error;

  int run(const std::vector<Row>& texts, const Console& console) const;
};

}  // namespace headlight
