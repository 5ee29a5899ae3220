// What words do, by an exact explanation.
#pragma once

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "base/json.h"

namespace headlight {

/// The effects of the words and the field `rest` add up to the logit of each label.
inline void check_adds_up(const OrderedJson& explained, const std::string& rest) {
  CHECK(explained["method"] == "exact");
  for (const auto& [label, logit] : explained["logits"].items()) {
    double sum = explained[rest][label].get<double>();
    for (const auto& word : explained["words"]) sum += word["effect"][label].get<double>();
    CHECK(std::abs(sum - logit.get<double>()) < 1e-5);
  }
}

}  // namespace headlight
