// Valid models of every kind, one a seed: config, tensors, texts, and how to store them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "encoder/batch.h"
#include "reference/architecture.h"
#include "reference/encoder.h"
#include "reference/model_directory.h"
#include "reference/random.h"
#include "reference/tensors.h"

namespace headlight::reference {

struct RandomModel {
  nlohmann::json config;
  Architecture architecture;  // what the config means
  Tensors tensors;            // every number is one that storage.type holds
  std::vector<Text> texts;
  Storage storage;
};

/// A native model, the same for the same seed everywhere. Texts are of different lengths where the
/// model has room.
RandomModel random_model(std::uint64_t seed);

/// What follows from config and architecture: tensors under their native names, texts, storage.
/// `longest` is the length of one of the texts.
void fill_random_model(Random& random, std::size_t longest, RandomModel& model);

/// All texts of a model, as it pads them.
Batch batch_of(const RandomModel& model);

/// Name and shape of each tensor that a model has ("Tensors of a native model"), and no other.
std::map<std::string, std::vector<std::size_t>> tensor_shapes(const Architecture& architecture,
                                                              std::size_t classes);

}  // namespace headlight::reference
