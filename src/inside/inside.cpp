#include "inside/inside.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "encoder/forward.h"
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

/// wᵀw [e, e] of each head, for its columns w [d, e] of the output projection.
std::vector<std::vector<double>> forms_of(const HeadsDescription& heads, const Table& output) {
  const Tensor<2> weights = stored_weights(output);  // [d, H]
  std::vector<std::vector<double>> forms;
  std::size_t first = 0;
  for (const std::size_t size : heads.sizes) {
    const Tensor<2> turned =
        xt::transpose(xt::view(weights, xt::all(), xt::range(first, first + size)));  // [e, d]
    forms.push_back(numbers_of(product_transposed(turned, turned)));
    first += size;
  }
  return forms;
}

/// values [n, H] → norms [h, n], ‖w v‖² = v · wᵀw · v
std::vector<float> norms_of(const HeadsDescription& heads,
                            const std::vector<std::vector<double>>& forms,
                            const std::vector<float>& values) {
  const std::size_t n = values.size() / heads.width();
  const TensorView<float, 2> all = view_of<2>(values, {n, heads.width()});
  Tensor<2> norms(TensorShape<2>{heads.sizes.size(), n});
  std::size_t first = 0;
  for (std::size_t head = 0; head < heads.sizes.size(); ++head) {
    const std::size_t e = heads.sizes[head];
    const Tensor<2> v = xt::view(all, xt::all(), xt::range(first, first + e));  // [n, e]
    if (forms.empty()) {
      xt::view(norms, head) = xt::norm_l2(v, {1});
    } else {
      const Tensor<2> form = view_of<2>(forms[head], {e, e});
      const Tensor<2> formed = product(v, form);  // [n, e]
      xt::view(norms, head) = xt::sqrt(xt::maximum(xt::sum(formed * v, {1}), 0.0));
    }
    first += e;
  }
  return numbers_of<float>(norms);
}

}  // namespace

TracedText read_text(const Classifier& classifier, const TextInput& input) {
  TracedText text;
  text.model_name = classifier.model().place.name;
  text.input = input;
  text.encoding = classifier.reader().encode(input);
  const Description& model = classifier.model().description;
  if (model.decoder) {
    text.first_target = classifier.reader().token_name(first_target(model, text.encoding.ids));
  }
  return text;
}

void fill_trace(const Classifier& classifier, Trace wanted, TracedText& text,
                const ValueNorms* norms) {
  const Model& model = classifier.model();
  Scratch scratch;
  text.prediction = classifier.classify_traced(text.encoding, scratch, wanted);
  if (!text.prediction.error.empty()) throw TextError(text.prediction.error);
  text.trace = std::move(wanted.texts.front());
  if (!text.trace.values.empty()) {
    text.value_norms = norms == nullptr ? ValueNorms(model).of(text.trace) : norms->of(text.trace);
  }
  text.trace.values = {};
}

TracedText trace_text(const Classifier& classifier, const TextInput& input, const Trace& wanted) {
  TracedText text = read_text(classifier, input);
  fill_trace(classifier, wanted, text);
  return text;
}

ValueNorms::ValueNorms(const Model& model) : model_(model.description) {
  for (const LayerDescription& layer : model_.layers) {
    const auto& output = model.weights.layers[layer.weights].attention.output;
    auto& forms = forms_.emplace_back();
    if (output) forms = forms_of(layer.heads, output->weight);
  }
}

std::vector<std::vector<float>> ValueNorms::of(const TextTrace& trace) const {
  std::vector<std::vector<float>> norms;
  for (std::size_t i = 0; i < trace.values.size(); ++i) {
    norms.push_back(norms_of(model_.layers[i].heads, forms_[i], trace.values[i]));
  }
  return norms;
}

}  // namespace headlight
