// The numbers that an evaluation gives, as a list: JSON, text, tables and pages write all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "metrics/confidence.h"

namespace headlight {

/// A share is from 0 to 1 and shown in percent.
enum class Unit : std::uint8_t { number, share, count };

struct Measure {
  const char* field;  // its name in JSON
  const char* name;   // in text and on pages
  double value = 0.0;
  std::optional<Interval> interval = {};
  Unit unit = Unit::number;
};

/// The measure with this name in JSON; nullptr if there is none.
inline const Measure* find_measure(const std::vector<Measure>& measures, std::string_view field) {
  const auto found = std::find_if(measures.begin(), measures.end(),
                                  [&](const Measure& measure) { return measure.field == field; });
  return found == measures.end() ? nullptr : &*found;
}

}  // namespace headlight
