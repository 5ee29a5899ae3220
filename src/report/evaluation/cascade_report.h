// What a cascade of two models keeps, as JSON and text.
#pragma once

#include <string>

#include "base/json_writer.h"
#include "metrics/cascade.h"

namespace headlight {

/// "cascade": [{"threshold", …}, …], all points; and "cascade_large": the large model alone.
void write_cascade(JsonWriter& json, const Cascade& cascade);

/// A table of some points, and one of what can be promised.
std::string cascade_text(const Cascade& cascade);

}  // namespace headlight
