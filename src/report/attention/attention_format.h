// The output formats of attention. A new format needs a file in this folder and a line in the table
// of attention_format.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/output.h"
#include "inside/attention_view.h"
#include "report/attention/attention_look.h"
#include "report/attention/attention_series.h"

namespace headlight {

/// The features that a format supports, as a sum of these.
enum AttentionFeature : unsigned {
  kTakesQuery = 1,
  kTakesNorms = 2,
  kTakesRollout = 4,
  kTakesStatistics = 8,
  kTakesDigits = 16,
  kTakesNumbers = 32,
  kTakesWorth = 64,
};

struct AttentionFormat {
  const char* name;
  void (*write)(const AttentionView& view, const AttentionLook& look, Output& output);
  unsigned features;
  /// Writes several texts; nullptr: the format has room for one text.
  std::unique_ptr<AttentionSeries> (*series)(Output& output) = nullptr;
  /// The approximate size of a choice's weights in bytes; nullptr for compact formats.
  std::size_t (*size)(const AttentionChoice& choice, std::optional<unsigned> digits) = nullptr;
  std::size_t most_texts = SIZE_MAX;  // of a series
};

/// The first is the default.
std::span<const AttentionFormat> attention_formats();

}  // namespace headlight
