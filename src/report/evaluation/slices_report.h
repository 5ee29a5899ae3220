// The measures of the slices of a file, as JSON, text and a section of a page.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "metrics/slices.h"

namespace headlight {

/// "by": "…", "slices": [{"value", …the fields of write_evaluation()…}, …]
void write_slices(JsonWriter& json, const LabelSet& labels, const Slices& slices);

/// A table with one line per slice, at most kShownSlices.
std::string slices_text(const LabelSet& labels, const Slices& slices);

/// The same with a bar for each interval. Markup.
std::string slices_section(const LabelSet& labels, const Slices& slices);

inline constexpr std::size_t kShownSlices = 100;

}  // namespace headlight
