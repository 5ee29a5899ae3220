// Writes the tensors of a model by a table of their names: the inverse of published_weights.h.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "model/description.h"
#include "model/families/tensor_names.h"
#include "model/safetensors.h"
#include "model/weights.h"

namespace headlight {

struct WrittenTensors {
  std::vector<SafetensorsEntry> entries;  // their bytes belong to the weights, or to `copies`
  std::deque<std::vector<float>> copies;
};

/// The inverse of read_native_weights(): lookup tables and linear layers in their stored formats,
/// all others as F32. `weights` must outlive the result. Throws Error{where, …} for a norm with an
/// epsilon or form of its own, which no native model has.
WrittenTensors native_tensors(const Description& model, const Weights& weights,
                              const std::string& where);

/// The inverse of read_published_weights(), in the same formats.
WrittenTensors published_tensors(const TensorLayout& layout, const Description& model,
                                 const Weights& weights);

}  // namespace headlight
