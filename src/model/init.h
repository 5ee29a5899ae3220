// Creates a model directory with seeded random weights for a config.
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

/// Writes config.json (unchanged), model.safetensors, and a copy of the vocab.txt and
/// tokenizer.json next to a config.json to `directory`. Creates the directory if it is missing.
/// Throws Error if `force` is false and the directory has a file of a model.
void init_model(const std::string& config, const std::string& directory, std::uint64_t seed,
                bool force);

}  // namespace headlight
