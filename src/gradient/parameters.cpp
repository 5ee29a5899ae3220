#include "gradient/parameters.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gradient/weight_walk.h"
#include "model/families/native_weights.h"
#include "model/random_tensors.h"
#include "model/relative_tables.h"

namespace headlight {
namespace {

// Tensors begin at multiples of this many floats.
constexpr std::size_t kAligned = 16;

constexpr const char* kConvolution = "convolution.weight";

Shape shape_of(const Table& table) { return {table.rows, table.cols}; }
Shape shape_of(const ConstMatrix& matrix) { return {matrix.rows, matrix.cols}; }
Shape shape_of(const std::span<const float>& vector) { return {vector.size()}; }

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return count;
}

void copy_view(const Table& table, float* to) {
  for (std::size_t i = 0; i < table.rows; ++i, to += table.cols) {
    table.read(i, {to, table.cols});
  }
}
void copy_view(const ConstMatrix& matrix, float* to) {
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    to = std::copy_n(matrix.row(i).data(), matrix.cols, to);
  }
}
void copy_view(const std::span<const float>& vector, float* to) {
  std::copy(vector.begin(), vector.end(), to);
}

void move_view(Table& table, const float* to) {
  table = {NumberFormat::f32, reinterpret_cast<const std::byte*>(to), table.rows, table.cols};
}
void move_view(ConstMatrix& matrix, const float* to) { matrix = {to, matrix.rows, matrix.cols}; }
void move_view(std::span<const float>& vector, const float* to) { vector = {to, vector.size()}; }

}  // namespace

Weights views_of(const Weights& weights) {
  Weights views;
  views.embeddings = weights.embeddings;
  views.layers = weights.layers;
  views.relative_bias = weights.relative_bias;
  if (weights.relative_attention) {
    RelativeWeights& relative = views.relative_attention.emplace();
    relative.embeddings = weights.relative_attention->embeddings;
    relative.norm = weights.relative_attention->norm;
  }
  views.convolution = weights.convolution;
  views.final_norm = weights.final_norm;
  views.label_attention = weights.label_attention;
  views.head_dense = weights.head_dense;
  views.head_norm = weights.head_norm;
  views.classifier = weights.classifier;
  for_each_linear(views, [](Linear& linear) { linear.prepared = {}; });
  return views;
}

Parameters::Parameters(Description description, const Weights& weights)
    : description_(std::move(description)), weights_(views_of(weights)) {
  const auto place = [&](const std::string& name, auto& view) {
    const Shape shape = shape_of(view);
    const std::size_t count = count_of(shape);
    tensors_.push_back({name, shape, size_, count, shape.size() > 1});
    size_ += (count + kAligned - 1) / kAligned * kAligned;
  };
  WeightWalk(weights_, place);
  values_ = block_.shape(1, size_).data;
  std::fill_n(values_, size_, 0.0F);
  std::size_t next = 0;
  const auto copy = [&](const std::string&, auto& view) {
    float* const to = values_ + tensors_[next++].offset;
    copy_view(view, to);
    move_view(view, to);
  };
  WeightWalk(weights_, copy);
  refresh();
}

Parameters Parameters::random(const Description& description, std::uint64_t seed) {
  FamilyConfig config;
  config.description = description;
  config.classifier_tensor = "classifier.weight";
  const bool headless = description.labels.empty();
  if (headless) config.description.labels = {"LABEL_0", "LABEL_1"};
  RandomTensors tensors(seed);
  Weights weights = read_native_weights(config, tensors);
  if (headless) {
    config.description.labels.clear();
    weights.classifier.reset();
  }
  return {config.description, weights};
}

void Parameters::refresh() { make_relative_tables(description_, weights_); }

std::vector<NamedTensor> Parameters::stored() {
  std::vector<NamedTensor> named;
  for (const ParameterTensor& tensor : tensors_) {
    named.push_back({tensor.name, tensor.shape, values().subspan(tensor.offset, tensor.size)});
    if (tensor.name != kConvolution) continue;
    // [d, k · w], the columns of one token after those of another, is stored as [d, w, k].
    const std::size_t kernel = description_.convolution->kernel;
    const std::size_t width = tensor.shape[1] / kernel;
    const std::span<const float> block = named.back().values;
    convolution_.resize(tensor.size);
    for (std::size_t i = 0; i < tensor.size; ++i) {
      const std::size_t row = i / (kernel * width) * (kernel * width);
      convolution_[i] = block[row + i % kernel * width + i / kernel % width];
    }
    named.back() = {tensor.name, {tensor.shape[0], width, kernel}, convolution_};
  }
  return named;
}

}  // namespace headlight
