// The added and special tokens of a published folder, gathered from the five files that may name
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/json.h"
#include "text/files/tokenizer_classes.h"
#include "text/pipeline/added_tokens.h"

namespace headlight {

/// A small JSON file beside the vocabulary; an empty object where it is missing.
struct SideFile {
  SideFile(const std::string& folder, const std::string& name);
  Fields fields() const { return Fields(json, path); }

  std::string path;
  Json json;
};

struct SideFiles {
  explicit SideFiles(const std::string& folder)
      : config(folder, "tokenizer_config.json"),
        special_tokens_map(folder, "special_tokens_map.json"),
        added_tokens(folder, "added_tokens.json") {}

  SideFile config;
  SideFile special_tokens_map;
  SideFile added_tokens;
};

/// The token that is called `name`: as special_tokens_map.json has it (not read where there is an
/// added_tokens_decoder), else tokenizer_config.json, else the class.
std::optional<AddedToken> named_token(const SideFiles& files, const TokenizerClass& kind,
                                      SpecialName name);

/// All added tokens, without ids. `tokens` are those of tokenizer.json. added_tokens_decoder wins
/// over them, they win over added_tokens.json, and named tokens are put in where nobody had them.
/// What contradicts tokenizer.json is told in `contradictions`.
std::vector<AddedToken> gather_added_tokens(const SideFiles& files, const TokenizerClass& kind,
                                            std::vector<AddedToken> tokens,
                                            std::vector<std::string>& contradictions);

}  // namespace headlight
