// The formats that attention is written in. A new one is a file beside this one and a line in the
// table of attention_format.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/output.h"
#include "metrics/attention_view.h"
#include "report/attention/attention_look.h"

namespace headlight {

/// What a format can do with: a sum of these.
enum AttentionFeature : unsigned {
  kTakesQuery = 1,
  kTakesNorms = 2,
  kTakesRollout = 4,
  kTakesStatistics = 8,
  kTakesDigits = 16,
  kTakesNumbers = 32,
};

struct AttentionFormat {
  const char* name;
  void (*write)(const AttentionView& view, const AttentionLook& look, Output& output);
  unsigned features;
  /// The bytes of a choice's weights, about; nullptr where the format is compact.
  std::size_t (*size)(const AttentionChoice& choice, std::optional<unsigned> digits) = nullptr;
};

/// The first is the default.
std::span<const AttentionFormat> attention_formats();

}  // namespace headlight
