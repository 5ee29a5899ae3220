// A model file of fastText as a description: its labels, and no layers.
#pragma once

#include "fasttext/fasttext_model.h"
#include "model/description.h"

namespace headlight {

/// The labels are without "__label__", or without what all of them begin with up to a "_". The
/// losses that judge each label by itself are of several labels.
Description describe_fasttext(const FasttextModel& model);

}  // namespace headlight
