// Shows words as they are typed into a terminal, on one line with their current prediction.
#pragma once

#include "classifier/word_stream.h"
#include "options/options.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

/// Runs until Ctrl-D or a signal and returns the exit status. Standard input and output must be
/// terminals.
int show_typed_words(const LabelSet& labels, const PredictionView& view, const Console& console,
                     WordStream& stream);

}  // namespace headlight
