#include "model/flops.h"

namespace headlight {
namespace {

std::size_t attention_weights(const HeadsDescription& heads, std::size_t d) {
  const std::size_t width = heads.width();
  const std::size_t in = heads.input == HeadInput::slice ? heads.sizes.front() : d;
  return (width + 2 * heads.key_width()) * in + (heads.output_projection ? width * d : 0);
}

}  // namespace

std::size_t flops_per_token(const Description& model) {
  const std::size_t d = model.hidden_size;
  std::size_t weights = 0;
  for (const auto& layer : model.layers) {
    const std::size_t matrices = layer.gated ? 3 : 2;
    weights += attention_weights(layer.heads, d) + matrices * d * layer.intermediate_size;
  }
  if (model.convolution) weights += model.convolution->kernel * d * d / model.convolution->groups;
  if (model.embedding.projection) weights += model.embedding.size * d;
  return 2 * weights;
}

}  // namespace headlight
