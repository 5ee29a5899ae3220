#include "math/activation.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

constexpr std::array<std::pair<const char*, Activation>, 20> kNames = {{
    {"relu", Activation::relu},
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu_tanh},
    {"gelu_pytorch_tanh", Activation::gelu_tanh},
    {"silu", Activation::silu},
    {"tanh", Activation::tanh},
    {"gelu_python", Activation::gelu},
    {"gelu_python_tanh", Activation::gelu_tanh},
    {"gelu_accurate", Activation::gelu_tanh},
    {"gelu_fast", Activation::gelu_tanh},
    {"gelu_10", Activation::gelu_10},
    {"quick_gelu", Activation::quick_gelu},
    {"swish", Activation::silu},
    {"mish", Activation::mish},
    {"relu6", Activation::relu6},
    {"relu2", Activation::relu2},
    {"leaky_relu", Activation::leaky_relu},
    {"sigmoid", Activation::sigmoid},
    {"linear", Activation::linear},
    {"identity", Activation::linear},
}};

}  // namespace

std::optional<Activation> find_activation(std::string_view name) {
  for (const auto& [known, activation] : kNames) {
    if (name == known) return activation;
  }
  return std::nullopt;
}

std::string activation_name(Activation activation) {
  return std::ranges::find(kNames, activation, &std::pair<const char*, Activation>::second)->first;
}

std::vector<std::string> activation_names() {
  std::vector<std::string> names;
  names.reserve(kNames.size());
  for (const auto& entry : kNames) names.emplace_back(entry.first);
  return names;
}

}  // namespace headlight
