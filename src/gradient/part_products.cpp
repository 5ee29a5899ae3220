#include "gradient/part_products.h"

namespace headlight {

PartProducts::PartProducts(const Description& model, PartKind kind) : kind_(kind) {
  for (const LayerDescription& layer : model.layers) {
    std::vector<std::size_t>& widths = widths_.emplace_back();
    if (kind == PartKind::head) widths = layer.heads.sizes;
    if (kind == PartKind::neuron) widths.assign(layer.intermediate_size, 1);
    if (kind == PartKind::layer) widths = {model.hidden_size};
    parts_ += widths.size();
  }
}

void PartProducts::add(const Batch& batch, std::size_t layer, double factor, ConstMatrix value,
                       ConstMatrix gradient) {
  std::size_t first = 0;
  for (std::size_t below = 0; below < layer; ++below) first += widths_[below].size();
  std::size_t text = 0;
  for (std::size_t i = 0; i < value.rows; ++i) {
    while (value.rows == batch.texts() ? text < i : batch.starts()[text + 1] <= i) ++text;
    const float* x = value.row(i).data();
    const float* dx = gradient.row(i).data();
    double* sum = &products_[text * parts_ + first];
    for (const std::size_t width : widths_[layer]) {
      double product = 0.0;
      for (std::size_t j = 0; j < width; ++j) product += double{*x++} * double{*dx++};
      *sum++ += factor * product;
    }
  }
}

}  // namespace headlight
