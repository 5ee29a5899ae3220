// Words as they are typed into a terminal, on one line with the verdict on them so far.
#pragma once

#include "classifier/word_stream.h"
#include "options.h"
#include "report/predictions/prediction_report.h"

namespace headlight {

/// Until Ctrl-D or a signal; gives the exit status. Standard input and output must be a terminal.
int show_typed_words(const LabelSet& labels, const PredictionView& view, const Console& console,
                     WordStream& stream);

}  // namespace headlight
