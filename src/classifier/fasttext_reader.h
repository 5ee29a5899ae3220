// From a text to the rows of a file of fastText, without a tokenizer.
#pragma once

#include "classifier/text_reader.h"
#include "fasttext/fasttext_model.h"
#include "text/encoding.h"

namespace headlight {

/// Fills scratch.words and scratch.rows. Tokens are words and the end. Throws TextError for a pair
/// and for ids.
TextSize read_fasttext(const FasttextModel& model, const ReadingOptions& options,
                       const TextInput& input, FasttextScratch& scratch);

/// The words of a text, each before its n-grams of characters, then the n-grams of words: what has
/// no row has no id. Throws TextError as read_fasttext() does.
Encoding encode_fasttext(const FasttextModel& model, const ReadingOptions& options,
                         const TextInput& input);

/// The code point of each byte of a text, and of its end.
std::vector<std::size_t> characters_of_bytes(std::string_view text);

}  // namespace headlight
