// A family of models is one file beside this one, with a line in families.h: it translates the
// names of its config fields and tensors into the Description and Weights that the one encoder
// reads, and does nothing else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "model/description.h"
#include "model/tensor_source.h"
#include "model/weights.h"
#include "text/files/native_tokenizer.h"

namespace headlight {

/// What a family's config.json says.
struct FamilyConfig {
  std::string where;           // the config's path
  Description description;     // labels are empty where the config names none
  bool has_tokenizer = false;  // the field `tokenizer` of a native config stands there
  TokenizerSettings tokenizer;
  std::vector<std::string> vocabulary;    // words that stand in the config itself
  std::string tokenizer_class;            // that a published config names, or empty
  std::string architecture;               // the class it names, "BertForSequenceClassification"
  std::optional<bool> has_head;           // a classification head; nothing: by the tensors
  std::string labels_field = "id2label";  // the field that counted the labels
  std::string classifier_tensor;          // its rows count the classes
  std::vector<std::string> layer_names;   // of a published model's layer weights, with its prefix
  std::vector<std::string> contradictions;
};

/// A model_type that configs name, and the reference's class for its tokenizer.
struct ModelType {
  std::string_view name;
  std::string_view tokenizer_class;  // empty: tokenizers are read by the native rules
};

struct Family {
  std::span<const ModelType> types;
  /// Throws Error naming the field.
  FamilyConfig (*read_config)(const Json& config, const std::string& where);
  /// Settles what only the tensors say, the number of labels and whether there is a head, and takes
  /// every tensor that the description needs. Throws Error naming the tensor.
  Weights (*read_weights)(FamilyConfig& config, TensorSource& source);
  /// Whether a file may hold tensors that nobody asks for.
  bool has_extras;
};

struct FoundFamily {
  const Family& family;
  const ModelType& type;
};

/// The family whose model_type `config` names. Throws Error.
FoundFamily find_family(const Json& config, const std::string& where);

/// Labels by number where the config names none, and a check against the classifier's rows. Throws
/// Error.
void settle_labels(FamilyConfig& config, const TensorSource& source);

}  // namespace headlight
