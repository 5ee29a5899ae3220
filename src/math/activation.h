// The activation functions and their names. functions.h applies them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The activations of the training stack (transformers, ACT2FN).
enum class Activation : std::uint8_t {
  linear,
  relu,
  relu6,
  relu2,
  leaky_relu,
  gelu,  // x·Φ(x) by erf
  gelu_tanh,  // 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))): gelu_new, gelu_pytorch_tanh, gelu_fast
  gelu_10,     // gelu clipped to [-10, 10]
  quick_gelu,  // x·σ(1.702·x)
  silu,
  mish,
  tanh,
  sigmoid,
  gelu_coarse,  // gelu for values that become 8-bit integers (functions.h); no config names it
};

/// The activation for a name from a config ("gelu_new"), or nullopt.
std::optional<Activation> find_activation(std::string_view name);
/// The first name for it.
std::string activation_name(Activation activation);
/// All names that find_activation() accepts.
std::vector<std::string> activation_names();

}  // namespace headlight
