// tokenizer.json, the file of the `tokenizers` library, as a pipeline. The blocks `truncation`,
// `padding` and `decoder` are not read: a text is cut where the caller says, and never padded.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "text/models/word_model.h"
#include "text/pipeline/added_tokens.h"
#include "text/tokenizer.h"

namespace headlight {

/// What a tokenizer is made of, once it is settled which file says what.
struct TokenizerPlan {
  std::string file;  // what `json` was read from, for errors
  Json json;         // in the form of a tokenizer.json: normalizer, pre_tokenizer, post_processor
  std::unique_ptr<const WordModel> model;
  std::vector<AddedToken> added_tokens;  // with their ids
  bool split_special_tokens = false;     // special tokens typed in a text are always text
  bool cuts_left = false;                // a text that is too long loses its beginning
  bool segments = true;                  // false: every token is of segment 0
};

/// All of a tokenizer.json. Throws Error.
TokenizerPlan plan_of_file(const std::string& path);

/// What both a tokenizer.json and the files of a published folder come down to. Throws Error.
Tokenizer make_tokenizer(TokenizerPlan plan);

/// Throws Error naming the component that is not supported, or what is broken.
Tokenizer read_tokenizer_json(const std::string& path);

}  // namespace headlight
