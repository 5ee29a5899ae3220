#include "model/families/published_weights.h"

#include <algorithm>
#include <string>
#include <vector>

#include "model/relative_tables.h"
#include "model/weight_tree.h"

namespace headlight {
namespace {

constexpr std::string_view kLayers = "layers.";
constexpr std::string_view kTokens = "embeddings.token.weight";
constexpr std::string_view kTokenTypes = "embeddings.token_type.weight";
constexpr std::string_view kLabelReading = "label_reading.";
constexpr std::string_view kRelativeBias = "relative_bias.";
constexpr std::string_view kBiasOfLayer = "attention.relative_bias.weight";
constexpr std::string_view kTaskTypes = "embeddings.task_type.weight";

/// The rows of `parts` layers of equal size that are stored head by head, in the order of the
/// layers.
std::vector<std::size_t> rows_by_part(const HeadsDescription& heads, std::size_t parts) {
  std::vector<std::size_t> rows;
  const std::size_t e = heads.sizes.front();
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t head = 0; head < heads.sizes.size(); ++head) {
      for (std::size_t i = 0; i < e; ++i) rows.push_back((parts * head + part) * e + i);
    }
  }
  return rows;
}

/// Where a file has a tensor.
struct Place {
  std::string name;
  Storage storage = {};
  std::string layer = {};  // how names of the same layer begin
};

/// The names in one file.
class FileNames {
 public:
  FileNames(const PublishedNames& names, const FamilyConfig& config, const TensorSource& source)
      : names_(names), config_(config), layers_(config.layer_names) {
    if (!config.prefix.empty()) names_.prefix = config.prefix;
    const std::string tokens(entry(kTokens).published);
    bare_ = !names_.prefix.empty() && !source.has(in_file(tokens)) && source.has(tokens.substr(1));
    const std::size_t count = layers_.empty() ? config.description.layers.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
      layers_.push_back(std::string(names.layers) + '.' + std::to_string(i));
    }
    for (std::string& layer : layers_) layer = in_file(layer);
  }

  const std::vector<std::string>& layers() const { return layers_; }

  /// A file of only the encoder has names without the prefix.
  std::string in_file(std::string_view name) const {
    if (!name.starts_with('.')) return std::string(name);
    return bare_ ? std::string(name.substr(1)) : std::string(names_.prefix) + std::string(name);
  }

  Place locate(std::string_view native) const {
    if (native == "classifier") {
      const std::string& tensor = config_.classifier_tensor;
      return {tensor.substr(0, tensor.rfind('.'))};
    }
    if (native.starts_with(kLabelReading)) {
      return {"model." + std::string(native.substr(kLabelReading.size()))};
    }
    if (native == kTokenTypes && config_.description.label_reading) {
      return {"model.segment_embeddings.weight"};
    }
    if (native == "head.dense" && !names_.head_dense.empty()) return {in_file(names_.head_dense)};
    if (native.starts_with(kRelativeBias) && has_entry(kBiasOfLayer)) return bias_in_layer(native);
    if (!native.starts_with(kLayers)) {
      const TensorName found = entry(native);
      return {in_file(found.published), found.storage};
    }
    const std::size_t dot = native.find('.', kLayers.size());
    const std::size_t index =
        std::stoul(std::string(native.substr(kLayers.size(), dot - kLayers.size())));
    const auto& decoder = config_.description.decoder;
    const std::string in_decoder = "decoder." + std::string(native.substr(dot + 1));
    const bool is_own = decoder && index >= decoder->first && has_entry(in_decoder);
    const TensorName found = entry(is_own ? in_decoder : native.substr(dot + 1));
    const std::string layer = layers_[index] + '.';
    return {layer + std::string(found.published), found.storage, layer};
  }

 private:
  bool has_entry(std::string_view native) const { return entry(native).published != native; }

  /// In the first layer that adds it.
  Place bias_in_layer(std::string_view native) const {
    const std::string number(native.substr(kRelativeBias.size()));
    const std::size_t bias = number == "weight" ? 0 : std::stoul(number);
    const auto& layers = config_.description.layers;
    const auto first = std::ranges::find_if(
        layers, [&](const LayerDescription& layer) { return layer.heads.relative_bias == bias; });
    const auto& name = layers_[static_cast<std::size_t>(first - layers.begin())];
    return {name + '.' + std::string(entry(kBiasOfLayer).published)};
  }

  TensorName entry(std::string_view native) const {
    for (const auto tensors : {names_.tensors, names_.others}) {
      const auto found = std::ranges::find(tensors, native, &TensorName::native);
      if (found != tensors.end()) return *found;
    }
    return {native, native};
  }

  PublishedNames names_;
  const FamilyConfig& config_;
  std::vector<std::string> layers_;
  bool bare_ = false;
};

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
    const Place place = file_.locate(name);
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
  Linear read_stored(const Place& place, const LinearShape& shape) {
    const Storage& storage = place.storage;
    const std::string weight = place.name + ".weight";
    const std::size_t out = storage.parts * shape.out;
    Linear linear;
    if (shape.kernel > 0) {
      const std::size_t in = shape.in / shape.kernel;
      linear.weight = source_.convolution_weight(weight, out, in, shape.kernel);
    } else if (storage.by_head) {
      const auto rows = rows_by_part(model_.layers.front().heads, storage.parts);
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

constexpr PublishedNames kNativeNames = {.prefix = "", .layers = "layers", .others = {}};

}  // namespace

std::string name_in_file(std::string_view native, const PublishedNames& names,
                         const FamilyConfig& config, const TensorSource& source) {
  return FileNames(names, config, source).locate(native).name;
}

Weights read_published_weights(const PublishedNames& names, FamilyConfig& config,
                               TensorSource& source) {
  const FileNames file(names, config, source);
  const bool has_dense =
      names.head_dense.empty() || source.has(file.in_file(names.head_dense) + ".weight");
  settle_head(classifier_name(config, names.classifier) + ".weight", config, source, has_dense);
  PublishedReader reader(file, names, config, source);
  Weights weights = make_weights(config.description, file.layers().size(), reader);
  make_relative_tables(config.description, weights);
  config.layer_names = file.layers();
  return weights;
}

Weights read_native_weights(FamilyConfig& config, TensorSource& source) {
  return read_published_weights(kNativeNames, config, source);
}

}  // namespace headlight
