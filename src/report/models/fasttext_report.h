// What a model file of fastText is: its arguments, words, labels and sizes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "fasttext/fasttext_model.h"

namespace headlight {

/// Fields of an object: "arguments" named as its options, "words", "rows", "kept_ngrams" of a
/// pruned model, "quantised", "qnorm", "qout", "training_tokens", "bytes".
void write_fasttext(JsonWriter& json, const FasttextModel& model);
/// The same as lines: name and what.
std::vector<std::pair<std::string, std::string>> fasttext_facts(const FasttextModel& model);

}  // namespace headlight
