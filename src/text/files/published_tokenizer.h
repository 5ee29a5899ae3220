// The tokenizer of a published checkpoint: which of its folder's files says what. The rules are
// those of the reference (transformers, AutoTokenizer): tokenizer.json gives the pipeline, a few
// fields of tokenizer_config.json replace its own, and where it is missing it is built from the
// vocabulary.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace headlight {

struct PublishedTokenizer {
  Tokenizer tokenizer;
  std::string file;                         // tokenizer.json, vocab.txt or vocab.json
  std::optional<std::size_t> max_length;    // model_max_length; nothing: no limit
  std::vector<std::string> contradictions;  // which file was not believed, a sentence each
};

/// The tokenizer of the folder `path`, or nothing where none stands there. `tokenizer_class` is the
/// one to take where tokenizer_config.json names none. Throws Error naming file and field.
std::optional<PublishedTokenizer> read_published_tokenizer(const std::string& path,
                                                           const std::string& tokenizer_class);

}  // namespace headlight
