// Random models for the tests of gradients: loaded, with their texts as one batch, and a loss whose
// value the float64 reference encoder knows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "encoder/batch.h"
#include "gradient/backward.h"
#include "model/model.h"
#include "reference/random_model.h"

namespace headlight {

struct LoadedRandomModel {
  reference::RandomModel random;
  Model model;
  Batch batch;
};

/// Written under `directory`, loaded and removed. `published`: of a published family.
LoadedRandomModel load_random_model(std::uint64_t seed, bool published,
                                    const std::string& directory);

/// Σ over the logits of a random number each: its gradient is that number.
class LinearLoss {
 public:
  LinearLoss(std::size_t logits, std::uint64_t seed);

  Loss loss() const;
  /// Of a logit, in the order of the texts.
  double factor(std::size_t logit) const { return factors_[logit]; }
  /// That of the reference encoder, which computes each text on its own.
  double reference(const reference::RandomModel& random, const reference::Tensors& tensors) const;

 private:
  std::vector<double> factors_;
};

}  // namespace headlight
