#include "inside/inside.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "math/tensor.h"

namespace headlight {
namespace {

/// The stored weights [d, H].
Tensor<2> stored_weights(const Table& table) {
  Tensor<2> weights(TensorShape<2>{table.rows, table.cols});
  std::vector<float> numbers(table.cols);
  for (std::size_t i = 0; i < table.rows; ++i) {
    table.read(i, numbers);
    xt::view(weights, i) = view_of<1>(numbers, {table.cols});
  }
  return weights;
}

/// The norms [n] of v [n, e] after projecting with w [d, e]: ‖w v‖² = v · wᵀ w · v, where wᵀ w is
/// [e, e], the same for all tokens.
Tensor<1> projected_lengths(const Tensor<2>& v, const Tensor<2>& w) {
  const Tensor<2> turned = xt::transpose(w);                  // [e, d]
  const Tensor<2> form = product_transposed(turned, turned);  // [e, e]
  const Tensor<2> formed = product(v, form);                  // [n, e]
  return xt::sqrt(xt::maximum(xt::sum(formed * v, {1}), 0.0));
}

/// values [n, H] → norms [h, n]
std::vector<float> norms_of(const HeadsDescription& heads, const std::optional<Linear>& output,
                            const std::vector<float>& values) {
  const std::size_t n = values.size() / heads.width();
  const TensorView<float, 2> all = view_of<2>(values, {n, heads.width()});
  Tensor<2> weights;  // [d, H]
  if (output) weights = stored_weights(output->weight);
  Tensor<2> norms(TensorShape<2>{heads.sizes.size(), n});
  std::size_t first = 0;
  for (std::size_t head = 0; head < heads.sizes.size(); ++head) {
    const std::size_t last = first + heads.sizes[head];
    const Tensor<2> own = xt::view(all, xt::all(), xt::range(first, last));  // [n, e]
    if (output) {
      const Tensor<2> projection = xt::view(weights, xt::all(), xt::range(first, last));  // [d, e]
      xt::view(norms, head) = projected_lengths(own, projection);
    } else {
      xt::view(norms, head) = xt::norm_l2(own, {1});
    }
    first = last;
  }
  return numbers_of<float>(norms);
}

}  // namespace

TracedText read_text(const Classifier& classifier, const TextInput& input) {
  TracedText text;
  text.model_name = classifier.model().place.name;
  text.input = input;
  text.encoding = classifier.reader().encode(input);
  return text;
}

void fill_trace(const Classifier& classifier, Trace wanted, TracedText& text) {
  const Model& model = classifier.model();
  Scratch scratch;
  text.prediction = classifier.classify_traced(text.encoding, scratch, wanted);
  if (!text.prediction.error.empty()) throw TextError(text.prediction.error);
  text.trace = std::move(wanted.texts.front());
  text.value_norms = value_norms(model.description, model.weights, text.trace);
  text.trace.values = {};
}

TracedText trace_text(const Classifier& classifier, const TextInput& input, const Trace& wanted) {
  TracedText text = read_text(classifier, input);
  fill_trace(classifier, wanted, text);
  return text;
}

std::vector<std::vector<float>> value_norms(const Description& model, const Weights& weights,
                                            const TextTrace& trace) {
  std::vector<std::vector<float>> norms;
  for (std::size_t i = 0; i < trace.values.size(); ++i) {
    const LayerDescription& layer = model.layers[i];
    norms.push_back(
        norms_of(layer.heads, weights.layers[layer.weights].attention.output, trace.values[i]));
  }
  return norms;
}

}  // namespace headlight
