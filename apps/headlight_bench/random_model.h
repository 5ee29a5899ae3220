// A model of a config with random weights.
#pragma once

#include <cstddef>
#include <utility>

#include "base/json.h"
#include "math/panel_memory.h"
#include "model/families/native.h"
#include "model/random_tensors.h"

namespace headlight::bench {

/// Its linear layers are packed or not, as a benchmark wants them.
class RandomModel {
 public:
  explicit RandomModel(const char* config)
      : tensors_(1),
        config_(read_native_config(parse_json(config, "config"), "config")),
        weights_(read_native_weights(config_, tensors_)),
        packed_(weights_) {
    std::size_t floats = 0;
    for_each_linear(packed_, [&](const Linear& linear) { floats += size_of(linear); });
    panels_ = PanelMemory(floats * sizeof(float));
    auto* next = reinterpret_cast<float*>(panels_.data());
    for_each_linear(packed_, [&](Linear& linear) {
      pack_panels(linear.weight, 0, Panels::count(linear.out()), next);
      linear.panels = std::exchange(next, next + size_of(linear));
    });
  }
  const Description& description() const { return config_.description; }
  const Weights& weights(bool packed) const { return packed ? packed_ : weights_; }
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
  static std::size_t size_of(const Linear& linear) {
    return Panels::floats(linear.in(), linear.out());
  }
  RandomTensors tensors_;
  FamilyConfig config_;
  Weights weights_;
  Weights packed_;
  PanelMemory panels_;
};

}  // namespace headlight::bench
