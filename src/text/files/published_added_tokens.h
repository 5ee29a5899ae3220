// The added and special tokens of a published folder, collected from five possible files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/json.h"
#include "text/files/tokenizer_classes.h"
#include "text/pipeline/added_tokens.h"

namespace headlight {

/// A small JSON file next to the vocabulary; an empty object if it is missing.
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

/// The token with the role `name`: from special_tokens_map.json (ignored if there is an
/// added_tokens_decoder), else from tokenizer_config.json, else from the class.
std::optional<AddedToken> named_token(const SideFiles& files, const TokenizerClass& kind,
                                      SpecialName name);

/// All added tokens, without ids. `tokens` are those of tokenizer.json. added_tokens_decoder takes
/// precedence over them, and they over added_tokens.json. Missing named tokens are added.
/// Contradictions to tokenizer.json are appended to `contradictions`.
std::vector<AddedToken> gather_added_tokens(const SideFiles& files, const TokenizerClass& kind,
                                            std::vector<AddedToken> tokens,
                                            std::vector<std::string>& contradictions);

}  // namespace headlight
