// From a text to the rows of a file of fastText, without a tokenizer.
#pragma once

#include "classifier/text_reader.h"
#include "fasttext/fasttext_model.h"

namespace headlight {

/// Fills scratch.words and scratch.rows. Tokens are words and the end. Throws TextError as
/// require_one_text() does.
TextSize read_fasttext(const FasttextModel& model, const ReadingOptions& options,
                       const TextInput& input, FasttextScratch& scratch);

}  // namespace headlight
