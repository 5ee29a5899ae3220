#include "model/families/published_weights.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/relative_tables.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

/// Requests tensors from a source by their names in the file.
class PublishedReader : public WeightVisitor {
 public:
  PublishedReader(const FileNames& file, const PublishedNames& names, const FamilyConfig& config,
                  TensorSource& source)
      : file_(file), names_(names), config_(config), model_(config.description), source_(source) {}

  void table(const std::string& name, Table& table, std::size_t rows, std::size_t cols) override {
    table = source_.table(file_.locate(name).name, rows, cols);
    if (name != kTokenTypes || config_.task_types == 0) return;
    const Table tasks = source_.table(file_.locate(kTaskTypes).name, config_.task_types, cols);
    table = source_.with_added_row(table, tasks, 0);
  }

  void matrix(const std::string& name, ConstMatrix& matrix, std::size_t rows,
              std::size_t cols) override {
    matrix = source_.matrix(file_.locate(name).name, rows, cols);
  }

  void linear(const std::string& name, Linear& linear, const LinearShape& shape) override {
    const TensorPlace place = file_.locate(name);
    if (place.name != stored_name_) {
      stored_ = read_stored(place, shape);
      stored_name_ = place.name;
    }
    const std::size_t first = place.storage.part * shape.out;
    linear.weight = stored_.weight.row_range(first, shape.out);
    if (!shape.bias) return;
    const char* const bias = place.storage.bias;
    if (bias == nullptr) {
      linear.bias = stored_.bias.subspan(first, shape.out);
    } else if (*bias != '\0') {
      linear.bias = source_.floats(place.layer + bias, {shape.out});
    }
  }

  void norm(const std::string& name, LayerNorm& norm, std::size_t size, bool has_bias) override {
    const std::string own = file_.locate(name).name;
    // In old files, weight and bias are called gamma and beta.
    const bool is_old =
        !names_.prefix.empty() && !source_.has(own + ".weight") && source_.has(own + ".gamma");
    const std::string gain = own + (is_old ? ".gamma" : ".weight");
    norm.gain = names_.adds_one_to_gains ? source_.gains_above_one(gain, size)
                                         : source_.floats(gain, {size});
    if (has_bias) norm.bias = source_.floats(own + (is_old ? ".beta" : ".bias"), {size});
    norm.epsilon = model_.layer_norm_eps;
    norm.form = model_.layer_norm_form;
  }

 private:
  /// All parts of the tensor.
  Linear read_stored(const TensorPlace& place, const LinearShape& shape) {
    const Storage& storage = place.storage;
    const std::string weight = place.name + ".weight";
    const std::size_t out = storage.parts * shape.out;
    Linear linear;
    if (shape.kernel > 0) {
      const std::size_t in = shape.in / shape.kernel;
      linear.weight = source_.convolution_weight(weight, out, in, shape.kernel);
    } else if (storage.by_head) {
      const auto rows = stored_rows(storage, model_.layers.front().heads, shape.out);
      linear.weight = source_.ordered_weight(weight, rows, shape.in);
    } else if (storage.transposed) {
      linear.weight = source_.transposed_weight(weight, out, shape.in);
    } else {
      linear.weight = source_.weight(weight, out, shape.in);
    }
    const bool has_bias = shape.bias && storage.bias == nullptr;
    if (has_bias) linear.bias = source_.floats(place.name + ".bias", {out});
    return linear;
  }

  const FileNames& file_;
  const PublishedNames& names_;
  const FamilyConfig& config_;
  const Description& model_;
  TensorSource& source_;
  std::string stored_name_;  // of the last linear layer, which may have parts
  Linear stored_;
};

/// Before the tensors are read.
std::shared_ptr<TensorLayout> layout_of(const PublishedNames& names, const FamilyConfig& config) {
  auto layout = std::make_shared<TensorLayout>();
  layout->names = names;
  for (const auto table : {names.tensors, names.others}) {
    layout->tensors.insert(layout->tensors.end(), table.begin(), table.end());
  }
  layout->names.tensors = layout->tensors;
  layout->names.others = {};
  layout->layers = config.layer_names;
  layout->task_types = config.task_types;
  return layout;
}

}  // namespace

std::string name_in_file(std::string_view native, const PublishedNames& names,
                         const FamilyConfig& config, const TensorSource& source) {
  return FileNames(names, config, source).locate(native).name;
}

Weights read_published_weights(const PublishedNames& names, FamilyConfig& config,
                               TensorSource& source) {
  const FileNames file(names, config, source);
  const auto layout = layout_of(names, config);
  const bool has_dense =
      names.head_dense.empty() || source.has(file.in_file(names.head_dense) + ".weight");
  settle_head(classifier_name(config, names.classifier) + ".weight", config, source, has_dense);
  PublishedReader reader(file, names, config, source);
  Weights weights = make_weights(config.description, file.layers().size(), reader);
  make_relative_tables(config.description, weights);
  config.layer_names = file.layers();
  layout->classifier = config.classifier_tensor;
  config.layout = layout;
  return weights;
}

Weights read_native_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(kNativeNames, config, source);
}

}  // namespace headlight
