// The steps of one query of one head as text and JSON (Vaswani et al. 2017, equation 1).
#pragma once

#include <string>

#include "base/json_writer.h"
#include "inside/attention_steps.h"
#include "inside/inside.h"

namespace headlight {

/// Vectors of keys and values only if a head has at most four numbers.
std::string steps_text(const TracedText& text, const HeadSteps& steps);
/// All numbers; the score of a key that is not seen is null.
void write_steps(JsonWriter& json, const TracedText& text, const HeadSteps& steps);

}  // namespace headlight
