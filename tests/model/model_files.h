// Tiny models as bytes in memory, so that a test can break any one of them.
//
// The toy classifies by counting: "good" speaks for positive, "bad" for negative, and its logits
// are (-x, x) with x the mean over the words. Its attention is the same for every word.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace headlight {

/// Keeps the order of fields.
using OrderedJson = nlohmann::ordered_json;

/// A directory before it is written: file name → bytes.
using Folder = std::map<std::string, std::string>;

struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

Tensor float_tensor(const std::string& name, const std::vector<std::uint64_t>& shape,
                    const std::vector<float>& values);

/// "[UNK]", "good", "bad", "movie", "a", "plot": its words by number.
OrderedJson toy_config();
std::vector<Tensor> toy_tensors();
/// config.json and model.safetensors.
Folder toy_folder();
/// The toy's weights as weights.json has them.
OrderedJson toy_json_weights();

Tensor& tensor_of(std::vector<Tensor>& tensors, const std::string& name);

std::string safetensors(const std::vector<Tensor>& tensors);
/// A file of a header and data that need not fit together.
std::string safetensors(const std::string& header, const std::string& data);
/// Header and data of a whole file.
std::string header_of(const std::string& file);
std::string data_of(const std::string& file);

/// Changes config.json of a folder.
void edit_config(Folder& folder, const std::function<void(OrderedJson&)>& edit);

/// `text` with its first `from` replaced; throws where there is none.
std::string replaced(const std::string& text, std::string_view from, std::string_view to);

}  // namespace headlight
