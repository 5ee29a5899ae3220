// The weights of any model under native names: the inverse of read_native_weights().
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "model/description.h"
#include "model/safetensors.h"
#include "model/weights.h"

namespace headlight {

struct NativeTensors {
  std::vector<SafetensorsEntry> entries;  // their bytes belong to the weights, or to `copies`
  std::deque<std::vector<float>> copies;
};

/// Lookup tables and linear layers in their stored formats, all others as F32. `weights` must
/// outlive the result. Throws Error{where, …} for a norm with an epsilon or form of its own, which
/// no native model has.
NativeTensors native_tensors(const Description& model, const Weights& weights,
                             const std::string& where);

}  // namespace headlight
