// Adapters of PEFT (Hu et al. 2022, "LoRA: Low-Rank Adaptation of Large Language Models"): a folder
// with adapter_config.json, which names its base model, and adapter_model.safetensors. A linear
// layer's W [out, in] becomes W + B A · scale.
#pragma once

#include <string>

#include "base/json_fwd.h"
#include "model/file_tensors.h"
#include "model/locate.h"

namespace headlight {

inline constexpr const char* kAdapterConfig = "adapter_config.json";

/// The folder of the base model that `adapter`, the path of an adapter's config, names. Throws
/// Error.
std::string base_of_adapter(const std::string& adapter);

/// What the adapter changes in its base's config: the class with a head, and other labels if the
/// head has another number of them. Throws Error for adapters of other kinds, by name.
void adapt_config(const std::string& adapter, Json& config);

/// Throws Error if a model is an adapter and its base, which `task` cannot write.
void refuse_adapter(const ModelPlace& place, const std::string& task);

/// Adds the adapter to its base's tensors, in float32. Throws Error that names the tensor.
void merge_adapter(const std::string& adapter, FileTensors& base);

}  // namespace headlight
