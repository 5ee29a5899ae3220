// A model that reads texts by itself, without a tokenizer, tensors or layers of ours: it knows
// features of texts, such as words and n-grams, and scores them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/encoding.h"

namespace headlight {

/// What a thread keeps for a FeatureModel from text to text.
struct FeatureScratch {
  FeatureScratch() = default;
  virtual ~FeatureScratch() = default;
  FeatureScratch(const FeatureScratch&) = delete;
  FeatureScratch& operator=(const FeatureScratch&) = delete;
};

/// Const and shared by threads.
class FeatureModel {
 public:
  /// Names, and values as JSON.
  using Facts = std::vector<std::pair<std::string, std::string>>;

  FeatureModel() = default;
  virtual ~FeatureModel() = default;
  FeatureModel(const FeatureModel&) = delete;
  FeatureModel& operator=(const FeatureModel&) = delete;

  /// In messages: "is a model of fastText".
  virtual const char* kind() const = 0;
  /// Whether texts have a vector.
  virtual bool gives_vectors() const = 0;
  /// The features of a text, each with its place; what the model lacks has no id.
  virtual Encoding features_of(std::string_view text) const = 0;
  /// Its settings, named as where it was trained.
  virtual Facts arguments() const = 0;
  virtual Facts sizes() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// Adds a feature to what features_of() gives.
inline void add_feature(std::optional<std::uint32_t> row, std::string name, Offset offset,
                        Sequence sequence, Encoding& encoding) {
  encoding.ids.push_back(row.value_or(kNoToken));
  encoding.type_ids.push_back(0);
  encoding.tokens.push_back(std::move(name));
  encoding.offsets.push_back(offset);
  encoding.sequences.push_back(sequence);
}

}  // namespace headlight
