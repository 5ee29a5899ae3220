#include "model/model_files.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace headlight {
namespace {

constexpr std::uint64_t kHidden = 4;
constexpr std::size_t kLengthBytes = 8;

Tensor zeros(const std::string& name, const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return float_tensor(name, shape, std::vector<float>(count, 0.0F));
}

/// The nested arrays of a tensor of one or two dimensions.
OrderedJson nested(const Tensor& tensor) {
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  if (tensor.shape.size() == 1) return OrderedJson(values);
  OrderedJson rows = OrderedJson::array();
  const auto columns = static_cast<std::ptrdiff_t>(tensor.shape[1]);
  for (auto row = values.begin(); row != values.end(); row += columns) {
    rows.push_back(std::vector<float>(row, row + columns));
  }
  return rows;
}

}  // namespace

Tensor float_tensor(const std::string& name, const std::vector<std::uint64_t>& shape,
                    const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {name, "F32", shape, bytes};
}

OrderedJson toy_config() {
  return OrderedJson::parse(R"({
    "model_type": "headlight",
    "vocab_size": 6,
    "hidden_size": 4,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 0,
    "position_embedding_type": "none",
    "max_position_embeddings": 8,
    "norm_order": "none",
    "id2label": {"0": "negative", "1": "positive"},
    "tokenizer": {
      "type": "whitespace",
      "vocabulary": ["[UNK]", "good", "bad", "movie", "a", "plot"]
    }
  })");
}

std::vector<Tensor> toy_tensors() {
  std::vector<float> words(6 * kHidden, 0.0F);
  words[1 * kHidden] = 1.0F;   // good
  words[2 * kHidden] = -1.0F;  // bad
  std::vector<Tensor> tensors = {float_tensor("embeddings.token.weight", {6, kHidden}, words)};
  for (const char* name : {"query", "key", "value", "output"}) {
    const std::string layer = std::string("layers.0.attention.") + name;
    tensors.push_back(zeros(layer + ".weight", {kHidden, kHidden}));
    tensors.push_back(zeros(layer + ".bias", {kHidden}));
  }
  tensors.push_back(float_tensor("classifier.weight", {2, kHidden}, {-1, 0, 0, 0, 1, 0, 0, 0}));
  tensors.push_back(zeros("classifier.bias", {2}));
  return tensors;
}

Folder toy_folder() {
  return {{"config.json", toy_config().dump(2)}, {"model.safetensors", safetensors(toy_tensors())}};
}

OrderedJson toy_json_weights() {
  OrderedJson tensors = OrderedJson::object();
  for (const Tensor& tensor : toy_tensors()) tensors[tensor.name] = nested(tensor);
  return OrderedJson{{"tensors", tensors}};
}

Tensor& tensor_of(std::vector<Tensor>& tensors, const std::string& name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  if (found == tensors.end()) throw std::runtime_error("the toy has no tensor " + name);
  return *found;
}

std::string safetensors(const std::vector<Tensor>& tensors) {
  OrderedJson header = OrderedJson::object();
  std::string data;
  for (const Tensor& tensor : tensors) {
    const std::size_t begin = data.size();
    data += tensor.bytes;
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {begin, data.size()}}};
  }
  return safetensors(header.dump(), data);
}

std::string safetensors(const std::string& header, const std::string& data) {
  std::string file;
  for (std::size_t byte = 0; byte < kLengthBytes; ++byte) {
    file.push_back(static_cast<char>((header.size() >> (8 * byte)) & 0xFFU));
  }
  return file + header + data;
}

std::string header_of(const std::string& file) {
  std::size_t length = 0;
  for (std::size_t byte = 0; byte < kLengthBytes; ++byte) {
    length |= std::size_t{static_cast<unsigned char>(file.at(byte))} << (8 * byte);
  }
  return file.substr(kLengthBytes, length);
}

std::string data_of(const std::string& file) {
  return file.substr(kLengthBytes + header_of(file).size());
}

void edit_config(Folder& folder, const std::function<void(OrderedJson&)>& edit) {
  OrderedJson config = OrderedJson::parse(folder.at("config.json"));
  edit(config);
  folder["config.json"] = config.dump(2);
}

std::string replaced(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + std::string(from));
  return std::string(text).replace(at, from.size(), to);
}

}  // namespace headlight
