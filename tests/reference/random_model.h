// Valid native models of every kind, one a seed: config, tensors, texts, and how to store them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reference/architecture.h"
#include "reference/encoder.h"
#include "reference/matrix.h"
#include "reference/model_directory.h"

namespace headlight::reference {

struct RandomModel {
  nlohmann::json config;
  Tensors tensors;  // every number is one that storage.type holds
  std::vector<Text> texts;
  Storage storage;
};

/// The same for the same seed everywhere. Texts are of different lengths where the model has room.
RandomModel random_model(std::uint64_t seed);

/// Name and shape of each tensor that a model has ("Tensors of a native model"), and no other.
std::map<std::string, std::vector<std::size_t>> tensor_shapes(const Architecture& architecture,
                                                              std::size_t classes);

}  // namespace headlight::reference
