// Creates a model directory with seeded random weights for a config.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/tensor_source.h"

namespace headlight {

/// The tensors that a config asks for, by name.
std::vector<std::pair<std::string, Shape>> tensors_of_config(const std::string& config);

/// Writes config.json (unchanged), the weights, and a copy of the vocab.txt and
/// tokenizer.json next to a config.json to `directory`. Creates the directory if it is missing.
/// The weights are model.safetensors, or weights.json if they are written `as_json`.
/// Throws Error if `force` is false and the directory has a file of a model, and if it has the
/// other file of weights.
void init_model(const std::string& config, const std::string& directory, std::uint64_t seed,
                bool force, bool as_json = false);

}  // namespace headlight
