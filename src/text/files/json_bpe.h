// BPE models from a tokenizer.json, or from vocab.json and merges.txt.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/fields.h"
#include "text/models/bpe.h"
#include "text/models/vocabulary.h"
#include "text/models/word_model.h"

namespace headlight {

/// `vocabulary` is used instead of the field `vocab`, if it was read before. Throws Error that
/// names the field.
std::unique_ptr<const WordModel> read_bpe(Fields& model, std::optional<Vocabulary> vocabulary);

/// A BPE from the files that predate tokenizer.json: vocab.json, an object from tokens to ids, and
/// merges.txt, two tokens per line. Throws Error.
std::unique_ptr<const WordModel> read_bpe_files(const std::string& vocab_json,
                                                const std::string& merges_txt,
                                                BPE::Options options);

}  // namespace headlight
