// Reads the tensors of a model by a table of their names, those of a published checkpoint or the
// native ones.
#pragma once

#include <string>
#include <string_view>

#include "model/families/family.h"
#include "model/families/tensor_names.h"

namespace headlight {

/// The name in this file of a tensor with this native name, without .weight or .bias of layers and
/// norms.
std::string name_in_file(std::string_view native, const PublishedNames& names,
                         const FamilyConfig& config, const TensorSource& source);

/// Reads the tensors of the encoder and of the head, if there is one. config.layer_names are set to
/// those in the file; if they are not empty before, they take the place of names.layers. Throws
/// Error that names the tensor.
Weights read_published_weights(const PublishedNames& names, FamilyConfig& config,
                               TensorSource& source);
/// The same as a Family has it.
template <const PublishedNames& names>
Weights read_published_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(names, config, source);
}

/// The same for the names of native files.
Weights read_native_weights(FamilyConfig& config, TensorSource& source);

}  // namespace headlight
