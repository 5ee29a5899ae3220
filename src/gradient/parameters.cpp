#include "gradient/parameters.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "model/families/published_weights.h"
#include "model/random_tensors.h"
#include "model/relative_tables.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

// Tensors begin at multiples of this many floats.
constexpr std::size_t kAligned = 16;

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

/// Calls visit(name, view) for each tensor. A view is a Table&, a ConstMatrix& or a
/// std::span<const float>&, which `visit` may replace.
template <typename Visit>
class TensorVisitor : public WeightVisitor {
 public:
  explicit TensorVisitor(const Visit& visit) : visit_(visit) {}

  void table(const std::string& name, Table& table, std::size_t, std::size_t) override {
    visit_(name, table);
  }
  void matrix(const std::string& name, ConstMatrix& matrix, std::size_t, std::size_t) override {
    visit_(name, matrix);
  }
  void linear(const std::string& name, Linear& linear, const LinearShape&) override {
    visit_(name + ".weight", linear.weight);
    if (!linear.bias.empty()) visit_(name + ".bias", linear.bias);
  }
  void norm(const std::string& name, LayerNorm& norm, std::size_t, bool) override {
    visit_(name + ".weight", norm.gain);
    if (!norm.bias.empty()) visit_(name + ".bias", norm.bias);
  }

 private:
  const Visit& visit_;
};

/// Removes the prepared forms.
class Unpreparing : public LinearVisitor {
 public:
  void linear(const std::string& /*name*/, Linear& linear, const LinearShape&) override {
    linear.prepared = {};
  }
};

}  // namespace

Weights views_of(const Description& description, const Weights& weights) {
  Weights views = weights;
  if (views.relative_attention) views.relative_attention->tables.reset();
  Unpreparing unpreparing;
  visit_weights(description, unpreparing, views);
  return views;
}

Parameters::Parameters(Description description, const Weights& weights)
    : description_(std::move(description)), weights_(views_of(description_, weights)) {
  const auto place = [&](const std::string& name, auto& view) {
    const Shape shape = shape_of(view);
    const std::size_t count = count_of(shape);
    tensors_.push_back({name, shape, size_, count, shape.size() > 1});
    size_ += (count + kAligned - 1) / kAligned * kAligned;
  };
  TensorVisitor placing(place);
  visit_weights(description_, placing, weights_);
  values_ = block_.shape(1, size_).data;
  std::fill_n(values_, size_, 0.0F);
  std::size_t next = 0;
  const auto copy = [&](const std::string&, auto& view) {
    float* const to = values_ + tensors_[next++].offset;
    copy_view(view, to);
    move_view(view, to);
  };
  TensorVisitor copying(copy);
  visit_weights(description_, copying, weights_);
  refresh();
}

Parameters Parameters::random(const Description& description, std::uint64_t seed) {
  FamilyConfig config;
  config.description = description;
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

std::span<float> Parameters::values(std::string_view name) {
  const auto tensor = std::ranges::find(tensors_, name, &ParameterTensor::name);
  return values().subspan(tensor->offset, tensor->size);
}

void Parameters::refresh() { make_relative_tables(description_, weights_); }

void round_matrices(NumberFormat format, Parameters& parameters) {
  if (format == NumberFormat::f32) return;
  for (const ParameterTensor& tensor : parameters.tensors()) {
    if (tensor.shape.size() < 2) continue;
    const auto values = parameters.values().subspan(tensor.offset, tensor.size);
    widen(format, bytes_in(format, values).data(), values);
  }
  parameters.refresh();
}

}  // namespace headlight
