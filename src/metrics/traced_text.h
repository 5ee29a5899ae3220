// A text, its tokens, its verdict, and what was seen on the way there.
#pragma once

#include <string>

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
};

}  // namespace headlight
