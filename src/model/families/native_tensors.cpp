#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/families/native_writer.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

/// Lists the tensors of a model by the names in the specification.
class TensorLister : public WeightVisitor {
 public:
  TensorLister(const Description& model, std::string where)
      : model_(model), where_(std::move(where)) {}

  /// A table may have more rows than the description, such as positions that no text has.
  void table(const std::string& name, Table& table, std::size_t rows,
             std::size_t /*cols*/) override {
    add(name, table.row_range(0, rows));
  }

  void matrix(const std::string& name, ConstMatrix& values, std::size_t /*rows*/,
              std::size_t /*cols*/) override {
    add(name, {values.rows, values.cols}, {values.data, values.rows * values.cols});
  }

  void linear(const std::string& name, Linear& linear, const LinearShape& shape) override {
    if (shape.kernel > 0) {
      add_convolution(name + ".weight", linear.weight, shape.kernel);
    } else {
      add(name + ".weight", linear.weight);
    }
    add_bias(name, linear.out(), shape.bias, linear.bias);
  }

  void norm(const std::string& name, LayerNorm& norm, std::size_t size, bool has_bias) override {
    if (norm.epsilon != model_.layer_norm_eps || norm.form != model_.layer_norm_form) {
      throw Error(where_, "cannot be written as a native model: " + name +
                              " differs from the other norms in its epsilon or its form");
    }
    add(name + ".weight", {size}, norm.gain);
    add_bias(name, size, has_bias, norm.bias);
  }

  NativeTensors take() { return std::move(tensors_); }

 private:
  void add(const std::string& name, const Table& table) {
    tensors_.entries.push_back({name,
                                word_for(table.format, kNumberFormatWords),
                                {table.rows, table.cols},
                                {table.bytes, table.rows * table.row_bytes()}});
    if (table.scales == nullptr) return;
    add(name.substr(0, name.rfind('.')) + ".scale", {table.rows}, {table.scales, table.rows});
  }
  void add(const std::string& name, Shape shape, std::span<const float> values) {
    tensors_.entries.push_back({name, "F32", std::move(shape), std::as_bytes(values)});
  }

  /// A bias that the description has and the layer does not is zero: one projection of a
  /// feed-forward may lack it.
  void add_bias(const std::string& name, std::size_t size, bool wanted,
                std::span<const float> values) {
    if (!wanted && !values.empty()) {
      throw Error(where_, "cannot be written as a native model: " + name +
                              " has a bias, but others of its kind have none");
    }
    if (!wanted) return;
    if (values.empty()) values = tensors_.copies.emplace_back(size);
    add(name + ".bias", {size}, values);
  }

  /// A file has the weights [out, in, kernel] of a convolution; here a row is kernel · in long.
  void add_convolution(const std::string& name, const Table& stored, std::size_t kernel) {
    const std::size_t in = stored.cols / kernel;
    std::vector<float> row(stored.cols);
    std::vector<float>& values = tensors_.copies.emplace_back(stored.rows * stored.cols);
    for (std::size_t out = 0; out < stored.rows; ++out) {
      stored.read(out, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        values[out * row.size() + i % in * kernel + i / in] = row[i];
      }
    }
    add(name, {stored.rows, in, kernel}, values);
  }

  const Description& model_;
  std::string where_;
  NativeTensors tensors_;
};

}  // namespace

NativeTensors native_tensors(const Description& model, const Weights& weights,
                             const std::string& where) {
  Weights views = weights;
  views.layers.clear();
  for (const LayerDescription& layer : model.layers) {
    views.layers.push_back(weights.layers[layer.weights]);
  }
  TensorLister list(model, where);
  visit_weights(with_own_weights(model), list, views);
  return list.take();
}

}  // namespace headlight
