// A loaded model: its description, its weights and its tokenizer.
//
// Example:
//   const Model model = load_model(locate_model("data/models/sentiment", ""));
//   const std::vector<std::string> labels = model.description.labels;  // "negative", "positive"
//   const std::vector<LayerWeights> layers = model.weights.layers;     // views of the mapped file
//   TokenIds tokens;
//   model.tokenizer->encode_ids("not bad at all", std::nullopt, {}, tokens);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "math/panel_memory.h"
#include "model/calibration.h"
#include "model/description.h"
#include "model/file_tensors.h"
#include "model/locate.h"
#include "model/weights.h"
#include "text/feature_model.h"
#include "text/tokenizer.h"

namespace headlight {

struct TensorLayout;  // families/tensor_names.h

/// Returned by load_model() and prepared by an Engine. After that, const and shared by threads.
struct Model {
  ModelPlace place;
  std::string family;             // model_type
  std::string architecture;       // the class that its config names; empty if it names none
  std::string classifier_tensor;  // the weights of the last layer, such as "classifier.weight"
  Description description;
  std::size_t encoder_limit = 0;  // max_positions before the tokenizer's limit
  Calibration calibration;
  Weights weights;
  std::unique_ptr<FileTensors> tensors;        // owns the memory of `weights`
  std::shared_ptr<const TensorLayout> layout;  // of `tensors`
  std::optional<std::uint64_t> head_seed;      // of random weights; empty: the head is of the file
  /// It has no weights, tensors or tokenizer, but reads texts itself; nullptr: another model.
  std::shared_ptr<const FeatureModel> features;
  PanelMemory prepared;                     // owns the prepared weights (engine.h)
  std::optional<Tokenizer> tokenizer;       // empty: the model reads only token ids
  std::vector<std::string> files;           // the paths of all files that were read
  std::string tokenizer_file;               // the file of the vocabulary
  std::vector<std::string> contradictions;  // inconsistencies between the files
  std::vector<std::string> warnings;        // problems that can affect results
  std::vector<std::string> remarks;         // details that are not problems

  /// Its features, if they are those of a FasttextModel, …; else nullptr.
  template <typename Kind>
  const Kind* features_as() const {
    return dynamic_cast<const Kind*>(features.get());
  }
};

/// Throws Error{file, …} that names the field or tensor, what was found and what was expected.
Model load_model(const ModelPlace& place);

/// The same model as a classifier of its family, whose head has random weights where the file has
/// none; its labels are to be replaced. nullopt for a model that has a head or modules of
/// sentence-transformers, and for a family that has no such class in the reference.
std::optional<Model> with_new_head(const Model& bare, std::uint64_t seed);

/// A model of the config alone: place, family and description; no weights, no tokenizer.
Model describe_model(const ModelPlace& place);

/// The same model, which must outlive it, with a description and a tokenizer of its own.
Model with_own_reading(const Model& model);

/// Reads the labels from a config without its weights; empty if the config names none, and of a
/// file of fastText.
std::vector<std::string> read_labels_only(const ModelPlace& place);

}  // namespace headlight
