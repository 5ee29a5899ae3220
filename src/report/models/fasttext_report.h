// What a model file of fastText is: its arguments, words and sizes.
#pragma once

#include "base/json_writer.h"
#include "fasttext/fasttext_model.h"
#include "report/formats/plain_text.h"

namespace headlight {

/// Fields of an object: "arguments" named as its options, "words", "rows", "kept_ngrams" of a
/// pruned model, "quantised", "qnorm", "qout", "training_tokens", "bytes".
void write_fasttext(JsonWriter& json, const FasttextModel& model);
/// The same as lines.
Facts fasttext_facts(const FasttextModel& model);

}  // namespace headlight
