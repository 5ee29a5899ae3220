// Reads the files of single modules of a sentence-transformers folder. All functions throw Error
// that names the file, the field and what was expected.
#pragma once

#include <string>

#include "model/sentence_modules.h"

namespace headlight {

/// Whether a path of modules.json stays inside the folder; empty is the folder itself.
bool is_inside_folder(const std::string& path);

/// sentence_bert_config.json: the limit of tokens and lower-casing. Other tasks than the vectors of
/// tokens are refused.
void read_transformer_module(const std::string& folder, SentenceModules& modules);

/// The modes in the order of the reference, and include_prompt.
void read_pooling_module(const std::string& folder, SentenceModules& modules);

/// The input has modules.width numbers; sets the width of the output.
DenseModule read_dense_module(const std::string& folder, SentenceModules& modules);

LayerNorm read_norm_module(const std::string& folder, SentenceModules& modules);

/// Normalize may have a config, which must not select other vectors.
void check_normalize_module(const std::string& folder);

}  // namespace headlight
