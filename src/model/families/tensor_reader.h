// Reads the tensors of published checkpoints whose layers are not those of BERT: without biases,
// with several projections in one tensor, or with weights stored as [in, out].
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/description.h"
#include "model/families/family.h"
#include "model/tensor_source.h"
#include "model/weights.h"

namespace headlight {

/// Requests tensors by their names in a model with a head. Each method throws Error that names the
/// tensor.
class TensorReader {
 public:
  /// `embedding` is the name of the token table in a model with a head, "model.embed.weight". A
  /// file of only the encoder has the names without `prefix`; it is recognized by this table.
  TensorReader(std::string_view prefix, std::string_view embedding, const Description& model,
               TensorSource& source);

  /// The name in this file.
  std::string in_file(const std::string& name) const;
  bool has(const std::string& name) const { return source_.has(in_file(name)); }

  Table table(const std::string& name, std::size_t rows, std::size_t cols);
  /// NAME.weight [out, in] and NAME.bias [out].
  Linear linear(const std::string& name, std::size_t out, std::size_t in, bool bias);
  /// The same with NAME.weight stored as [in, out].
  Linear transposed_linear(const std::string& name, std::size_t out, std::size_t in);
  /// NAME.weight and, if the norms of the model have biases, NAME.bias.
  LayerNorm norm(const std::string& name, std::size_t size);
  /// A norm without bias that multiplies by 1 + NAME.weight.
  LayerNorm norm_above_one(const std::string& name, std::size_t size);
  /// The classifier of a model with a head, see settle_head().
  Linear classifier(const FamilyConfig& config);
  /// Accepts a tensor [size] that the reference does not use.
  void skip(const std::string& name, std::size_t size);

 private:
  std::string_view prefix_;
  const Description& model_;
  TensorSource& source_;
  bool bare_ = false;
};

/// The outputs [first, first + count) of a linear layer that holds several projections.
Linear part_of(const Linear& linear, std::size_t first, std::size_t count);

/// Replaces the layer names of `config`, which have the prefix, by those in the file.
void name_layers(const TensorReader& reader, FamilyConfig& config);

}  // namespace headlight
