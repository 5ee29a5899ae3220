// A text with its tokens, its prediction and the trace of the forward pass.
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
  std::vector<std::vector<float>>
      value_norms;  // as value_norms() returns them; empty: not requested
};

}  // namespace headlight
