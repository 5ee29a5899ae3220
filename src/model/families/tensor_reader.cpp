#include "model/families/tensor_reader.h"

#include <span>

namespace headlight {

TensorReader::TensorReader(std::string_view prefix, std::string_view embedding,
                           const Description& model, TensorSource& source)
    : prefix_(prefix), model_(model), source_(source) {
  const std::string whole(embedding);
  bare_ = !prefix.empty() && !source.has(whole) && source.has(whole.substr(prefix.size()));
}

std::string TensorReader::in_file(const std::string& name) const {
  return bare_ && name.starts_with(prefix_) ? name.substr(prefix_.size()) : name;
}

Table TensorReader::table(const std::string& name, std::size_t rows, std::size_t cols) {
  return source_.table(in_file(name), rows, cols);
}

Linear TensorReader::linear(const std::string& name, std::size_t out, std::size_t in, bool bias) {
  const std::string own = in_file(name);
  Linear layer;
  layer.weight = source_.weight(own + ".weight", out, in);
  if (bias) layer.bias = source_.floats(own + ".bias", {out});
  return layer;
}

Linear TensorReader::transposed_linear(const std::string& name, std::size_t out, std::size_t in) {
  const std::string own = in_file(name);
  return {source_.transposed_weight(own + ".weight", out, in),
          source_.floats(own + ".bias", {out})};
}

LayerNorm TensorReader::norm(const std::string& name, std::size_t size) {
  const std::string own = in_file(name);
  LayerNorm norm;
  norm.gain = source_.floats(own + ".weight", {size});
  if (model_.norm_bias) norm.bias = source_.floats(own + ".bias", {size});
  norm.epsilon = model_.layer_norm_eps;
  norm.form = model_.layer_norm_form;
  return norm;
}

LayerNorm TensorReader::norm_above_one(const std::string& name, std::size_t size) {
  LayerNorm norm;
  norm.gain = source_.gains_above_one(in_file(name) + ".weight", size);
  norm.epsilon = model_.layer_norm_eps;
  norm.form = model_.layer_norm_form;
  return norm;
}

Linear TensorReader::classifier(const FamilyConfig& config) {
  const std::string& tensor = config.classifier_tensor;
  return linear(tensor.substr(0, tensor.rfind('.')), model_.classes(), model_.hidden_size,
                model_.classifier_bias);
}

void TensorReader::skip(const std::string& name, std::size_t size) {
  if (has(name)) source_.floats(in_file(name), {size});
}

Linear part_of(const Linear& linear, std::size_t first, std::size_t count) {
  Linear part;
  part.weight = linear.weight.row_range(first, count);
  if (!linear.bias.empty()) part.bias = linear.bias.subspan(first, count);
  return part;
}

void name_layers(const TensorReader& reader, FamilyConfig& config) {
  for (std::string& name : config.layer_names) name = reader.in_file(name);
}

}  // namespace headlight
