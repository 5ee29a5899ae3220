// What the heads of a model are worth on labelled rows, as `evaluate --ablate heads` measured it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "metrics/confidence.h"
#include "model/description.h"

namespace headlight {

struct HeadWorth {
  struct Head {
    std::size_t layer = 0;
    std::size_t head = 0;
    double change = 0.0;  // of the measure if the head is taken out
    std::optional<Interval> interval = {};
  };
  std::string measure;   // "log loss" or "squared error": the larger, the worse
  std::size_t rows = 0;  // the least number over the heads
  std::vector<Head> heads;
};

/// Reads the JSON of evaluate --ablate heads. Throws Error if the file does not have the heads of
/// this model.
HeadWorth read_head_worth(const std::string& file, const Description& model);

}  // namespace headlight
