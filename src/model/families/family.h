// A family of models is one file beside this one: it translates the names of its config fields and
// tensors into the Description and Weights that the one encoder reads, and does nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/description.h"
#include "model/tensor_source.h"
#include "model/weights.h"
#include "text/tokenizer.h"

namespace headlight {

struct FamilyConfig {
  Description description;  // labels are empty where the config names none
  bool has_tokenizer = false;  // the field `tokenizer` of a native config stands there
  TokenizerSettings tokenizer;
  std::vector<std::string> vocabulary;  // words that stand in the config itself
  std::optional<std::string> tokenizer_class;  // a published config's own word on its class
  std::string classifier_tensor;               // its rows count the classes
};

struct Family {
  const char* model_type;
  /// Throws Error naming the field.
  FamilyConfig (*read_config)(const Json& config, const std::string& where);
  /// Takes every tensor that the description needs. Throws Error naming the tensor.
  Weights (*read_weights)(const Description& description, TensorSource& source);
  /// The reference's class for its tokenizer files; nullptr: the native rules.
  const char* tokenizer_class = nullptr;
};

/// The family that `config` names by model_type. Throws Error.
const Family& find_family(const Json& config, const std::string& where);

}  // namespace headlight
