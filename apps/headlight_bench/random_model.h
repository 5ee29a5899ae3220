// A model of a config with random weights.
#pragma once

#include <cstddef>

#include "base/json.h"
#include "math/panel_memory.h"
#include "model/families/native_config.h"
#include "model/families/published_weights.h"
#include "model/prepare.h"
#include "model/random_tensors.h"

namespace headlight::bench {

/// Its linear layers have each form, as a benchmark wants them. Each form has numbers of its own.
class RandomModel {
 public:
  explicit RandomModel(const char* config)
      : tensors_(1),
        config_(read_native_config(parse_json(config, "config"), "config")),
        stored_(read_native_weights(config_, tensors_)),
        packed_(read_native_weights(config_, tensors_)),
        blas_(read_native_weights(config_, tensors_)),
        panels_(prepare_weights(description(), {LinearForm::packed, LinearForm::packed}, packed_)) {
    prepare_weights(description(), {LinearForm::blas, LinearForm::blas}, blas_);
  }
  const Description& description() const { return config_.description; }
  /// stored, packed or blas.
  const Weights& weights(LinearForm form) const {
    if (form == LinearForm::blas) return blas_;
    return form == LinearForm::packed ? packed_ : stored_;
  }
  /// What a token costs in the linear layers of the encoder: 2 · layers · (4d² + 2df).
  double flop_a_token() const {
    const std::size_t d = description().hidden_size;
    std::size_t multiplications = 0;
    for (const LayerDescription& layer : description().layers) {
      multiplications += 4 * d * d + 2 * d * layer.intermediate_size;
    }
    return 2.0 * static_cast<double>(multiplications);
  }

 private:
  RandomTensors tensors_;
  FamilyConfig config_;
  Weights stored_;
  Weights packed_;
  Weights blas_;
  PanelMemory panels_;
};

}  // namespace headlight::bench
