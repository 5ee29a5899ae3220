// A model directory with seeded random weights for a config.
#pragma once

#include <cstdint>
#include <string>

namespace headlight {

/// Writes config.json (as it is), model.safetensors, and the vocab.txt or tokenizer.json that
/// stands beside a config.json, to `directory`, which is made where it is missing. Throws Error;
/// files that exist are kept unless `force`.
void init_model(const std::string& config, const std::string& directory, std::uint64_t seed,
                bool force);

}  // namespace headlight
