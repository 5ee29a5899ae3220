// The tokenizer of a published checkpoint, from the files of its folder. The rules are those of the
// reference (transformers, AutoTokenizer): tokenizer.json defines the pipeline, and a few fields of
// tokenizer_config.json override it. Without tokenizer.json, the pipeline is built from the
// vocabulary.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace headlight {

/// Classes without a file of their own that say how a table of vectors reads text.
inline constexpr std::string_view kStaticModel = "StaticModel";          // model2vec
inline constexpr std::string_view kStaticEmbedding = "StaticEmbedding";  // sentence-transformers

struct PublishedTokenizer {
  Tokenizer tokenizer;
  std::string file;                         // tokenizer.json, vocab.txt or vocab.json
  std::optional<std::size_t> max_length;    // model_max_length; nullopt: no limit
  std::vector<std::string> contradictions;  // which file was ignored, one sentence each
};

/// The tokenizer of the folder `path`, or nullopt if there is none. `tokenizer_class` is used if
/// tokenizer_config.json names no class. Throws Error that names file and field.
std::optional<PublishedTokenizer> read_published_tokenizer(const std::string& path,
                                                           const std::string& tokenizer_class);

}  // namespace headlight
