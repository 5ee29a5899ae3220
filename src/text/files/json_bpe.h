// BPE models: of a tokenizer.json, and of vocab.json and merges.txt.
#pragma once

#include <memory>
#include <string>

#include "base/fields.h"
#include "text/models/bpe.h"
#include "text/models/word_model.h"

namespace headlight {

/// Throws Error naming the field.
std::unique_ptr<const WordModel> read_bpe(Fields& model);

/// A BPE from the files it was published in before there was a tokenizer.json: vocab.json, an
/// object of tokens and their ids, and merges.txt, two tokens a line. Throws Error.
std::unique_ptr<const WordModel> read_bpe_files(const std::string& vocab_json,
                                                const std::string& merges_txt,
                                                BPE::Options options);

}  // namespace headlight
