// Any model as a native one: its config.json, the inverse of native_config.h, and its tensors.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "model/description.h"
#include "model/safetensors.h"
#include "model/weights.h"

namespace headlight {

/// The fields of a config.json with this description, in the order of the specification, without
/// `tokenizer`. Reading them gives the same description, except that layers do not share weights.
/// Throws Error{where, …} for a description that no native config has.
nlohmann::ordered_json native_config_of(const Description& model, const std::string& where);

struct NativeTensors {
  std::vector<SafetensorsEntry> entries;  // their bytes belong to the weights, or to `copies`
  std::deque<std::vector<float>> copies;
};

/// native_tensors.cpp, the inverse of read_native_weights(): lookup tables and linear layers in
/// their stored formats, all others as F32. `weights` must outlive the result. Throws Error{where,
/// …} for a norm with an epsilon or form of its own, which no native model has.
NativeTensors native_tensors(const Description& model, const Weights& weights,
                             const std::string& where);

}  // namespace headlight
