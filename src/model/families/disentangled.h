// What DeBERTa and DeBERTa-v2 have in common: their fields and all tensors but those of attention.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/families/family.h"
#include "model/families/published_config.h"

namespace headlight {

/// The common fields. Throws Error.
FamilyConfig read_disentangled_config(Fields& fields, const PublishedFields& names);

/// The entries of pos_att_type, a list or a string with bars.
std::vector<std::string> read_position_terms(Fields& fields);

/// A whole number of at least 1; empty if the field is absent, null or less.
std::optional<std::size_t> read_positive(Fields& fields, const char* name);

/// A flag that is false if it is absent or null.
bool read_switch(Fields& fields, const char* name);

/// Relative attention with `terms`, of which others than c2p and p2c have no effect; empty if none
/// is left. Its span is max_relative_positions.
std::optional<RelativeAttention> read_relative_attention(Fields& fields,
                                                         const std::vector<std::string>& terms,
                                                         const Description& model);

/// Reads tensors by their names in a model with a head. Files of only the encoder omit a prefix.
class DisentangledReader {
 public:
  DisentangledReader(const Description& model, TensorSource& source);

  std::string in_file(const std::string& name) const;
  bool has(const std::string& name) const;
  Linear linear(const std::string& name, std::size_t out, std::size_t in) const;
  LayerNorm norm(const std::string& name, std::size_t size) const;
  Table table(const std::string& name, std::size_t rows, std::size_t cols) const;
  TensorSource& source() const { return source_; }
  const Description& model() const { return model_; }

 private:
  const Description& model_;
  TensorSource& source_;
  bool bare_;
};

/// The query, key and value of a layer and what else its attention has, without output and norm.
using ReadAttention = AttentionWeights (*)(const DisentangledReader& reader,
                                           const std::string& name);

/// All weights; those of attention by `read_attention`. Throws Error.
Weights read_disentangled_weights(ReadAttention read_attention, FamilyConfig& config,
                                  TensorSource& source);

}  // namespace headlight
