#include "model/families/written_weights.h"

#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "base/error.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

/// Lists the tensors of a model by their names in a file.
class TensorLister : public WeightVisitor {
 public:
  TensorLister(const TensorLayout& layout, const Description& model)
      : layout_(layout), file_(layout, model), model_(model) {}

  void table(const std::string& name, Table& table, std::size_t /*rows*/,
             std::size_t cols) override {
    add(file_.locate(name).name, table);
    if (name != kTokenTypes || layout_.task_types == 0) return;
    // The row that is added to every token is part of the rows above.
    const auto& zeros = tensors_.copies.emplace_back(layout_.task_types * cols);
    add(file_.locate(kTaskTypes).name, {layout_.task_types, cols}, zeros);
  }

  void matrix(const std::string& name, ConstMatrix& values, std::size_t /*rows*/,
              std::size_t /*cols*/) override {
    add(file_.locate(name).name, {values.rows, values.cols},
        {values.data, values.rows * values.cols});
  }

  void linear(const std::string& name, Linear& linear, const LinearShape& shape) override {
    const TensorPlace place = file_.locate(name);
    const Storage& storage = place.storage;
    const std::string weight = place.name + ".weight";
    if (shape.kernel > 0) {
      add_convolution(weight, linear.weight, shape.kernel);
    } else if (storage.parts > 1 || storage.transposed) {
      add_part(weight, storage, linear.weight);
    } else {
      add(weight, linear.weight);
    }
    if (storage.bias != nullptr) {
      if (*storage.bias != '\0') add_bias(place.layer + storage.bias, linear, shape);
    } else if (storage.parts > 1 && shape.bias) {
      const std::size_t out = linear.out();
      const std::span<float> all = all_parts(place.name + ".bias", {storage.parts * out});
      std::ranges::copy(linear.bias, all.subspan(storage.part * out).begin());
    } else {
      add_bias(place.name + ".bias", linear, shape);
    }
  }

  void norm(const std::string& name, LayerNorm& norm, std::size_t size, bool has_bias) override {
    const std::string own = file_.locate(name).name;
    std::span<const float> gain = norm.gain;
    if (layout_.names.adds_one_to_gains) {
      std::vector<float>& stored = tensors_.copies.emplace_back();
      for (const float value : gain) stored.push_back(value - 1.0F);
      gain = stored;
    }
    add(own + ".weight", {size}, gain);
    if (has_bias) add(own + ".bias", {size}, or_zeros(norm.bias, size));
  }

  WrittenTensors take() { return std::move(tensors_); }

 protected:
  const Description& model_of() const { return model_; }

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
  void add_bias(const std::string& name, const Linear& linear, const LinearShape& shape) {
    if (shape.bias) add(name, {linear.out()}, or_zeros(linear.bias, linear.out()));
  }
  std::span<const float> or_zeros(std::span<const float> values, std::size_t size) {
    if (values.empty()) return tensors_.copies.emplace_back(size);
    return values;
  }

  /// The numbers of a tensor that several layers fill.
  std::span<float> all_parts(const std::string& name, const Shape& shape) {
    std::vector<float>*& values = shared_[name];
    if (values == nullptr) {
      std::size_t count = 1;
      for (const std::size_t extent : shape) count *= extent;
      values = &tensors_.copies.emplace_back(count);
      add(name, shape, *values);
    }
    return *values;
  }

  void add_part(const std::string& name, const Storage& storage, const Table& own) {
    const std::size_t rows = storage.parts * own.rows;
    const std::span<float> all =
        all_parts(name, storage.transposed ? Shape{own.cols, rows} : Shape{rows, own.cols});
    const auto order = stored_rows(storage, model_.layers.front().heads, own.rows);
    std::vector<float> row(own.cols);
    for (std::size_t i = 0; i < own.rows; ++i) {
      own.read(i, row);
      const std::size_t to = order[storage.part * own.rows + i];
      for (std::size_t j = 0; j < row.size(); ++j) {
        all[storage.transposed ? j * rows + to : to * own.cols + j] = row[j];
      }
    }
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

  const TensorLayout& layout_;
  FileNames file_;
  const Description& model_;
  WrittenTensors tensors_;
  std::map<std::string, std::vector<float>*> shared_;
};

/// A native model has one form of norms and biases.
class NativeLister : public TensorLister {
 public:
  NativeLister(const TensorLayout& layout, const Description& model, std::string where)
      : TensorLister(layout, model), where_(std::move(where)) {}

  /// A table may have more rows than the description, such as positions that no text has.
  void table(const std::string& name, Table& table, std::size_t rows, std::size_t cols) override {
    table = table.row_range(0, rows);
    TensorLister::table(name, table, rows, cols);
  }
  void linear(const std::string& name, Linear& linear, const LinearShape& shape) override {
    refuse_bias(name, shape.bias, linear.bias);
    TensorLister::linear(name, linear, shape);
  }
  void norm(const std::string& name, LayerNorm& norm, std::size_t size, bool has_bias) override {
    if (norm.epsilon != model_of().layer_norm_eps || norm.form != model_of().layer_norm_form) {
      throw Error(where_, "cannot be written as a native model: " + name +
                              " differs from the other norms in its epsilon or its form");
    }
    refuse_bias(name, has_bias, norm.bias);
    TensorLister::norm(name, norm, size, has_bias);
  }

 private:
  void refuse_bias(const std::string& name, bool wanted, std::span<const float> values) const {
    if (wanted || values.empty()) return;
    throw Error(where_, "cannot be written as a native model: " + name +
                            " has a bias, but others of its kind have none");
  }

  std::string where_;
};

}  // namespace

WrittenTensors native_tensors(const Description& model, const Weights& weights,
                              const std::string& where) {
  const TensorLayout layout{kNativeNames, {}, {}, "classifier.weight"};
  const Description own = with_own_weights(model);
  Weights views = weights;
  views.layers.clear();
  for (const LayerDescription& layer : model.layers) {
    views.layers.push_back(weights.layers[layer.weights]);
  }
  NativeLister list(layout, own, where);
  visit_weights(own, list, views);
  return list.take();
}

WrittenTensors published_tensors(const TensorLayout& layout, const Description& model,
                                 const Weights& weights) {
  Weights views = weights;
  TensorLister list(layout, model);
  visit_weights(model, list, views);
  return list.take();
}

}  // namespace headlight
