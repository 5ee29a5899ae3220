// A text, its tokens, its verdict, and what was seen on the way there.
#pragma once

#include <string>
#include <vector>

#include "classifier/text_classifier.h"
#include "encoder/trace.h"
#include "text/encoding.h"

namespace headlight {

struct TracedText {
  std::string model_name;
  TextInput input;
  Encoding encoding;
  Prediction prediction;
  TextTrace trace;
  std::vector<std::vector<float>> value_norms;  // as value_norms() gives them; empty: not asked for
};

}  // namespace headlight
