// A family of models is one file in this directory, with a line in families.h. It only translates
// its config fields and tensor names into the Description and Weights that the one encoder reads.
#pragma once

#include <memory>
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

struct TensorLayout;  // tensor_names.h

/// The head of a family's class …ForTokenClassification, which reads each token.
struct TokenHead {
  const char* classifier = "classifier";  // its name
  bool bias = true;                       // of the classifier
  bool dense = false;                     // a dense layer before it, as in the head for texts
};

/// The contents of a family's config.json.
struct FamilyConfig {
  std::string where;           // the path of the config
  Description description;     // labels are empty if the config names none
  bool has_tokenizer = false;  // a native config has the field `tokenizer`
  TokenizerSettings tokenizer;
  std::vector<std::string> vocabulary;  // the words in the config itself
  std::string tokenizer_class;          // from a published config, or empty
  std::string architecture;             // from the config, such as "BertForSequenceClassification"
  std::optional<bool> has_head;         // a classification head; empty: decided by the tensors
  TokenHead token_head;
  std::string labels_field = "id2label";  // the field that defines the number of labels
  std::string classifier_tensor;          // has one row per class
  std::size_t task_types = 0;  // rows of a table whose first row is added to every token (ERNIE)
  std::string prefix;          // of the encoder's tensors; empty: that of the family
  std::vector<std::string> layer_names;  // of published layer weights, with the prefix
  std::vector<std::string> contradictions;
  std::shared_ptr<const TensorLayout> layout;  // of the tensors that were read
};

/// A model_type in configs, and the reference's classes for its tokenizer and for texts with
/// labels.
struct ModelType {
  std::string_view name;
  std::string_view tokenizer_class;  // empty: tokenizers follow the native rules
  std::string_view text_class = {};  // that others read what we write; empty: they do not
};

struct Family {
  std::span<const ModelType> types;
  /// Throws Error that names the field. Called by read_family_config().
  FamilyConfig (*read_config)(const Json& config, const std::string& where);
  /// Reads all tensors that the description needs. Sets what only the tensors determine: the number
  /// of labels and whether there is a head. Throws Error that names the tensor.
  Weights (*read_weights)(FamilyConfig& config, TensorSource& source);
  /// Whether a file may contain unused tensors.
  bool has_extras;
  /// The type of a config without a model_type that is of this family, else nullptr.
  const ModelType* (*recognize)(const Json& config) = nullptr;
};

struct FoundFamily {
  const Family& family;
  const ModelType& type;
};

/// The family of the model_type in `config`. Throws Error.
FoundFamily find_family(const Json& config, const std::string& where);

/// What family.read_config() returns, with the head for tokens if the config names a class
/// …ForTokenClassification: Pooling::each_token, and what `token_head` says. Throws Error, also
/// where angles of rotary positions are infinite.
FamilyConfig read_family_config(const Family& family, const Json& config, const std::string& where);

/// The name of the classifier: `of_texts`, or that of `token_head`.
std::string classifier_name(const FamilyConfig& config, const char* of_texts);

/// Settles whether the model has a classification head, and its labels. `classifier` is the tensor
/// with one row per label; `has_dense` is false if the file lacks another tensor of the head.
/// Removes labels and dense layer of a model without a head. Returns whether it has one. Throws
/// Error.
bool settle_head(const std::string& classifier, FamilyConfig& config, const TensorSource& source,
                 bool has_dense = true);

}  // namespace headlight
