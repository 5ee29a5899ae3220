// Reads tokenizer.json, the file of the `tokenizers` library, as a pipeline. The blocks
// `truncation`, `padding` and `decoder` are ignored: the caller sets the truncation, and texts are
// never padded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "text/models/word_model.h"
#include "text/pipeline/added_tokens.h"
#include "text/tokenizer.h"

namespace headlight {

/// The parts of a tokenizer, after conflicts between files are resolved.
struct TokenizerPlan {
  std::string file;  // the source of `json`, for errors
  Json json;         // in the form of a tokenizer.json: normalizer, pre_tokenizer, post_processor
  std::unique_ptr<const WordModel> model;
  std::vector<AddedToken> added_tokens;  // with their ids
  std::optional<std::string> unk_token;  // as the folder names it
  bool split_special_tokens = false;     // special tokens in a text are always text
  bool cuts_left = false;                // truncation cuts the beginning
  bool segments = true;                  // false: every token has segment 0
  bool inserts = true;                   // false: no special tokens around a text
  bool leaves_out_unknown = false;       // the unknown token is no token of a text
  std::size_t characters_a_token = 0;    // see Tokenizer::Pipeline
};

/// Reads a whole tokenizer.json. Throws Error.
TokenizerPlan plan_of_file(const std::string& path);

/// Makes the tokenizer of a tokenizer.json or of a published folder. Throws Error.
Tokenizer make_tokenizer(TokenizerPlan plan);

/// Throws Error that names the component that is not supported or invalid.
Tokenizer read_tokenizer_json(const std::string& path);

}  // namespace headlight
